import Console
import Synchronization

/// A worker that knows one vehicle, and keeps what it is told.
final class FakeSource: ConsoleSource {
    /// A command as it arrived.
    struct Command: Equatable {
        var name: String
        var vehicleID: String
        var body: String
    }

    private let parts: [ReadinessPart]
    private let receipt: CommandReceipt
    private let received = Mutex<[Command]>([])
    private let turnedAway = Mutex<[String]>([])

    init(
        parts: [ReadinessPart] = [ReadinessPart(part: "broker", ok: true, detail: "connected")],
        receipt: CommandReceipt = .sent(commandID: "c-1")
    ) {
        self.parts = parts
        self.receipt = receipt
    }

    var commands: [Command] { received.withLock { $0 } }

    /// Why commands were turned away, in order.
    var refusals: [String] { turnedAway.withLock { $0 } }

    func refused(command: String, for subject: CommandSubject, because reason: String) {
        turnedAway.withLock { $0.append(reason) }
    }

    func metrics() -> [UInt8] { Array("waygate_up 1\n".utf8) }
    func readiness() -> [ReadinessPart] { parts }
    func vehicles() -> [UInt8] { Array(#"{"type":"FeatureCollection","features":[]}"#.utf8) }

    func proposal(vehicleID: String) -> [UInt8]? {
        vehicleID == "truck-7" ? Array(#"{"to":"truck-7"}"#.utf8) : nil
    }

    func route(vehicleID: String) -> [UInt8]? {
        let known = ["truck-7", "å b", "a%2Fb"]
        return known.contains(vehicleID) ? Array("{\"of\":\"\(vehicleID)\"}".utf8) : nil
    }

    func places(_ query: PlaceQuery) -> [UInt8]? {
        Array("{\"limit\":\(query.limit),\"q\":\"\(query.text ?? "")\"}".utf8)
    }

    func place(_ id: String) -> [UInt8]? {
        id == "depot" ? Array(#"{"type":"Feature"}"#.utf8) : nil
    }

    func send(command: String, to subject: CommandSubject, body: [UInt8]) -> CommandReceipt {
        let text = String(decoding: body, as: UTF8.self)
        received.withLock { $0.append(Command(name: command, vehicleID: subject.id, body: text)) }
        return receipt
    }
}
