import Console
import Foundation
import Store
import Telemetry
import Worker

/// What the console may see and send, out of a running worker.
struct ConsoleBridge: ConsoleSource {
    let view: WorkerView
    let log: Logger

    func metrics() -> [UInt8] { view.metrics() }

    func readiness() -> [ReadinessPart] {
        view.readiness().map { ReadinessPart(part: $0.part, ok: $0.isReady, detail: $0.detail) }
    }

    func vehicles() -> [UInt8] { view.vehicles() }

    func route(vehicleID: String) -> [UInt8]? { view.route(vehicleID: vehicleID) }

    func send(command: String, vehicleID: String, body: [UInt8]) -> CommandReceipt {
        var members: [String: Any] = [:]
        if !body.isEmpty {
            guard let object = try? JSONSerialization.jsonObject(with: Data(body)),
                let given = object as? [String: Any]
            else { return .malformed("the body must be a JSON object, or empty") }
            members = given
        }
        let commandID = (members["command_id"] as? String) ?? UUID().uuidString.lowercased()
        members["command_id"] = commandID
        if members["time"] == nil { members["time"] = SystemClock().now.iso8601 }
        guard let payload = try? JSONSerialization.data(withJSONObject: members) else {
            return .malformed("the body cannot be written as JSON again")
        }
        guard view.send(command: command, vehicleID: vehicleID, body: Array(payload)) else {
            return .unavailable("the broker is not connected")
        }
        log.info("command from the console", ["vehicle": vehicleID, "command": command])
        return .sent(commandID: commandID)
    }

    func refused(command: String, vehicleID: String, because reason: String) {
        log.warning(
            "turned a command of the console away", about: reason,
            ["vehicle": vehicleID, "command": command, "reason": reason])
    }
}

/// Passes on to the console's streams what the worker publishes.
struct StreamBridge: PublicationListener {
    let server: ConsoleServer

    func published(_ publication: Publication) {
        let kind: StreamEvent.Kind
        switch publication.content {
        case .progress: kind = .progress
        case .event(_, home: .trips): kind = .event
        case .event(_, home: .alarms): kind = publication.subject.vehicleID == nil ? .place : .alarm
        case .definition: kind = .place
        case .route, .command: return
        }
        let id =
            switch publication.subject {
            case .vehicle(let id), .place(let id): id
            }
        server.broadcast(StreamEvent(kind: kind, subjectID: id, json: publication.payload))
    }
}
