import Foundation
import Geometry
import TestServers
import Testing

/// Drives a vehicle of a worker under test along lines.
struct Driver {
    /// Between two positions, in metres and seconds.
    private static let step = 90.0
    private static let seconds = 5.0

    let client: FleetClient
    let vehicle: String
    /// When the next position is taken.
    private(set) var time: Double
    /// How many positions were published.
    private(set) var count = 0
    /// The last of them.
    private(set) var place: Coordinate?

    /// Creates the driver of a vehicle whose first position is that old.
    init(_ client: FleetClient, _ vehicle: String, age: Double) {
        self.client = client
        self.vehicle = vehicle
        time = Date.now.timeIntervalSince1970 - age
    }

    /// Publishes one position.
    mutating func go(to place: Coordinate, course: Double? = nil) {
        let facing = course.map { ",\"course_deg\":\($0)" } ?? ""
        client.publish(
            "fleet/\(vehicle)/position",
            "{\"time\":\(time),\"lat\":\(place.latitude),\"lon\":\(place.longitude)\(facing)}")
        time += Self.seconds
        count += 1
        self.place = place
    }

    /// Publishes positions along a part of a line, the last one at its end.
    ///
    /// - Parameter isOver: Ends the drive early, after the place for which it is true.
    mutating func drive(
        _ line: RouteLine, from start: Double, to end: Double,
        until isOver: (Coordinate) -> Bool = { _ in false }
    ) {
        var offset = start
        while true {
            offset = min(offset + Self.step, end)
            let place = line.point(at: offset)
            go(to: place, course: line.course(at: offset))
            if offset >= end || isOver(place) { return }
        }
    }
}

/// What the retained route topic holds.
struct DrawnRoute: Decodable {
    struct Properties: Decodable { var route_revision: Int }
    struct Feature: Decodable {
        struct Properties: Decodable {
            var kind: String
            var index: Int?
            var status: String?
        }
        struct Geometry: Decodable {
            var type: String
            /// One position of a point, all of a line.
            var line: [Coordinate]

            enum CodingKeys: CodingKey { case type, coordinates }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: CodingKeys.self)
                type = try values.decode(String.self, forKey: .type)
                let positions =
                    type == "Point"
                    ? [try values.decode([Double].self, forKey: .coordinates)]
                    : try values.decode([[Double]].self, forKey: .coordinates)
                line = positions.map { Coordinate(latitude: $0[1], longitude: $0[0]) }
            }
        }
        var properties: Properties
        var geometry: Geometry
    }
    var properties: Properties
    var features: [Feature]

    /// The line of a kind, if there is one.
    func line(_ kind: String) -> [Coordinate] {
        features.first { $0.properties.kind == kind }?.geometry.line ?? []
    }

    /// What became of the via points, in order.
    var statuses: [String?] {
        features.filter { $0.properties.kind == "via_point" }.map(\.properties.status)
    }

    /// The whole line.
    func whole() throws -> RouteLine {
        try #require(RouteLine(line("travelled") + line("remaining")))
    }
}

/// What a reroute's events tell besides what all events tell.
struct RerouteEvent: Decodable {
    var reason: String?
    var route_revision: Int?
    var length_m: Double?
    var duration_s: Double?
    var deviation_path: [[Double]]?
    var carried_waypoints: [Int]?
}

extension FleetClient {
    /// Waits until the retained route has that number, and returns it.
    func route(_ revision: Int, of vehicle: String) throws -> DrawnRoute {
        try wait("route \(revision) of \(vehicle)") { [self] in
            guard let text = last("fleet/\(vehicle)/route"),
                let route = try? JSONDecoder().decode(DrawnRoute.self, from: Data(text.utf8)),
                route.properties.route_revision == revision
            else { return nil }
            return route
        }
    }

    /// The last event of a type, with what it tells of a reroute.
    func reroute(_ type: String, of vehicle: String) throws -> RerouteEvent {
        let text = try #require(last("fleet/\(vehicle)/event/\(type)"))
        return try JSONDecoder().decode(RerouteEvent.self, from: Data(text.utf8))
    }
}

extension Coordinate {
    /// As a place in a command.
    var json: String { "{\"lat\":\(latitude),\"lon\":\(longitude)}" }
}

extension RouteLine {
    /// Where the line is nearest to a place.
    func offset(near place: Coordinate) -> Double {
        nearest(to: place, from: 0, to: length, hint: nil).offset
    }
}
