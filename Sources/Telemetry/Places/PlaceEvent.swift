package import Tracking
package import Watching

/// Something that a place tells of itself.
package struct PlaceEvent: Equatable, Sendable {
    /// What happened to the place.
    package enum Kind: Equatable, Sendable {
        /// It was put.
        case put(Place, isChanged: Bool)
        /// It was deleted; the revision is `nil` where it was not in force.
        case deleted(revision: Int?)
        /// It closes roads from now on.
        case roadblockActivated(Place)
        /// It no longer closes roads.
        case roadblockExpired(Place)
        /// A command for it was refused.
        case rejected(command: String, Refusal)
    }

    /// The event's id; see `EventID.place`.
    package var id: String
    /// The place that the topic names.
    package var placeID: String
    /// When the command was received.
    package var time: Timestamp
    /// The sender's id for the command.
    package var commandID: String?
    /// What happened.
    package var kind: Kind

    /// Creates an event.
    package init(id: String, placeID: String, time: Timestamp, commandID: String?, kind: Kind) {
        self.id = id
        self.placeID = placeID
        self.time = time
        self.commandID = commandID
        self.kind = kind
    }
}

extension PlaceEvent.Kind {
    /// The event's name in topics, payloads and tables.
    package var type: String {
        switch self {
        case .put: "place_put"
        case .deleted: "place_deleted"
        case .roadblockActivated: "roadblock_activated"
        case .roadblockExpired: "roadblock_expired"
        case .rejected: "command_rejected"
        }
    }
}

/// Writes what places tell of themselves, as it is published and stored.
package enum PlaceEventEncoder {
    /// Writes one event.
    package static func encode(_ event: PlaceEvent, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", event.id)
            json.member("type", event.kind.type)
            json.member("place_id", event.placeID)
            json.member("time", event.time)
            switch event.kind {
            case .put(let place, let isChanged):
                json.member("name", place.name)
                json.member("revision", place.revision)
                json.member("changed", isChanged)
            case .deleted(let revision):
                json.member("revision", revision)
            case .roadblockActivated(let place), .roadblockExpired(let place):
                json.member("name", place.name)
                json.member("revision", place.revision)
            case .rejected(let command, let refusal):
                json.member("command", command)
                json.member("reason", refusal.reason.rawValue)
                json.member("detail", refusal.detail)
            }
            if let commandID = event.commandID { json.member("command_id", commandID) }
        }
    }
}
