public import Geometry
public import Tracking

/// A named area that may tell who comes and goes, carry a speed limit, be approached, or close a road.
public struct Place: Sendable, Equatable {
    /// Its id, of the form of a vehicle's.
    public let id: String
    /// Number of its content: 1, 2, 3 …, one more with each change.
    public var revision: Int
    /// When its content was put.
    public var putAt: Timestamp
    /// What was put.
    public var content: PlaceContent

    /// Creates a place.
    public init(id: String, revision: Int, putAt: Timestamp, content: PlaceContent) {
        self.id = id
        self.revision = revision
        self.putAt = putAt
        self.content = content
    }

    /// Its name, which is its id where it has no other.
    public var name: String { content.name ?? id }
}

/// What a `put` says of a place.
///
/// Two contents are equal where a `put` of one changes nothing about the other.
public struct PlaceContent: Sendable, Equatable {
    /// Its shape.
    public var area: Area
    /// Its name, up to 256 bytes; `nil` for its id.
    public var name: String?
    /// Its category, levels divided by `/`.
    public var category: String?
    /// Its floor; `nil` for any.
    public var level: Level?
    /// Which alarms are told.
    public var tells: PlaceAlarmSet
    /// What people see of it; `nil` where nothing is said.
    public var profile: PlaceProfile?
    @Seldom private var seldomTerms: PlaceTerms?

    /// Creates a content with the defaults: enters and exits of all vehicles are told, or passes where there is no inside.
    public init(area: Area) {
        self.area = area
        tells = area.hasInside ? [.enter, .exit] : [.pass]
    }

    /// What else the rules need to know of it; kept apart, since most places leave it at the defaults.
    public var terms: PlaceTerms {
        get { seldomTerms ?? PlaceTerms() }
        set { seldomTerms = newValue == PlaceTerms() ? nil : newValue }
    }
}

/// For whom and when a place counts, and how.
///
/// Distances are metres, times seconds, speeds metres per second.
public struct PlaceTerms: Sendable, Equatable {
    /// The vehicles that it is meant for; `nil` for all.
    public var vehicles: VehicleNames?
    /// When its alarms are told; `nil` for always.
    public var hours: ActiveHours?
    /// How long a vehicle must be inside to have dwelled, 10 to 604,800; `nil` for never.
    public var dwell: Double?
    /// How long a change must last before it is told, 0 to 3,600; `nil` for the setting.
    public var confirmation: Double?
    /// How far beyond the boundary a vehicle has left, 0 to 1,000; `nil` for the setting.
    public var exitMargin: Double?
    /// The speed limit inside, above 0, at most 100; `nil` for none.
    public var speedLimit: Double?
    /// When it is told that a vehicle comes near; `nil` for never.
    public var approach: ApproachTerms?
    /// What it closes; `nil` where it closes no road.
    public var roadblock: Roadblock?

    /// Creates the defaults.
    public init() {}
}

/// Kinds of alarms that a place tells.
public struct PlaceAlarmSet: OptionSet, Hashable, Sendable {
    /// A bit for each kind.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `place_entered`.
    public static let enter = PlaceAlarmSet(rawValue: 1)
    /// `place_exited`.
    public static let exit = PlaceAlarmSet(rawValue: 2)
    /// `place_passed`.
    public static let pass = PlaceAlarmSet(rawValue: 4)
    /// `place_dwelled`.
    public static let dwell = PlaceAlarmSet(rawValue: 8)
}

/// When it is told that a vehicle comes near a place; one of distance and seconds at the least.
public struct ApproachTerms: Hashable, Sendable {
    /// How near it must be, 10 to 100,000 metres.
    public var distance: Double?
    /// How soon it must be there, 5 to 7,200 seconds.
    public var seconds: Double?
    /// Whether, on a trip, the way along the route counts rather than the straight one.
    public var isOnRoute: Bool

    /// Creates terms.
    public init(distance: Double?, seconds: Double?, isOnRoute: Bool = true) {
        self.distance = distance
        self.seconds = seconds
        self.isOnRoute = isOnRoute
    }
}

/// How a place closes roads.
public struct Roadblock: Hashable, Sendable {
    /// When it begins; `nil` for at once.
    public var since: Timestamp?
    /// When it is over; `nil` for never.
    public var until: Timestamp?
    /// The routing profiles that it holds for; `nil` for all.
    public var profiles: [String]?

    /// Creates a roadblock.
    public init(since: Timestamp? = nil, until: Timestamp? = nil, profiles: [String]? = nil) {
        self.since = since
        self.until = until
        self.profiles = profiles
    }
}
