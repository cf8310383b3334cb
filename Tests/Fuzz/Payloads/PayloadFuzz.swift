import Geometry
import Telemetry
import Tracking

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

    private static let receivedAt = Timestamp(microseconds: 1_772_366_400_000_000)

    private let table: SourceTable
    private let positions = PositionDecoder()
    private let commands = CommandDecoder()
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

    /// Runs the decoder of a topic; the first byte beyond them fuzzes the topic itself.
    func run(_ choice: UInt8, _ payload: UnsafeRawBufferPointer) {
        let choice = Int(choice) % (Self.topics.count + 1)
        guard choice < Self.topics.count else {
            matchTopic(payload)
            return
        }
        switch table.match(Self.topics[choice]) {
        case .position(let source):
            let outcome = positions.decode(
                payload, source: source, receivedAt: Self.receivedAt)
            check(outcome, source)
        case .command(let vehicleID, let name):
            _ = commands.decode(
                name: name, payload: payload, vehicleID: vehicleID, isRetained: false,
                defaults: TripOptions())
        case .invalidVehicleID, .nothing: fatalError("topic \(choice) is not read")
        }
    }

    private func matchTopic(_ topic: UnsafeRawBufferPointer) {
        switch table.match(topic) {
        case .position(let source):
            if let vehicleID = source.vehicleID { precondition(VehicleID.isValid(vehicleID)) }
        case .command(let vehicleID, _): precondition(VehicleID.isValid(vehicleID))
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
