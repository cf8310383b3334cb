import Telemetry
import Testing
import Tracking

/// A payload and what it comes to, written short.
///
/// `expected` is `rejected REASON`, `ignored REASON`, or the accepted positions, as `waygate decode` prints
/// them but for their place where that is 52.5, 13.4 and their time where that is 30 s before reception;
/// then the rejected items as `!INDEX REASON`.
struct DecodeSample: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var payload: [UInt8]
    var expected: String
    var topic: String

    static let receivedAt = Timestamp(microseconds: 1_772_366_400_000_000)

    init(
        _ description: String, _ payload: String, _ expected: String,
        on topic: String = "fleet/truck-17/position"
    ) {
        self.init(description, bytes: Array(payload.utf8), expected, on: topic)
    }

    init(
        _ description: String, bytes: [UInt8], _ expected: String,
        on topic: String = "fleet/truck-17/position"
    ) {
        testDescription = description
        payload = bytes
        self.expected = expected
        self.topic = topic
    }

    /// A native position of 30 seconds ago with further members.
    static func native(_ description: String, _ members: String, _ expected: String) -> Self {
        Self(
            description, #"{"time":1772366370,"lat":52.5,"lon":13.4,\#(members)}"#, expected)
    }

    /// A native position with this time.
    static func time(_ time: String, _ expected: String) -> Self {
        Self("time \(time)", #"{"time":\#(time),"lat":52.5,"lon":13.4}"#, expected)
    }

    /// A native position with this latitude.
    static func latitude(_ latitude: String, _ expected: String) -> Self {
        Self(
            "latitude \(latitude)", #"{"time":1772366370,"lat":\#(latitude),"lon":13.4}"#, expected)
    }

    /// What the payload really comes to, written as `expected` is.
    func decoded(limits: DecodeLimits = DecodeLimits()) throws -> String {
        let sources =
            [
                SourceDefinition(filter: "shared/traccar", vehicleID: "{device.uniqueId}"),
                SourceDefinition(filter: "shared/flespi", vehicleID: "{device.id}"),
            ]
            + PositionFormat.allCases.map {
                SourceDefinition(
                    filter: "\($0.rawValue)/+", format: $0.rawValue, vehicleID: "{1}")
            }
        guard
            case .position(let source) = try SourceTable(root: "fleet", sources: sources)
                .match(topic)
        else { return "no source" }
        let outcome = payload.withUnsafeBytes {
            PositionDecoder(limits: limits).decode(
                $0, source: source, receivedAt: Self.receivedAt)
        }
        switch outcome {
        case .rejected(let reason, let items):
            return (["rejected \(reason.rawValue)"] + items.map(Self.written))
                .joined(separator: " ")
        case .ignored(let reason): return "ignored \(reason.rawValue)"
        case .accepted(_, let rejected):
            let fixes = try JSONParser().parse(outcome.json(source: source)) { json in
                json["fixes"]?.array?.map(\.rawText) ?? []
            }
            return (fixes.map(Self.shortened) + rejected.map(Self.written)).joined(separator: " ")
        }
    }

    private static func written(_ item: RejectedItem) -> String {
        "!\(item.index) \(item.reason.rawValue)"
    }

    private static func shortened(_ fix: String) -> String {
        fix.replacing(#""lat":52.5,"lon":13.4"#, with: "")
            .replacing(#""time":"2026-03-01T11:59:30.000Z""#, with: "")
            .replacing(",,", with: ",").replacing("{,", with: "{").replacing(",}", with: "}")
    }
}
