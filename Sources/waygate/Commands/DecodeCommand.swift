import Glibc
import Telemetry
import Tracking
import Worker

/// `waygate decode`: what the worker makes of a payload.
struct DecodeCommand: Subcommand {
    private static let topic = Option.value(
        "topic", "TOPIC",
        "the topic that it came on: names the vehicle, and the source of the settings")
    private static let receivedAt = Option.value(
        "received-at", "EPOCH_S", "when it was received, in seconds since 1970 (default: now)")

    static let manual = Manual(
        name: "decode", summary: "show what the worker makes of a payload with positions",
        operands: [
            Operand(
                placeholder: "FILE", help: "the payload as it was published, '-' for standard input"
            )
        ],
        options: [topic, receivedAt, .config],
        details: """
            Prints one JSON object: "outcome" is accepted, rejected or ignored, with the "fixes" or the \
            "reason"; in a batch "rejected_items" has the index and reason of each bad element. A \
            topic that no source of the settings matches is an error.
            """,
        example: "waygate decode --topic fleet/van-7/position position.json")

    private let settings: ConfigurationSource
    private let topic: String
    private let receivedAt: Timestamp
    private let file: String

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        guard let topic = arguments.text(Self.topic) else {
            throw UsageError("--topic TOPIC is missing: \(Self.manual.usage)")
        }
        self.topic = topic
        let seconds = try arguments.number(Self.receivedAt, in: 0...1e11)
        receivedAt = Timestamp(seconds: seconds ?? Double(time(nil)))
        file = arguments.operands[0]
    }

    func run() throws {
        let settings = FleetSettings(try settings.load())
        let source: MatchedSource
        switch try settings.sourceTable().match(topic) {
        case .position(let matched): source = matched
        case .command, .placeCommand, .invalidVehicleID:
            throw CommandFailure("'\(topic)' is a command's topic, and not one for positions")
        case .nothing:
            throw CommandFailure(
                "no source matches the topic '\(topic)': see topic_root and sources in the settings"
            )
        }
        let payload = try TextFile.bytes(of: file)
        let decoder = PositionDecoder(
            limits: DecodeLimits(
                maxPayloadBytes: settings.maxPayloadBytes, maxAgeDays: settings.maxAgeDays))
        let outcome = payload.withUnsafeBytes { payload in
            decoder.decode(payload, source: source, receivedAt: receivedAt)
        }
        Output().line(outcome.json(source: source))
    }
}
