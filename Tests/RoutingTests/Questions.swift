import Foundation
import Geometry
import Tracking

@testable import Routing

/// Vaduz, where the fixtures' routes begin, and what they pass.
let start = Coordinate(latitude: 47.1410, longitude: 9.5209)
let via = Coordinate(latitude: 47.1500, longitude: 9.5220)
let end = Coordinate(latitude: 47.1600, longitude: 9.5230)

func request(
    number: Int = 1, from: Coordinate = start, course: Double? = nil, via: [Coordinate] = [],
    to: Coordinate = end, profile: TripOptions.Profile = .driving,
    deviationPathStart: Coordinate? = nil, avoid: [ClosedRoad] = []
) -> RouteRequest {
    RouteRequest(
        number: number, from: from, course: course,
        viaPoints: via.enumerated().map {
            TripEvent.Waypoint(index: $0.offset, target: Target(coordinate: $0.element))
        },
        destination: Target(coordinate: to), profile: profile,
        deviationPathStart: deviationPathStart, avoid: avoid)
}

func fixture(_ name: String) throws -> [UInt8] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try Array(Data(contentsOf: tests.appending(path: "Fixtures/planners/\(name)")))
}

/// An OSRM answer in GeoJSON with these points.
func osrmAnswer(_ points: [Coordinate]) -> String {
    let line = points.map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",")
    return #"{"code":"Ok","routes":[{"geometry":{"coordinates":[\#(line)]},"duration":60}]}"#
}

/// An OSRM answer straight over the points of a request's target.
func osrmAnswer(to target: String) -> String {
    let path = target.prefix { $0 != "?" }.split(separator: "/").last ?? ""
    return osrmAnswer(
        path.split(separator: ";").compactMap { point in
            let numbers = point.split(separator: ",").compactMap { Double($0) }
            return numbers.count == 2
                ? Coordinate(latitude: numbers[1], longitude: numbers[0]) : nil
        })
}

extension PlannerClient {
    /// Takes turns until that many answers are there; fewer when they take over 20 s.
    func answers(_ count: Int) -> [PlannerAnswer] {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: .seconds(20))
        var answers: [PlannerAnswer] = []
        while answers.count < count && clock.now < deadline {
            answers += turn(timeout: 1000, wake: -1)
        }
        return answers
    }

    /// Asks one question and returns its answer.
    func answer(
        to request: RouteRequest, trip: String = "t"
    ) throws -> Result<PlannedRoute, PlannerError> {
        ask(PlannerQuestion(vehicleID: trip, tripID: trip, request: request))
        guard let answer = answers(1).first else { throw NoAnswer() }
        return answer.result
    }
}

struct NoAnswer: Error {}
