import Geometry
import Tracking
import Watching

/// The roadblocks: which of them are in force, and when the next one begins or ends.
struct Roadblocks {
    /// A roadblock in force.
    private struct Closed {
        var road: ClosedRoad
        /// The place that closes the road, as it was when that was told.
        var place: Place
        var since: Timestamp
    }

    /// What following a place did.
    enum Change {
        /// The road is closed from now on.
        case closed(Place)
        /// The road is open from now on.
        case opened(Place)
        /// Another road than before is closed, or for others.
        case moved
    }

    private var active: [String: Closed] = [:]
    /// When roadblocks that are not in force begin, and those in force end.
    private var changes: [String: Timestamp] = [:]
    /// All places that have roadblocks, over or not.
    private var ids: Set<String> = []

    /// The roads that are closed, in the order of their places' ids.
    var closed: [ClosedRoad] {
        active.sorted { $0.key < $1.key }.map(\.value.road)
    }

    /// When the next roadblock begins or ends; `nil` where none will.
    var nextChange: Timestamp? { changes.values.min() }

    /// Since when a place closes roads; `nil` where it does not.
    func closedSince(_ id: String) -> Timestamp? { active[id]?.since }

    /// The places whose roadblocks begin or end at a moment, or did before it, in the order of their ids.
    func due(at time: Timestamp) -> [String] {
        changes.filter { $0.value <= time }.keys.sorted()
    }

    /// All places that have roadblocks, over or not, in the order of their ids.
    var places: [String] { ids.sorted() }

    /// Follows a place that was put, or is no more (`nil`), and the time.
    ///
    /// - Returns: What that did; `nil` where trips and people need to know of nothing.
    mutating func follow(_ id: String, _ place: Place?, at time: Timestamp) -> Change? {
        changes[id] = place.flatMap { Self.nextChange(of: $0, after: time) }
        if place?.content.terms.roadblock == nil { ids.remove(id) } else { ids.insert(id) }
        guard let place, let road = Self.road(of: place, at: time) else {
            guard let former = active.removeValue(forKey: id) else { return nil }
            return .opened(place ?? former.place)
        }
        guard let former = active[id] else {
            active[id] = Closed(road: road, place: place, since: time)
            return .closed(place)
        }
        active[id] = Closed(road: road, place: place, since: former.since)
        let isSame =
            former.road.closure == road.closure && former.road.profiles == road.profiles
        return isSame ? nil : .moved
    }

    /// Takes a place as the tables have it.
    ///
    /// - Parameter since: Since when it closes roads; `nil` where it does not.
    mutating func restore(_ place: Place, closedSince since: Timestamp?) {
        guard place.content.terms.roadblock != nil else { return }
        ids.insert(place.id)
        changes[place.id] = Self.nextChange(of: place, after: since)
        guard let since, let road = Self.road(of: place) else { return }
        active[place.id] = Closed(road: road, place: place, since: since)
    }

    /// When a place's roadblock ends, or begins.
    ///
    /// - Parameter time: What has begun by then has begun; `nil` where nothing is known to have.
    private static func nextChange(of place: Place, after time: Timestamp?) -> Timestamp? {
        guard let roadblock = place.content.terms.roadblock else { return nil }
        let since = roadblock.since ?? place.putAt
        if let time, time >= since {
            return roadblock.until.flatMap { $0 > time ? $0 : nil }
        }
        return since
    }

    private static func road(of place: Place, at time: Timestamp) -> ClosedRoad? {
        guard let roadblock = place.content.terms.roadblock, time >= roadblock.since ?? time,
            roadblock.until.map({ time < $0 }) ?? true
        else { return nil }
        return road(of: place)
    }

    private static func road(of place: Place) -> ClosedRoad? {
        guard let roadblock = place.content.terms.roadblock,
            let closure = RoadClosure(place.content.area)
        else { return nil }
        let content = place.content
        return ClosedRoad(
            place: PlaceLabel(
                id: place.id, name: place.name, category: content.category, level: content.level,
                revision: place.revision),
            closure: closure,
            profiles: roadblock.profiles?.compactMap(TripOptions.Profile.init))
    }
}
