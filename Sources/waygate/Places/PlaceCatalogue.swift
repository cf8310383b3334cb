import Telemetry
import Watching
import Worker

/// The places in force, as their retained definitions tell.
struct PlaceCatalogue {
    /// One of them.
    struct Item {
        /// Its id.
        let id: String
        /// Its definition, as it is published.
        let definition: [UInt8]
        /// What the definition says; `nil` where this version cannot read it.
        let place: Place?
    }

    /// How long the broker must have been silent, in seconds, for its retained messages to be over.
    private static let silence = 0.5
    private static let longestWait = 60.0

    /// All of them, by id.
    let items: [Item]

    /// Reads the definitions that the broker keeps.
    ///
    /// - Parameter id: Only this place.
    /// - Throws: ``CommandFailure`` where the broker is not there or says no.
    init(_ configuration: Configuration, id: String? = nil) throws {
        let root = "\(configuration.topicRoot)-place/"
        let session = try BrokerSession(configuration, filters: ["\(root)\(id ?? "+")/definition"])
        let limits = configuration.placeLimits
        var items: [String: Item] = [:]
        let end = ContinuousClock.now + .seconds(Self.longestWait)
        var last = ContinuousClock.now
        while last + .seconds(Self.silence) > .now, ContinuousClock.now < end {
            for message in try session.turn(timeout: 50) {
                last = .now
                let id = String(message.topic.dropFirst(root.utf8.count).prefix { $0 != "/" })
                guard !message.payload.isEmpty else {
                    items[id] = nil
                    continue
                }
                items[id] = Item(
                    id: id, definition: message.payload,
                    place: try? PlaceReader.place(
                        ofDefinition: message.payload, id: id, limits: limits))
            }
            if id != nil, !items.isEmpty { break }
        }
        self.items = items.values.sorted { $0.id < $1.id }
    }

    /// Those of a category, or of one below it; all for `nil`.
    func items(in category: String?) -> [Item] {
        guard let category else { return items }
        return items.filter { item in
            let own = item.place?.content.category
            return own == category || own?.hasPrefix("\(category)/") == true
        }
    }
}

extension Configuration {
    /// What the worker allows of a place.
    var placeLimits: PlaceLimits {
        var limits = PlaceLimits(isZone: SystemZone.exists)
        limits.maxVertices = self.limits.maxPlaceVertices
        return limits
    }
}
