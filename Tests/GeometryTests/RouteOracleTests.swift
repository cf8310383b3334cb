import Geometry
import Testing

private struct Row: Decodable {
    struct Query: Decodable {
        let place: Coordinate
        let distance: Double
        let offset: Double

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            place = try row.decode(Position.self).coordinate
            distance = try row.decode(Double.self)
            offset = try row.decode(Double.self)
        }
    }

    let name: String
    let coordinates: [Position]
    let offsets: [Double]
    let queries: [Query]

    func line() throws -> RouteLine { try #require(RouteLine(coordinates.map(\.coordinate))) }
}

@Test func measuresLines() throws {
    let rows = try fixture("lines", as: [Row].self)
    #expect(rows.count > 30)
    for row in rows {
        let line = try row.line()
        #expect(line.coordinates == row.coordinates.map(\.coordinate), "\(row.name)")
        for (index, offset) in row.offsets.enumerated() {
            // The vertices' seven digits are a centimetre.
            let tolerance = 1e-5 * offset + 0.02 * Double(index)
            #expect(abs(line.offset(ofVertex: index) - offset) <= tolerance, "\(row.name) \(index)")
        }
        #expect(line.length == line.offset(ofVertex: line.vertexCount - 1))
    }
}

@Test func projectsOntoLines() throws {
    for row in try fixture("lines", as: [Row].self) {
        let line = try row.line()
        for query in row.queries {
            let pass = line.nearest(to: query.place, from: 0, to: line.length, hint: nil)
            let comment = "\(row.name) \(query) \(pass)"
            #expect(
                abs(pass.distance - query.distance) <= 1e-4 * query.distance + 0.02, "\(comment)")
            // Where the distance hardly changes along the line, another place of it is as right.
            let found = line.point(at: pass.offset)
            #expect(
                found.distance(to: query.place) <= (1 + 1e-4) * query.distance + 0.02, "\(comment)")
            if query.distance < 1000, !row.name.contains("steps") {
                #expect(
                    abs(pass.offset - query.offset) <= 0.05 + 0.001 * query.distance + 1e-7
                        * line.length, "\(comment)")
            }
        }
    }
}

@Test func placesOffsetsOnLongSegments() throws {
    for row in try fixture("lines", as: [Row].self) {
        let line = try row.line()
        for query in row.queries where query.distance == 0 {
            #expect(line.point(at: query.offset).distance(to: query.place) < 0.05, "\(row.name)")
        }
    }
}
