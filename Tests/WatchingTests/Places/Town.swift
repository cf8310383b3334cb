import Geometry
import Tracking
import Watching

/// Places of all kinds around a centre, made from a seed, and what happens to a vehicle among them.
struct Town: Sendable {
    /// Something that happens.
    enum Event: Sendable {
        /// A fix, received so many seconds after its time.
        case fix(Fix, delay: Double)
        case put(Place)
        case delete(String)
        case clock
    }

    /// An event and when it is received.
    struct Moment: Sendable {
        var event: Event
        var receivedAt: Timestamp
    }

    static let vehicleID = "van-1"

    private let center: Coordinate
    private var random: SplitMix
    private(set) var settings = WatchSettings()
    private(set) var places: [Place] = []
    private(set) var moments: [Moment] = []

    /// Builds a town and drives through it.
    ///
    /// - Parameter longitude: Where the centre is; whole degrees, so that towns differ in nothing else.
    init(seed: UInt64, longitude: Double = 16, latitude: Double = 48, fixes: Int = 120) {
        random = SplitMix(seed)
        center = Coordinate(latitude: latitude, longitude: longitude)
        settings.silence = 600
        if Bool.random(using: &random) { settings.confirmation = 0 }
        settings.exitMargin = [0, 20, 60].randomElement(using: &random) ?? 20
        places = (0..<12).map { place("p\($0)", revision: 1, at: Timestamp(seconds: -1e6)) }
        drive(fixes)
    }

    /// Returns the coordinate so many millionths of a degree from the centre.
    private func point(_ east: Int, _ north: Int) -> Coordinate {
        var longitude = center.longitude + Double(east) / 1e6
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return Coordinate(latitude: center.latitude + Double(north) / 1e6, longitude: longitude)
    }

    private mutating func offset(_ most: Int) -> Int {
        Int.random(in: -most...most, using: &random)
    }

    private mutating func area() -> Area? {
        let (east, north) = (offset(9000), offset(6000))
        let size = Int.random(in: 300...4000, using: &random)
        let shape: Area.Shape =
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: .circle(center: point(east, north), radius: Double(size) / 20)
            case 2: .polygon([[ring(east, north, size)], [ring(east + size, north, size / 2)]])
            case 3: .polygon([[ring(east, north, size), ring(east, north, size / 3)]])
            case 4:
                .line(
                    [point(east, north), point(east + size, north + size / 2)],
                    width: [0, 15, 60].randomElement(using: &random) ?? 0)
            default: .point(point(east, north))
            }
        return try? Area(shape)
    }

    private func ring(_ east: Int, _ north: Int, _ size: Int) -> [Coordinate] {
        [(-1, -1), (1, -1), (1, 1), (-1, 1)].map { point(east + $0.0 * size, north + $0.1 * size) }
    }

    private mutating func place(_ id: String, revision: Int, at time: Timestamp) -> Place {
        guard let area = area() else { return place(id, revision: revision, at: time) }
        var content = PlaceContent(area: area)
        var terms = PlaceTerms()
        if area.hasInside {
            content.tells = [.enter, .exit, .pass, .dwell]
            terms.dwell = [nil, 60, 300].randomElement(using: &random) ?? nil
            terms.confirmation = [nil, nil, 0, 30].randomElement(using: &random) ?? nil
            terms.speedLimit = [nil, 10].randomElement(using: &random) ?? nil
            if Int.random(in: 0..<4, using: &random) == 0 { content.level = .number(1) }
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            terms.approach = ApproachTerms(
                distance: 300, seconds: [nil, 20].randomElement(using: &random) ?? nil)
        }
        if Int.random(in: 0..<6, using: &random) == 0 {
            terms.vehicles = VehicleNames([Bool.random(using: &random) ? "van-*" : "truck-*"])
        }
        content.terms = terms
        return Place(id: id, revision: revision, putAt: time, content: content)
    }

    private mutating func drive(_ fixes: Int) {
        var (time, east, north) = (0, offset(6000), offset(4000))
        var speed = (east: offset(200), north: offset(150))
        var revision = 1
        while moments.count < fixes {
            let longest = [5, 30, 200].randomElement(using: &random) ?? 5
            let step = Int.random(in: 1...longest, using: &random)
            time += step
            if Int.random(in: 0..<6, using: &random) == 0 {
                speed = Bool.random(using: &random) ? (0, 0) : (offset(200), offset(150))
            }
            east += speed.east * min(step, 30) + offset(60)
            north += speed.north * min(step, 30) + offset(60)
            // The town has an end.
            if abs(east) > 9000 || abs(north) > 7000 {
                (east, north) = (offset(3000), offset(3000))
            }
            let delay = Double(Int.random(in: 0..<8, using: &random) == 0 ? 20 : 0)
            add(.fix(fix(time, east, north), delay: delay), at: Double(time) + delay)
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                revision += 1
                let id = "p\(Int.random(in: 0..<14, using: &random))"
                let now = Timestamp(seconds: Double(time) + delay + 0.5)
                add(.put(place(id, revision: revision, at: now)), at: now.seconds)
            case 1:
                let id = "p\(Int.random(in: 0..<14, using: &random))"
                add(.delete(id), at: Double(time) + delay + 0.5)
            case 2: add(.clock, at: Double(time) + delay + 0.7)
            default: break
            }
        }
    }

    private mutating func add(_ event: Event, at seconds: Double) {
        let last = moments.last?.receivedAt ?? Timestamp(seconds: 0)
        moments.append(
            Moment(event: event, receivedAt: max(last, Timestamp(seconds: seconds))))
    }

    private mutating func fix(_ time: Int, _ east: Int, _ north: Int) -> Fix {
        let accuracy = [nil, 5, 30, 150].randomElement(using: &random) ?? nil
        return Fix(
            time: Timestamp(seconds: Double(time)), coordinate: point(east, north),
            accuracy: accuracy.map(Double.init),
            speed: Bool.random(using: &random) ? Double.random(in: 0...20, using: &random) : nil,
            level: [nil, .number(1), .text("1"), .number(2)].randomElement(using: &random) ?? nil)
    }
}
