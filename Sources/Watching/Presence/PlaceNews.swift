import Tracking

/// What became true between a vehicle and places by one input, by kind.
struct PlaceNews {
    /// One such thing: what is told, and what is written.
    struct Item {
        let place: PlaceInForce
        let kind: Alarm.Kind
        /// Whether it is told, or only written.
        let isTold: Bool
        let basis: Alarm.Basis
        var change: RowChange?
    }

    var exits: [Item] = []
    var passes: [(time: Timestamp, item: Item)] = []
    var entries: [Item] = []
    var dwells: [Item] = []
    var approaches: [Item] = []

    /// All of it in the order in which it is told.
    func inOrder() -> [Item] {
        let passes = passes.sorted { ($0.time, $0.item.place.id) < ($1.time, $1.item.place.id) }
        return exits.sorted { $0.place.isSmaller(than: $1.place) } + passes.map(\.item)
            + entries.sorted { $0.place.isLarger(than: $1.place) }
            + dwells.sorted { $0.place.id < $1.place.id }
            + approaches.sorted { $0.place.id < $1.place.id }
    }

    var isEmpty: Bool {
        exits.isEmpty && passes.isEmpty && entries.isEmpty && dwells.isEmpty && approaches.isEmpty
    }
}
