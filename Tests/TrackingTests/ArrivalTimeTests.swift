import Geometry
import Testing
import Tracking

/// The time of arrival, against simulated drives.
@Suite struct ArrivalTimeTests {
    /// What the route tells of driving times.
    enum Knowledge: CaseIterable {
        case segments, whole, speedLimits, nothing
    }

    private static let begin = Timestamp(seconds: 1_800_000_000)
    private static let speed = 12.0

    /// A winding road of 12 km, in segments of 300 m.
    private static let road: [Coordinate] = {
        var road = [Coordinate(latitude: 47.1, longitude: 9.5)]
        for segment in 0..<40 {
            road.append(
                road[segment].destination(
                    course: segment.isMultiple(of: 2) ? 20 : 70, distance: 300))
        }
        return road
    }()

    private func trip(_ knowledge: Knowledge, speeds: [Double]) throws -> Trip {
        let durations = speeds.map { 300 / $0 }
        var route = ProvidedRoute(coordinates: Self.road)
        switch knowledge {
        case .segments: route.segmentDurations = durations
        case .whole: route.duration = durations.reduce(0, +)
        case .speedLimits: route.speedLimits = speeds
        case .nothing: break
        }
        let assignment = Assignment(tripID: "t", vehicleID: "v", route: route)
        return try Trip.start(assignment, newest: nil, at: Self.begin).trip
    }

    /// Drives the road, and hands over the time left by the trip's account and in truth, metre by metre.
    private func drive(
        _ trip: inout Trip, speeds: [Double], check: (Progress, Double) throws -> Void
    ) throws {
        let durations = speeds.map { 300 / $0 }
        let whole = durations.reduce(0, +)
        let line = try #require(RouteLine(Self.road))
        for seconds in stride(from: 5.0, to: whole, by: 5) {
            var left = seconds
            var segment = 0
            while left > durations[segment] {
                left -= durations[segment]
                segment += 1
            }
            let offset = line.offset(ofVertex: segment) + left * speeds[segment]
            let time = Self.begin.advanced(by: seconds)
            let fix = Fix(time: time, coordinate: line.point(at: offset))
            _ = trip.handle(.fix(fix), at: time)
            guard trip.progress.state == .tracking else { return }
            try check(trip.progress, whole - seconds)
        }
    }

    @Test(arguments: Knowledge.allCases)
    func isWithinATenthInTheMiddleOfASteadyDrive(_ knowledge: Knowledge) throws {
        let speeds = [Double](repeating: Self.speed, count: 40)
        var trip = try trip(knowledge, speeds: speeds)
        var checked = 0
        try drive(&trip, speeds: speeds) { progress, left in
            guard (300...700).contains(left) else { return }
            let eta = try #require(progress.eta).elapsed(since: progress.time)
            #expect(abs(eta / left - 1) < 0.1, "\(eta) s, but \(left) s are left")
            checked += 1
        }
        #expect(checked > 70)
    }

    @Test(arguments: [Knowledge.segments, .speedLimits])
    func knowsTheSlowEndOfAFastRoute(_ knowledge: Knowledge) throws {
        let speeds = [Double](repeating: 25, count: 20) + [Double](repeating: 5, count: 20)
        var trip = try trip(knowledge, speeds: speeds)
        try drive(&trip, speeds: speeds) { progress, left in
            let eta = try #require(progress.eta).elapsed(since: progress.time)
            #expect(abs(eta - left) < 0.1 * left + 2, "\(eta) s, but \(left) s are left")
        }
    }

    @Test(arguments: Knowledge.allCases)
    func isNeverInThePast(_ knowledge: Knowledge) throws {
        let planned = [Double](repeating: Self.speed, count: 40)
        for driven in [4.0, 12, 40] {
            var trip = try trip(knowledge, speeds: planned)
            try drive(&trip, speeds: [Double](repeating: driven, count: 40)) { progress, _ in
                if let eta = progress.eta { #expect(eta >= progress.time) }
            }
        }
    }

    @Test(arguments: Knowledge.allCases)
    func ofAVehicleThatStandsIsNeverInThePast(_ knowledge: Knowledge) throws {
        let speeds = [Double](repeating: Self.speed, count: 40)
        var trip = try trip(knowledge, speeds: speeds)
        var last: Fix?
        for minute in 0..<120 {
            let time = Self.begin.advanced(by: Double(minute * 60 + 5))
            let fix = Fix(time: time, coordinate: Self.road[min(minute, 30)])
            _ = trip.handle(.fix(fix), at: time)
            last = fix
            if let eta = trip.progress.eta { #expect(eta >= time) }
        }
        #expect(trip.progress.time == last?.time)
        #expect(knowledge == .nothing || trip.progress.eta != nil)
    }
}
