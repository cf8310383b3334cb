import Geometry

/// Decides whether a fix may be judged: rule 2.
struct UsabilityFilter: Equatable, Sendable {
    /// A place and when the vehicle was there.
    struct Whereabouts: Equatable, Sendable {
        var coordinate: Coordinate
        var time: Timestamp

        init(_ fix: Fix) {
            coordinate = fix.coordinate
            time = fix.time
        }

        init(coordinate: Coordinate, time: Timestamp) {
            self.coordinate = coordinate
            self.time = time
        }

        /// Whether `fix`, which must be later, can be reached from here at no more than `speed`.
        func reaches(_ fix: Fix, at speed: Double) -> Bool {
            let elapsed = fix.time.elapsed(since: time)
            return elapsed > 0 && coordinate.distance(to: fix.coordinate) <= speed * elapsed
        }
    }

    /// The spike that a second one would confirm.
    @Seldom private(set) var spike: Whereabouts? = nil

    init() {}

    init(spike: Whereabouts?) {
        self.spike = spike
    }

    /// Judges a fix and remembers a spike; `nil` when it is usable.
    ///
    /// - Parameter newest: The last usable fix: what is not after it is history. An unusable one's time counts for
    ///   nothing, or a device that mixes two clocks would be deaf to the better one.
    mutating func objection(
        to fix: Fix, after newest: Fix?, received: Timestamp, assigned: Timestamp,
        options: TripOptions
    ) -> HistoryReason? {
        guard fix.coordinate.isValid, !fix.coordinate.isNullIsland else {
            return .invalidCoordinate
        }
        if fix.time.elapsed(since: received) > options.maxFutureSkew { return .inFuture }
        if let newest, fix.time <= newest.time { return .notNewer }
        if assigned.elapsed(since: fix.time) > options.maxAgeAtAssignment {
            return .beforeAssignment
        }
        if let accuracy = fix.accuracy, accuracy < 0 || accuracy > options.maxAccuracy {
            return .inaccurate
        }
        if isSpike(fix, after: newest, options.maxSpeed) {
            // One that comes late, or again, says nothing of where the vehicle has been since.
            if spike.map({ fix.time > $0.time }) ?? true { spike = Whereabouts(fix) }
            return .spike
        }
        spike = nil
        return nil
    }

    /// Whether the fix is out of reach, and no spike just before it says that the vehicle is there.
    private func isSpike(_ fix: Fix, after newest: Fix?, _ maxSpeed: Double) -> Bool {
        guard let newest, !Whereabouts(newest).reaches(fix, at: maxSpeed) else { return false }
        guard let spike else { return true }
        return !spike.reaches(fix, at: maxSpeed)
    }
}

extension Coordinate {
    /// Whether it is what a device sends that has no fix.
    package var isNullIsland: Bool { abs(latitude) < 1e-4 && abs(longitude) < 1e-4 }
}
