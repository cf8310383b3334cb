import Tracking

/// The approaches that were told in a straight line, and not left behind yet: rules L3 and L4.
struct Approaches: Equatable, Sendable {
    /// An approach that was told.
    struct Item: Equatable, Sendable {
        /// The place's number.
        let number: Int32
        /// Whether the place was passed since.
        var isPassed = false
        /// Whether the vehicle was so near that it can have passed a point.
        var wasNear: Bool
        /// So near it had to be, in metres.
        let reach: Double
        /// The least distance since, in metres.
        var least: Double
        /// When that was.
        var leastAt: Timestamp
    }

    var items: [Item] = []

    init(_ items: [Item] = []) { self.items = items }

    func contains(_ number: Int32) -> Bool { items.contains { $0.number == number } }

    mutating func remove(_ number: Int32) { items.removeAll { $0.number == number } }
}
