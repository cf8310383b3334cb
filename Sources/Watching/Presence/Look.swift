import Geometry
import Tracking

/// A fix with all that the rules look at it with.
struct Look {
    let step: Step
    let vehicleID: String
    let settings: WatchSettings
    let places: PlacesInForce
    /// The fix's place.
    let viewpoint: Viewpoint
    /// The way to it, where it is known.
    let way: WayDriven?
    /// As reported, where it can be believed, in metres per second.
    let speed: Double?

    init(_ step: Step, speed: Double?, vehicleID: String, _ surroundings: Surroundings) {
        self.step = step
        self.speed = speed
        self.vehicleID = vehicleID
        settings = surroundings.settings
        places = surroundings.places
        viewpoint = Viewpoint(step.now.coordinate)
        way = WayDriven(step, surroundings.settings)
    }

    var now: Whereabouts { step.now }
    var time: Timestamp { step.now.time }

    /// Metres from the fix before to a place's boundary; `nil` where there is none.
    func distanceBefore(_ place: PlaceInForce) -> Double? {
        step.before.map { place.area.distance(from: $0.coordinate) }
    }
}

/// How far a vehicle may move and how long it may wait until anything can change.
struct Quiet {
    /// Metres; 0 or less where the next fix has to be looked at.
    private(set) var radius: Double
    /// In the vehicle's own time.
    private(set) var until = Timestamp(microseconds: .max)
    /// Up to this reported speed, in metres per second.
    private(set) var topSpeed = Double.infinity

    init(radius: Double) { self.radius = radius }

    mutating func limit(to radius: Double) { self.radius = min(self.radius, radius) }
    mutating func limit(to time: Timestamp?) { until = min(until, time ?? until) }
    mutating func limit(toSpeed speed: Double) { topSpeed = min(topSpeed, speed) }

    /// The next fix has to be looked at.
    mutating func end() { radius = 0 }
}
