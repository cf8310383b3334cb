import Geometry
package import Tracking

/// Makes commands out of what operations publish.
///
/// Keeps a parser and its buffers from command to command, so that one thread should have one of these.
package final class CommandDecoder {
    /// How long before its reception a command may have been given, in seconds.
    private static let longestWait = 86_400.0

    private let parser = JSONParser()

    /// Creates a decoder.
    package init() {}

    /// Decodes one command.
    ///
    /// - Parameters:
    ///   - name: The last level of its topic.
    ///   - payload: What was published; nothing, or nothing but blanks, is the same as `{}`.
    ///   - vehicleID: The vehicle that the topic names.
    ///   - isRetained: Whether the broker delivered it as a retained message.
    ///   - receivedAt: Its reception: it was given then at the latest, and a day before it at the earliest.
    ///   - defaults: The worker's options, which an assignment's own are merged over.
    ///   - maxBytes: A longer payload is refused before it is parsed.
    package func decode(
        name: String, payload: UnsafeRawBufferPointer, vehicleID: String, isRetained: Bool,
        receivedAt: Timestamp, defaults: TripOptions, maxBytes: Int = 262_144
    ) -> CommandMessage {
        let known = Command.Name(rawValue: name)
        var commandID: String?
        var tripID: String?
        var outcome: Result<Command, Refusal>
        do throws(Refusal) {
            let object = try PayloadObject(payload, by: parser, maxBytes: maxBytes)
            commandID = try object?.name("command_id")
            tripID = try object?.name("trip_id")
            guard let known else { throw Self.unknown(name) }
            let givenAt = try object?.moment("time")
            var command = try command(
                known, object, tripID: tripID, vehicleID: vehicleID, defaults: defaults)
            if case .assign(var assignment) = command {
                let earliest = receivedAt.advanced(by: -Self.longestWait)
                assignment.givenAt = givenAt.map { min(max($0, earliest), receivedAt) }
                command = .assign(assignment)
            }
            outcome = .success(command)
        } catch {
            // An unknown command is refused as such, whatever its payload.
            outcome = .failure(known == nil ? Self.unknown(name) : error)
        }
        if isRetained { outcome = .failure(.retained(name)) }
        return CommandMessage(
            name: name, commandID: commandID, tripID: tripID, outcome: outcome)
    }

    private static func unknown(_ name: String) -> Refusal {
        let names = Command.Name.allCases.map(\.rawValue).joined(separator: ", ")
        return Refusal(.unknownCommand, "\(name.quoted) is not a command: there are \(names)")
    }

    private func command(
        _ name: Command.Name, _ object: PayloadObject?, tripID: String?, vehicleID: String,
        defaults: TripOptions
    ) throws(Refusal) -> Command {
        switch name {
        case .assign:
            return .assign(
                try AssignmentReader.assignment(
                    object, tripID: tripID, vehicleID: vehicleID, defaults: defaults))
        case .proceed:
            return .proceed(waypointIndex: try object?.count("waypoint_index", from: 0))
        case .skip:
            return .skip(waypointIndex: try object?.count("waypoint_index", from: 0))
        case .reroute: return .reroute
        case .avoid: return try avoid(object)
        case .accept: return .accept(proposal: try object?.count("proposal", from: 1))
        case .decline: return .decline(proposal: try object?.count("proposal", from: 1))
        case .route: return try route(object)
        case .stop: return .stop
        }
    }

    private func avoid(_ object: PayloadObject?) throws(Refusal) -> Command {
        let start = try object?.number("start_m", from: 0, to: 1_000_000, unit: "metres")
        let length = try object?.number("length_m", from: 10, to: 50_000, unit: "metres")
        guard let length else {
            throw Refusal(
                .invalidCommand, "length_m is missing: it must be a number of 10 to 50000 metres")
        }
        return .avoid(start: start ?? 0, length: length)
    }

    private func route(_ object: PayloadObject?) throws(Refusal) -> Command {
        guard let object, let route = object["route"] else {
            throw Refusal(.invalidCommand, "route is missing: it must be an object")
        }
        let request = try object.count("request", from: 1)
        let path = try object.array("deviation_path")
        return .route(
            try RouteReader.route(route), request: request,
            deviationPath: try path.map { array throws(Refusal) in
                try TargetReader.line(array, at: "deviation_path", reason: .invalidRoute)
            } ?? [])
    }
}

extension Refusal {
    /// The refusal of a command that the broker keeps.
    static func retained(_ name: String) -> Refusal {
        Refusal(
            .retainedCommand,
            "\(name) was published as retained: it would be carried out at each subscription")
    }
}
