import Console
import Foundation
import Geometry
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

    func proposal(vehicleID: String) -> [UInt8]? { view.proposal(vehicleID: vehicleID) }

    func places(_ query: PlaceQuery) -> [UInt8]? { view.places(PlaceSearch(query)) }

    func place(_ id: String) -> [UInt8]? { view.place(id) }

    func vehicles(inPlace id: String) -> [UInt8]? { view.vehicles(inPlace: id) }

    func send(command: String, to subject: CommandSubject, body: [UInt8]) -> CommandReceipt {
        var members: [String: Any] = [:]
        if !body.isEmpty {
            guard let object = try? JSONSerialization.jsonObject(with: Data(body)),
                let given = object as? [String: Any]
            else { return .malformed("the body must be a JSON object, or empty") }
            members = given
        }
        let commandID = (members["command_id"] as? String) ?? UUID().uuidString.lowercased()
        members["command_id"] = commandID
        if case .vehicle = subject, members["time"] == nil {
            members["time"] = SystemClock().now.iso8601
        }
        guard let payload = try? JSONSerialization.data(withJSONObject: members) else {
            return .malformed("the body cannot be written as JSON again")
        }
        guard view.send(command: command, to: subject.published, body: Array(payload)) else {
            return .unavailable("the broker is not connected")
        }
        log.info("command from the console", ["for": subject.id, "command": command])
        return .sent(commandID: commandID)
    }

    func refused(command: String, for subject: CommandSubject, because reason: String) {
        log.warning(
            "turned a command of the console away", about: reason,
            ["for": subject.id, "command": command, "reason": reason])
    }
}

extension CommandSubject {
    /// Whose topic the command goes to.
    fileprivate var published: Publication.Subject {
        switch self {
        case .vehicle(let id): .vehicle(id)
        case .place(let id): .place(id)
        }
    }
}

extension PlaceSearch {
    fileprivate init(_ query: PlaceQuery) {
        self.init(
            box: query.box.map {
                CoordinateBox(south: $0.south, west: $0.west, north: $0.north, east: $0.east)
            },
            category: query.category, level: query.level, text: query.text,
            near: query.near.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) },
            limit: query.limit)
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
        case .definition where publication.payload.isEmpty: return
        case .definition: kind = .place
        case .route, .proposal, .command: return
        }
        let id =
            switch publication.subject {
            case .vehicle(let id), .place(let id): id
            }
        server.broadcast(StreamEvent(kind: kind, subjectID: id, json: publication.payload))
    }
}
