import Telemetry
import Tracking
import Watching

/// The places in force, and what is remembered of deleted ones.
struct PlaceBook {
    /// What all watches look at.
    private(set) var surroundings = Surroundings(
        places: PlacesInForce(zones: { SystemZone(named: $0) }))
    /// The newest revision of each place there ever was: one that is put again counts on.
    private var revisions: [String: Int] = [:]
    /// What of them closes roads.
    var roadblocks = Roadblocks()
    /// Ids of the places in force.
    private(set) var ids: Set<String> = []

    /// What a `put` did.
    enum Change {
        /// The content is the one in force.
        case none(Place)
        /// It is in force now.
        case put(Place, PlaceChange)
    }

    /// The settings of the watches.
    var settings: WatchSettings {
        get { surroundings.settings }
        set { surroundings.settings = newValue }
    }

    /// How many places are in force.
    var count: Int { ids.count }

    /// The place of an id; `nil` where it is not in force.
    func place(_ id: String) -> Place? { surroundings.places.place(id) }

    /// Puts a content in force.
    mutating func put(_ id: String, _ content: PlaceContent, at time: Timestamp) -> Change {
        if let place = place(id), place.content == content { return .none(place) }
        let revision = revisions[id, default: 0] + 1
        let place = Place(id: id, revision: revision, putAt: time, content: content)
        return .put(place, add(place))
    }

    /// Takes a place that is in force already.
    @discardableResult
    mutating func add(_ place: Place) -> PlaceChange {
        revisions[place.id] = place.revision
        ids.insert(place.id)
        return surroundings.places.put(place)
    }

    /// Takes a place out of force.
    mutating func remove(_ id: String) {
        ids.remove(id)
        surroundings.places.remove(id)
    }

    /// Remembers how often a place that is not in force was changed.
    mutating func remember(_ id: String, revision: Int) {
        revisions[id] = revision
    }
}
