import Tracking

/// The places that a vehicle is in, or about to be, by their numbers.
struct Presences: Equatable, Sendable {
    /// A vehicle is in no more places at once: rule W14.
    static let most = 64

    private(set) var items: [Presence] = []

    init() {}

    init(_ items: [Presence]) { self.items = items.sorted { $0.number < $1.number } }

    var isEmpty: Bool { items.isEmpty }
    var count: Int { items.count }

    /// Whether there is no room for another place.
    var isFull: Bool { items.count >= Self.most }

    subscript(index: Int) -> Presence {
        get { items[index] }
        set { items[index] = newValue }
    }

    /// Returns the index of a place; `nil` where the vehicle is not in it.
    func index(of number: Int32) -> Int? {
        let index = insertionIndex(of: number)
        return index < items.count && items[index].number == number ? index : nil
    }

    mutating func insert(_ presence: Presence) {
        items.insert(presence, at: insertionIndex(of: presence.number))
    }

    mutating func remove(_ number: Int32) {
        if let index = index(of: number) { items.remove(at: index) }
    }

    mutating func removeAll(where isGone: (Presence) -> Bool) {
        items.removeAll(where: isGone)
    }

    /// Notes a way that was driven inside all of them, at a reported speed.
    mutating func drive(_ way: Double, speed: Double?) {
        for index in items.indices where items[index].isInside {
            items[index].distance += way
            if let speed { items[index].topSpeed = max(items[index].topSpeed, Float(speed)) }
        }
    }

    /// The smallest place that the vehicle is in and that fulfils a condition; `nil` for none.
    func smallestPlace(
        in places: PlacesInForce, where condition: (PlaceInForce) -> Bool = { _ in true }
    ) -> PlaceInForce? {
        var smallest: PlaceInForce?
        for presence in items where presence.isInside {
            guard let place = places[presence.number], condition(place) else { continue }
            if smallest.map({ place.isSmaller(than: $0) }) ?? true { smallest = place }
        }
        return smallest
    }

    private func insertionIndex(of number: Int32) -> Int {
        var low = 0
        var high = items.count
        while low < high {
            let middle = (low + high) / 2
            if items[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
