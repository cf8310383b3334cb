import Synchronization
import Telemetry
import Tracking
import Watching

/// What other threads may ask of a running worker.
package final class WorkerView: Sendable {
    let shared: WorkerState
    private let clock: SystemClock
    private let configuration: Configuration

    init(shared: WorkerState, clock: SystemClock, configuration: Configuration) {
        self.shared = shared
        self.clock = clock
        self.configuration = configuration
    }

    /// The newest progress of all vehicles, a GeoJSON FeatureCollection.
    package func vehicles() -> [UInt8] {
        let collection = shared.queries.answer(waking: shared.tracking) { $0.featureCollection() }
        return collection ?? Array("{\"type\":\"FeatureCollection\",\"features\":[]}".utf8)
    }

    /// The route of the vehicle's trip, as GeoJSON; `nil` when it has none.
    package func route(vehicleID: String) -> [UInt8]? {
        drawing(of: vehicleID) { $0.routePayload(of: $1) }
    }

    /// The better route that the vehicle is offered, as GeoJSON; `nil` when there is none.
    package func proposal(vehicleID: String) -> [UInt8]? {
        drawing(of: vehicleID) { $0.proposalPayload(of: $1) }
    }

    private func drawing(
        of vehicleID: String, _ payload: @escaping @Sendable (Fleet, Vehicle) -> [UInt8]
    ) -> [UInt8]? {
        shared.queries.answer(waking: shared.tracking) { fleet in
            fleet.vehicles[vehicleID].flatMap { vehicle in
                let payload = payload(fleet, vehicle)
                return payload.isEmpty ? nil : payload
            }
        }
    }

    /// Publishes a command for a vehicle or place.
    ///
    /// - Parameter body: A JSON object, or nothing.
    /// - Returns: Whether there is room for it on its way to the broker.
    package func send(command: String, to subject: Publication.Subject, body: [UInt8]) -> Bool {
        guard shared.metrics.withLock({ $0.isPublisherConnected }), !shared.outgoing.isFull else {
            return false
        }
        shared.outgoing.append([
            Publication(
                .command, of: subject,
                topic: subject.topic("command/\(command)", root: configuration.topicRoot),
                payload: body,
                position: shared.trackedPosition ?? 0, receivedAt: clock.now.microseconds)
        ])
        return true
    }

    /// The metrics in Prometheus' text format.
    package func metrics() -> [UInt8] {
        let metrics = shared.metrics.withLock { $0 }
        var gauges = WorkerGauges()
        let counts = shared.queries.answer(waking: shared.tracking) { fleet in
            [fleet.vehicles.count, fleet.activeTrips, fleet.heldTrips]
        }
        if let counts, counts.count == 3 {
            (gauges.vehicles, gauges.trips, gauges.held) = (counts[0], counts[1], counts[2])
        }
        gauges.trackingBacklog = shared.trackingBacklog
        gauges.databaseBacklog = shared.tail.end - shared.savedPosition
        gauges.spoolLimit = configuration.spool.maxBytes
        gauges.clockDifference = metrics.clockDifference(clock)
        if let oldest = metrics.oldestUnsaved {
            gauges.oldestUnsavedAge = max(Double(clock.now.microseconds - oldest) / 1e6, 0)
        }
        return metrics.text(gauges)
    }

    /// Both connections have to stand.
    private func broker(
        _ metrics: WorkerMetrics
    ) -> (part: String, isReady: Bool, detail: String) {
        let detail =
            switch (metrics.isSubscribed, metrics.isPublisherConnected) {
            case (true, true): "subscribed"
            case (true, false): "subscribed, but the publishing connection is down"
            case (false, true): "not subscribed"
            case (false, false): "not connected"
            }
        return ("broker", metrics.isSubscribed && metrics.isPublisherConnected, detail)
    }

    /// Which parts are ready, each with a word on why not.
    package func readiness() -> [(part: String, isReady: Bool, detail: String)] {
        let metrics = shared.metrics.withLock { $0 }
        let backlog = shared.tail.end - shared.savedPosition
        let isDatabaseFine =
            metrics.isDatabaseConnected
            || metrics.spoolBytes < Int64(configuration.spool.maxBytes) / 2
        return [
            broker(metrics),
            (
                "publishing", metrics.refusal == nil,
                metrics.refusal.map { "\($0); \(metrics.refusedBacklog) messages wait" }
                    ?? "\(metrics.publishBacklog) messages on their way"
            ),
            (
                "database", isDatabaseFine && shared.isTracking,
                metrics.isDatabaseConnected
                    ? "connected"
                    : "\(metrics.databaseTrouble ?? "is away"); \(backlog) entries wait in the spool"
            ),
            (
                "spool", metrics.spoolError == nil,
                metrics.spoolError ?? "\(metrics.spoolBytes) bytes"
            ),
            ("clock", !metrics.isClockSuspected, words(of: metrics)),
        ]
    }

    /// What is to be said of this machine's clock.
    private func words(of metrics: WorkerMetrics) -> String {
        if metrics.isClockSuspected {
            return "all positions are refused for their time: set this machine's clock"
        }
        guard let ahead = metrics.clockDifference(clock), abs(ahead) > WorkerMetrics.tolerance
        else { return "set" }
        let seconds = Int(abs(ahead).rounded())
        return "\(seconds) s \(ahead > 0 ? "ahead of" : "behind") the database's: set one of them"
    }
}

extension WorkerView {
    /// How the worker is, in a few words.
    var summary: String {
        let trouble = readiness().filter { !$0.isReady }
        guard !trouble.isEmpty else { return "online" }
        let parts = trouble.map { "\($0.part): \(Self.withoutNumbers($0))" }
        return "not ready: " + parts.joined(separator: "; ")
    }

    /// What is wrong with a part; counts would make each look another text.
    private static func withoutNumbers(
        _ part: (part: String, isReady: Bool, detail: String)
    ) -> String {
        String(part.detail.prefix { $0 != ";" })
    }
}

extension Fleet {
    /// All vehicles with what is known of where they are.
    func featureCollection() -> [UInt8] {
        var collection = JSONWriter(capacity: 512 * vehicles.count + 64)
        collection.object { json in
            json.member("type", "FeatureCollection")
            json.key("features")
            json.array { json in
                for vehicle in vehicles.values {
                    guard let progress = vehicle.progress() else { continue }
                    json.object { json in
                        json.member("type", "Feature")
                        json.key("geometry")
                        if let place = progress.location ?? progress.reported {
                            json.object { json in
                                json.member("type", "Point")
                                json.key("coordinates")
                                json.position(place)
                            }
                        } else {
                            json.null()
                        }
                        json.key("properties")
                        ProgressEncoder.encode(
                            progress, watch: vehicle.watch.summary(in: book.surroundings),
                            tripID: vehicle.tripInView, vehicleID: vehicle.id, into: &json
                        )
                    }
                }
            }
        }
        return collection.bytes
    }
}
