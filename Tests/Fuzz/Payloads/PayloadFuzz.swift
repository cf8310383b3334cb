import Geometry
import Telemetry
import Tracking
import Watching

/// Feeds one input to the decoder that its first byte chooses: libFuzzer's entry.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = UnsafeRawBufferPointer(start: start, count: count)
    PayloadFuzz.shared.run(input[0], UnsafeRawBufferPointer(rebasing: input[1...]))
    return 0
}

/// All decoders, and what must be true of everything that comes out of them.
final class PayloadFuzz {
    nonisolated(unsafe) static let shared = PayloadFuzz()

    /// The topics whose payloads are fuzzed; the first is recognised by content.
    static let topics =
        ["fleet/truck-17/position", "shared/device", "shared/ident"]
        + PositionFormat.allCases.map { "fixed/\($0.rawValue)" }
        + Command.Name.allCases.map { "fleet/truck-17/command/\($0.rawValue)" }

    /// The choice that fuzzes the `put` of places.
    static let put = topics.count

    private static let receivedAt = Timestamp(microseconds: 1_772_366_400_000_000)

    private let table: SourceTable
    private let positions = PositionDecoder()
    private let commands = CommandDecoder()
    private let places = PlaceCommandDecoder()
    private let parser = JSONParser()

    private init() {
        let fixed = PositionFormat.allCases.map { format in
            SourceDefinition(
                filter: "fixed/\(format.rawValue)", format: format.rawValue, vehicleID: "{1}")
        }
        let shared = [
            SourceDefinition(filter: "shared/device", vehicleID: "{device.uniqueId}"),
            SourceDefinition(filter: "shared/ident", vehicleID: "{0}-{ident}"),
            SourceDefinition(filter: "any/#", vehicleID: "{1}.{2}"),
        ]
        do {
            table = try SourceTable(root: "fleet", sources: fixed + shared)
        } catch {
            fatalError("\(error)")
        }
    }

    /// Runs the decoder of a topic; the bytes beyond them fuzz puts of places and the topic itself.
    func run(_ choice: UInt8, _ payload: UnsafeRawBufferPointer) {
        let choice = Int(choice) % (Self.topics.count + 2)
        if choice == Self.put { return put(payload) }
        guard choice < Self.topics.count else { return matchTopic(payload) }
        switch table.match(Self.topics[choice]) {
        case .position(let source):
            let outcome = positions.decode(
                payload, source: source, receivedAt: Self.receivedAt)
            check(outcome, source)
        case .command(let vehicleID, let name):
            _ = commands.decode(
                name: name, payload: payload, vehicleID: vehicleID, isRetained: false,
                receivedAt: Self.receivedAt, defaults: TripOptions())
        case .placeCommand, .invalidVehicleID, .nothing:
            fatalError("topic \(choice) is not read")
        }
    }

    private func put(_ payload: UnsafeRawBufferPointer) {
        let message = places.decode(
            name: "put", payload: payload, isRetained: false, limits: PlaceLimits())
        guard case .success(.put(let content)) = message.outcome else { return }
        checkShape(content.area)
        // What was accepted is the same when it is put, or read, again.
        var json = JSONWriter()
        PlaceEncoder.encode(put: content, into: &json)
        let again = json.bytes.withUnsafeBytes {
            places.decode(name: "put", payload: $0, isRetained: false, limits: PlaceLimits())
        }
        precondition(again.outcome == .success(.put(content)), "\(json.text)")
        let place = Place(
            id: "p", revision: 1, putAt: Self.receivedAt, content: content)
        json.reset()
        PlaceEncoder.encode(definition: place, into: &json)
        do {
            let read = try parser.parse(json.text) {
                try PlaceReader.place(ofDefinition: $0, id: "p", limits: PlaceLimits())
            }
            precondition(read == place, "\(json.text)")
        } catch {
            fatalError("\(error): \(json.text)")
        }
    }

    /// Checks what must be true of every area.
    private func checkShape(_ area: Area) {
        precondition(area.squareMetres.isFinite && area.squareMetres >= 0)
        precondition(area.size.isFinite && area.box.south <= area.box.north)
        let places = [
            Coordinate(latitude: area.box.south, longitude: area.box.west),
            Coordinate(latitude: 10, longitude: 20), Coordinate(latitude: 90, longitude: 180),
        ]
        for place in places {
            let distance = area.distance(from: place)
            precondition(distance.isFinite && abs(distance) < 2.1e7)
            precondition(area.nearestBoundary(from: Viewpoint(place)).coordinate.isValid)
            let way = Way(from: place, to: places[1])
            for piece in area.pieces(of: way) {
                precondition(0 <= piece.start && piece.start <= piece.end && piece.end <= 1)
            }
            for crossing in area.crossings(of: way) {
                precondition((0...1).contains(crossing.position))
            }
        }
    }

    private func matchTopic(_ topic: UnsafeRawBufferPointer) {
        switch table.match(topic) {
        case .position(let source):
            if let vehicleID = source.vehicleID { precondition(VehicleID.isValid(vehicleID)) }
        case .command(let id, _), .placeCommand(let id, _): precondition(VehicleID.isValid(id))
        case .invalidVehicleID, .nothing: break
        }
    }

    private func check(_ outcome: DecodeOutcome, _ source: MatchedSource) {
        switch outcome {
        case .accepted(let reports, _):
            precondition(!reports.isEmpty)
            for report in reports { check(report) }
        case .rejected(_, let items): precondition(Set(items.map(\.index)).count == items.count)
        case .ignored: break
        }
        isObject(outcome.json(source: source))
    }

    private func check(_ report: PositionReport) {
        let fix = report.fix
        precondition(VehicleID.isValid(report.vehicleID))
        precondition((-90...90).contains(fix.coordinate.latitude))
        precondition((-180...180).contains(fix.coordinate.longitude))
        let age = Self.receivedAt.elapsed(since: fix.time)
        precondition((-300...(366 * 86_400)).contains(age))
        if let speed = fix.speed { precondition(speed.isFinite && speed >= 0) }
        if let course = fix.course { precondition((0..<360).contains(course)) }
        if let accuracy = fix.accuracy { precondition(accuracy.isFinite && accuracy != 0) }
        if let accuracy = report.accuracy { precondition(accuracy > 0) }
        if let altitude = report.altitude { precondition(altitude.isFinite) }
        for text in [report.provider, report.attributes] {
            precondition(text.map { !holdsNull($0) } ?? true)
        }
        if let attributes = report.attributes { isObject(attributes) }
    }

    /// Whether a text holds U+0000 as such or as a JSON escape: an escaped backslash starts none.
    private func holdsNull(_ text: String) -> Bool {
        text.utf8.contains(0) || text.replacing(#"\\"#, with: "").contains(#"\u0000"#)
    }

    private func isObject(_ json: String) {
        do {
            try parser.parse(json) { precondition($0.kind == .object) }
        } catch {
            fatalError("not JSON: \(json): \(error)")
        }
    }
}
