import Geometry
import Recordings
import Testing
import Tracking
import Watching

extension Recording: CustomTestStringConvertible {
    /// Names the recording.
    public var testDescription: String { name }
}

/// Recorded drives with places around their halts, seen more and more seldom.
@Suite struct RealMovementTests {
    /// A stay in a place, in seconds.
    private struct Stay {
        var from: Double
        /// The last fix inside; `nil` where the recording ends there.
        var lastInside: Double
        var to: Double
    }

    /// The places where a recording stays within some metres for a while, no two near each other.
    private static func halts(of recording: Recording) -> [Coordinate] {
        var halts: [Coordinate] = []
        let points = recording.points
        var start = 0
        for index in points.indices {
            while points[start].coordinate.distance(to: points[index].coordinate) > 40 {
                start += 1
            }
            let place = points[start].coordinate
            if points[index].seconds - points[start].seconds >= 20,
                halts.allSatisfy({ $0.distance(to: place) > 400 })
            {
                halts.append(place)
            }
        }
        return halts
    }

    /// A circle or a polygon around each halt.
    private static func places(around halts: [Coordinate]) throws -> [Place] {
        try halts.enumerated().map { index, halt in
            let corners = [45.0, 100, 160, 225, 315].map {
                halt.destination(course: $0, distance: 90)
            }
            let shape: Area.Shape =
                index.isMultiple(of: 2)
                ? .circle(center: halt, radius: 80) : .polygon([[corners]])
            return Place(
                id: "halt-\(index)", revision: 1, putAt: Timestamp(seconds: -1),
                content: PlaceContent(area: try Area(shape)))
        }
    }

    /// The stays in each place, by the fixes of one sampling.
    private static func stays(
        _ fixes: [Recording.Point], in places: [Place]
    ) -> [String: [Stay]] {
        var surroundings = Surroundings()
        for place in places { surroundings.places.put(place) }
        var watch = Watch(vehicleID: "v")
        var stays: [String: [Stay]] = [:]
        for point in fixes {
            let time = Timestamp(seconds: point.seconds)
            let fix = Fix(time: time, coordinate: point.coordinate)
            let outcome = watch.handle(.fix(WatchedFix(fix)), at: time, in: surroundings)
            for change in outcome.changes {
                switch change {
                case .visit(let visit) where !visit.isPass:
                    let from = visit.enteredAt.seconds
                    stays[visit.placeID, default: []].append(
                        Stay(from: from, lastInside: from, to: .infinity))
                case .visitEnded(let end):
                    stays[end.placeID]?.changeLast { $0.to = end.leftAt.seconds }
                default: break
                }
            }
            for place in places where place.content.area.contains(point.coordinate) {
                stays[place.id]?.changeLast {
                    if $0.to == .infinity { $0.lastInside = point.seconds }
                }
            }
        }
        return stays
    }

    @Test(
        "No visit that lasts longer than the sampling is missed, and none is doubled",
        arguments: try Recording.all(), [1.0, 5, 15, 30, 60])
    func visitsAreFound(_ recording: Recording, _ interval: Double) throws {
        let places = try Self.places(around: Self.halts(of: recording))
        let truth = Self.stays(recording.points, in: places)
        let thinned = Self.stays(recording.points.thinned(to: interval), in: places)
        for (id, stays) in truth {
            let found = thinned[id] ?? []
            for stay in stays {
                let matches = found.filter { $0.from <= stay.to && $0.to >= stay.from }
                #expect(matches.count <= 1, "\(id): \(stay) became \(matches)")
                if stay.lastInside - stay.from > interval {
                    #expect(matches.count == 1, "\(id): \(stay) is missing among \(found)")
                }
            }
            for one in found {
                #expect(
                    stays.contains { $0.from <= one.to && $0.to >= one.from },
                    "\(id): \(one) is none of \(stays)")
            }
        }
    }

    @Test("The recordings have halts")
    func recordingsHaveHalts() throws {
        let halts = try Recording.all().map { Self.halts(of: $0).count }
        #expect(halts.reduce(0, +) >= 15)
    }
}

extension [Recording.Point] {
    /// What is left of fixes that are sent no more often than every so many seconds.
    fileprivate func thinned(to interval: Double) -> [Recording.Point] {
        var kept: [Recording.Point] = []
        for point in self where point.seconds - (kept.last?.seconds ?? -.infinity) >= interval {
            kept.append(point)
        }
        return kept
    }
}

extension Array {
    fileprivate mutating func changeLast(_ change: (inout Element) -> Void) {
        if !isEmpty { change(&self[count - 1]) }
    }
}
