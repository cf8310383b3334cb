package import Store

/// A message for the broker, as the tracking stage hands it to the publishing stage.
package struct Publication: Sendable {
    /// Whom it is about.
    package enum Subject: Hashable, Sendable {
        case vehicle(String)
        case place(String)
    }

    /// What it is, and with that how it is sent.
    package enum Content: Equatable, Sendable {
        /// An event or alarm, with its id and the table that has its row: QoS 1.
        case event(id: String, home: EventHome)
        /// A trip's route: QoS 1, retained.
        case route
        /// A better route on offer: QoS 1, retained.
        case proposal
        /// A place's definition: QoS 1, retained.
        case definition
        /// A vehicle's progress: QoS 0, retained.
        case progress
        /// A command of somebody at the console: QoS 1.
        case command
    }

    package var content: Content
    package var subject: Subject
    package var topic: String
    package var payload: [UInt8]
    /// The spool position after the entry that caused it.
    package var position: Int64
    /// When that entry was received, in microseconds, for measuring the delay of events.
    package var receivedAt: Int64
    /// Names those that must reach the broker one after the other; `nil` where the order does not matter.
    package var lane: String?

    /// - Parameter lane: What it has to keep its place in, such as a trip; retained messages keep theirs under
    ///   their topic.
    package init(
        _ content: Content, of subject: Subject, topic: String, payload: [UInt8], position: Int64,
        receivedAt: Int64, lane: String? = nil
    ) {
        self.content = content
        self.subject = subject
        self.topic = topic
        self.payload = payload
        self.position = position
        self.receivedAt = receivedAt
        self.lane = lane
        if lane == nil, isAcknowledged, isRetained { self.lane = topic }
    }
}

// How each content is sent.
extension Publication {
    /// Whether the broker has to acknowledge it.
    var isAcknowledged: Bool {
        switch content {
        case .event, .route, .proposal, .definition, .command: true
        case .progress: false
        }
    }

    /// Whether the broker keeps it for new subscribers, so that only the newest matters.
    var isRetained: Bool {
        switch content {
        case .route, .proposal, .definition, .progress: true
        case .event, .command: false
        }
    }

    /// Whether it is tried again after the broker has refused it: a command that comes late may do harm.
    var isPatient: Bool { content != .command }

    /// The lane of an event or alarm: those of a trip, and the alarms of a vehicle, are numbered without gaps.
    ///
    /// - Returns: `nil` for what has no number: its order does not matter.
    static func lane(of row: EventRow) -> String? {
        guard row.sequence != nil, let vehicleID = row.vehicleID else { return nil }
        switch row.home {
        case .trips: return "trip \(vehicleID)/\(row.tripID ?? "")"
        case .alarms: return "alarms \(vehicleID)"
        }
    }

    /// Its kind, as metrics count it.
    var kind: String {
        switch content {
        case .event(_, home: .trips): "event"
        case .event(_, home: .alarms): "alarm"
        case .route: "route"
        case .proposal: "proposal"
        case .definition: "definition"
        case .progress: "progress"
        case .command: "command"
        }
    }

    /// Its topic's name for access lists: the levels behind the vehicle or place.
    var pattern: String {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        return levels.suffix(isRetained ? 1 : 2).joined(separator: "/")
    }
}

extension Publication.Subject {
    /// One of its topics, by what follows its id.
    func topic(_ name: String, root: String) -> String {
        switch self {
        case .vehicle(let id): "\(root)/\(id)/\(name)"
        case .place(let id): "\(root)-place/\(id)/\(name)"
        }
    }

    /// The vehicle; `nil` for a place.
    package var vehicleID: String? {
        guard case .vehicle(let id) = self else { return nil }
        return id
    }
}
