import Tracking

/// Names that vehicles have used, and when: each is known for a time and then free again.
///
/// Vehicle and name are hashed to save memory.
struct RecentKeys {
    /// For how many seconds a name is known.
    var span: Double
    private var usedAt: [Int: Timestamp] = [:]
    /// With how many names it is time to look for those that can be forgotten.
    private var limit = 4096

    init(span: Double) {
        self.span = span
    }

    /// Notes that a vehicle uses a name.
    mutating func note(_ vehicleID: String, _ name: String, at time: Timestamp) {
        usedAt[Self.key(vehicleID, name)] = time
        guard usedAt.count > limit else { return }
        // Later than it must be, so that times that lie a little apart decide nothing.
        usedAt = usedAt.filter { time.elapsed(since: $0.value) <= 2 * span }
        limit = max(4096, 2 * usedAt.count)
    }

    /// Tells whether the vehicle has used the name less than `span` before `now`.
    func holds(_ vehicleID: String, _ name: String, at now: Timestamp) -> Bool {
        guard let time = usedAt[Self.key(vehicleID, name)] else { return false }
        return now.elapsed(since: time) <= span
    }

    private static func key(_ vehicleID: String, _ name: String) -> Int {
        var hasher = Hasher()
        hasher.combine(vehicleID)
        hasher.combine(name)
        return hasher.finalize()
    }
}
