import Geometry
import Tracking

/// The places in force, found by where they are and by their ids.
///
/// A place keeps its number, by which watches know it, until it is deleted.
public struct PlacesInForce: Sendable {
    /// The places by their numbers.
    private(set) var places: [PlaceInForce?] = []
    /// The numbers by ids.
    private var numbers: [String: Int32] = [:]
    /// Numbers that may be given again.
    private var free: [Int32] = []
    private var index = AreaIndex()
    /// Counts the changes, so that what was found before one is not believed after it.
    private(set) var version: UInt32 = 0
    /// The same for the places with an approach alone.
    private(set) var approachVersion: UInt32 = 0
    /// How many places have an approach.
    private(set) var approachCount = 0
    private let zones: @Sendable (String) -> (any ZoneRules)?

    /// Creates a collection without places.
    ///
    /// - Parameter zones: Returns the rules of an IANA zone; `nil` for one that is not known.
    public init(zones: @escaping @Sendable (String) -> (any ZoneRules)? = { _ in nil }) {
        self.zones = zones
    }

    /// How many places there are.
    public var count: Int { numbers.count }

    /// The place of a number; `nil` where there is none.
    @inline(__always)
    subscript(number: Int32) -> PlaceInForce? { places[Int(number)] }

    /// The number of a place; `nil` where it is not in force.
    func number(of id: String) -> Int32? { numbers[id] }

    /// The place of an id; `nil` where it is not in force.
    public func place(_ id: String) -> Place? {
        numbers[id].flatMap { places[Int($0)]?.place }
    }

    /// Puts a place in force, or changes it, and returns what each watch is to be told.
    @discardableResult
    public mutating func put(_ place: Place) -> PlaceChange {
        let number = numbers[place.id] ?? newNumber()
        let zone = place.content.terms.hours?.zone.flatMap(zones)
        let new = PlaceInForce(place, zone: zone)
        let old = replace(number, by: new)
        numbers[place.id] = number
        index.put(number, Self.reach(of: new))
        return PlaceChange(id: place.id, isJudged: old.map { $0.isElsewhere(than: new) } ?? true)
    }

    /// Takes a place out of force; nothing happens where it is not.
    public mutating func remove(_ id: String) {
        guard let number = numbers.removeValue(forKey: id) else { return }
        replace(number, by: nil)
        free.append(number)
        index.remove(number)
    }

    @discardableResult
    private mutating func replace(_ number: Int32, by new: PlaceInForce?) -> PlaceInForce? {
        let old = places[Int(number)]
        version &+= 1
        let approaches = (old?.place.content.terms.approach, new?.place.content.terms.approach)
        if approaches.0 != nil || approaches.1 != nil { approachVersion &+= 1 }
        if approaches.0 != nil { approachCount -= 1 }
        if approaches.1 != nil { approachCount += 1 }
        places[Int(number)] = new
        return old
    }

    /// Calls a closure with the numbers of all places that can concern a vehicle within some metres of a viewpoint.
    ///
    /// - Returns: A distance in metres within which no other place is.
    @inline(__always)
    func forEachPlace(
        within radius: Double, of viewpoint: Viewpoint, _ body: (Int32) -> Void
    ) -> Double {
        index.forEachArea(within: radius, of: viewpoint, body)
    }

    /// Calls a closure with the numbers of all places that a straight way may meet.
    func forEachPlace(along way: Way, _ body: (Int32) -> Void) {
        index.forEachArea(within: 0, of: way, body)
    }

    /// Returns the numbers of all places that a route may come to.
    func places(along line: RouteLine, within radius: Double) -> [Int32] {
        index.areas(within: radius, of: line)
    }

    private mutating func newNumber() -> Int32 {
        if let number = free.popLast() { return number }
        places.append(nil)
        return Int32(places.count - 1)
    }

    /// The fastest that a vehicle is taken to be when it looks ahead in time, in metres per second.
    static let topSpeed = 70.0

    /// The box in which a place can concern a vehicle.
    private static func reach(of place: PlaceInForce) -> CoordinateBox {
        guard let approach = place.place.content.terms.approach else { return place.box }
        return place.box.expanded(by: approach.reach(at: topSpeed))
    }
}

/// What watches are told of a place that was put.
public struct PlaceChange: Equatable, Sendable {
    /// The place.
    public let id: String
    /// Whether it is new, or where and for whom it is has changed, so that each vehicle is judged at once: rule W8.
    public let isJudged: Bool
}

extension PlaceInForce {
    /// Whether vehicles have to be judged anew where it becomes another one.
    fileprivate func isElsewhere(than new: PlaceInForce) -> Bool {
        let isSameLevel =
            switch (level, new.level) {
            case (nil, nil): true
            case (let old?, let new?): old.isSame(as: new)
            case (nil, _?), (_?, nil): false
            }
        return !isSameLevel || area != new.area
            || place.content.terms.vehicles != new.place.content.terms.vehicles
    }
}
