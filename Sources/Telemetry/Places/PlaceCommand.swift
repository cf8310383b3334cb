package import Tracking
package import Watching

/// What operations can tell the worker to do with a place.
package enum PlaceCommand: Equatable, Sendable {
    /// Make the place, or change what it is.
    case put(PlaceContent)
    /// Delete the place.
    case delete

    /// The names of commands, the last level of their topics.
    package enum Name: String, CaseIterable, Sendable {
        case put, delete
    }
}

/// A command for a place as it was received: what it asks for, or why that cannot be made out.
package struct PlaceCommandMessage: Equatable, Sendable {
    /// The last level of its topic, also when no command has that name.
    package var name: String
    /// The sender's id for it.
    package var commandID: String?
    /// What it asks for, or why it is refused.
    package var outcome: Result<PlaceCommand, Refusal>

    /// Creates a message.
    package init(name: String, commandID: String?, outcome: Result<PlaceCommand, Refusal>) {
        self.name = name
        self.commandID = commandID
        self.outcome = outcome
    }
}

/// What a worker allows of a place.
package struct PlaceLimits: Sendable {
    /// The most vertices of one place, repeated ones and the last of a closed ring not counted.
    package var maxVertices = 10_000
    /// Whether there is an IANA time zone of a name.
    package var isZone: @Sendable (String) -> Bool

    /// Creates the default limits.
    package init(isZone: @escaping @Sendable (String) -> Bool = { _ in true }) {
        self.isZone = isZone
    }
}

/// Makes commands for places out of what operations publish.
///
/// Keeps a parser and its buffers from command to command, so that one thread should have one of these.
package final class PlaceCommandDecoder {
    private let parser = JSONParser()

    /// Creates a decoder.
    package init() {}

    /// Decodes one command.
    ///
    /// - Parameters:
    ///   - name: The last level of its topic.
    ///   - payload: What was published; nothing, or nothing but blanks, is the same as `{}`.
    ///   - isRetained: Whether the broker delivered it as a retained message.
    ///   - limits: What the worker allows.
    ///   - maxBytes: A longer payload is refused before it is parsed.
    package func decode(
        name: String, payload: UnsafeRawBufferPointer, isRetained: Bool, limits: PlaceLimits,
        maxBytes: Int = 262_144
    ) -> PlaceCommandMessage {
        let known = PlaceCommand.Name(rawValue: name)
        var commandID: String?
        var outcome: Result<PlaceCommand, Refusal>
        do throws(Refusal) {
            let object = try PayloadObject(payload, by: parser, maxBytes: maxBytes)
            commandID = try object?.name("command_id")
            outcome =
                switch known {
                case .put: .success(.put(try PlaceReader.content(of: object, limits: limits)))
                case .delete: .success(.delete)
                case nil: .failure(Self.unknown(name))
                }
        } catch {
            outcome = .failure(known == nil ? Self.unknown(name) : error)
        }
        if isRetained { outcome = .failure(.retained(name)) }
        return PlaceCommandMessage(name: name, commandID: commandID, outcome: outcome)
    }

    private static func unknown(_ name: String) -> Refusal {
        let names = PlaceCommand.Name.allCases.map(\.rawValue).joined(separator: ", ")
        return Refusal(
            .unknownCommand, "\(name.quoted) is not a command of places: there are \(names)")
    }
}
