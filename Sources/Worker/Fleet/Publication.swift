package import Store

/// A message for the broker, as the tracking stage hands it to the publishing stage.
package struct Publication: Sendable {
    /// Whom it is about.
    package enum Subject: Equatable, Sendable {
        case vehicle(String)
        case place(String)
    }

    /// What it is, and with that how it is sent.
    package enum Content: Equatable, Sendable {
        /// An event or alarm, with its id and the table that has its row: QoS 1.
        case event(id: String, home: EventHome)
        /// A trip's route: QoS 1, retained.
        case route
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

    package init(
        _ content: Content, of subject: Subject, topic: String, payload: [UInt8], position: Int64,
        receivedAt: Int64
    ) {
        self.content = content
        self.subject = subject
        self.topic = topic
        self.payload = payload
        self.position = position
        self.receivedAt = receivedAt
    }
}

extension Publication.Subject {
    /// The vehicle; `nil` for a place.
    package var vehicleID: String? {
        guard case .vehicle(let id) = self else { return nil }
        return id
    }
}
