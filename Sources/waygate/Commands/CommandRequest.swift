import Telemetry
import Tracking
import Worker

/// A command to be published, with the id that its answer will carry.
struct CommandRequest {
    /// What is asked for.
    var name: Command.Name
    /// The vehicle that it is for.
    var vehicleID: String
    /// The id that events caused by the command carry.
    var commandID: String
    /// The JSON object to publish.
    var payload: [UInt8]

    /// Creates a command, given now.
    ///
    /// - Parameters:
    ///   - commandID: Its id; a new one by default.
    ///   - members: Writes the members besides `command_id` and `time`.
    init(
        _ name: Command.Name, vehicleID: String, commandID: String = Identifier.random(),
        members: (inout JSONWriter) -> Void = { _ in }
    ) {
        self.init(name, vehicleID: vehicleID, id: commandID) { json in
            json.member("time", SystemClock().now)
            members(&json)
        }
    }

    private init(
        _ name: Command.Name, vehicleID: String, id commandID: String,
        allMembers: (inout JSONWriter) -> Void
    ) {
        self.name = name
        self.vehicleID = vehicleID
        self.commandID = commandID
        var json = JSONWriter()
        json.object { json in
            json.member("command_id", commandID)
            allMembers(&json)
        }
        payload = json.bytes
    }

    /// Creates a command from an object in a file; a `command_id` and a `time` in it are kept.
    ///
    /// - Throws: ``CommandFailure`` when the file's text is no JSON object.
    init(_ name: Command.Name, vehicleID: String, file: String) throws {
        let bytes = try TextFile.bytes(of: file)
        let parser = JSONParser()
        do {
            let object = try bytes.withUnsafeBytes { bytes throws(JSONError) in
                try parser.parse(bytes)
            }
            guard object.kind == .object else { throw CommandFailure("\(file): is no JSON object") }
            self.init(
                name, vehicleID: vehicleID,
                id: object["command_id"]?.string ?? Identifier.random()
            ) { json in
                let isTimed = object["time"].map { !$0.isNull } ?? false
                if !isTimed { json.member("time", SystemClock().now) }
                for (key, value) in object.members
                where key.string != "command_id" && (isTimed || key.string != "time") {
                    json.key(text: key.string)
                    json.raw(value.rawText)
                }
            }
        } catch let error as JSONError {
            throw CommandFailure("\(file): is not JSON: \(error.message)")
        }
    }

    /// The topic to publish to.
    func topic(root: String) -> String {
        "\(root)/\(vehicleID)/command/\(name.rawValue)"
    }

    /// Checks the command as the worker will.
    ///
    /// - Throws: ``CommandFailure`` with the worker's own words where it would refuse the command whatever
    ///   the vehicle's state.
    func check(defaults: TripOptions) throws(CommandFailure) {
        let message = payload.withUnsafeBytes { payload in
            CommandDecoder().decode(
                name: name.rawValue, payload: payload, vehicleID: vehicleID, isRetained: false,
                receivedAt: SystemClock().now, defaults: defaults)
        }
        if case .failure(let refusal) = message.outcome {
            throw CommandFailure("\(refusal.reason.rawValue): \(refusal.detail)")
        }
    }

    /// Tells whether an event of `type` is what the command leads to when it is carried out.
    func isAnswered(by type: String) -> Bool {
        if type == "command_rejected" { return true }
        switch name {
        // An assignment may end the trip before: that event has the command's id too.
        case .assign: return type == "trip_assigned"
        case .proceed: return type == "waypoint_resumed"
        case .skip: return type == "waypoint_skipped"
        case .reroute, .avoid: return type == "will_reroute"
        case .accept: return type == "rerouted"
        case .decline: return type == "better_route_gone"
        case .route: return type == "rerouted" || type == "reroute_failed"
        case .stop: return type == "trip_stopped"
        }
    }
}

extension JSONValue {
    /// The members of an object, or none.
    var members: [(key: JSONText, value: JSONValue)] {
        object.map(Array.init) ?? []
    }
}

/// Names that nobody else gives.
enum Identifier {
    private static let digits = Array("0123456789abcdef")

    /// Returns 128 random bits as a UUID of version 4.
    static func random() -> String {
        var nibbles = (0..<32).map { _ in UInt8.random(in: 0...15) }
        nibbles[12] = 4
        nibbles[16] = nibbles[16] & 3 | 8
        var text = ""
        for (index, nibble) in nibbles.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digits[Int(nibble)])
        }
        return text
    }
}
