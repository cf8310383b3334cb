import Foundation
import Geometry
import Testing
import Tracking

/// One entry of the fixtures: a trip, what happens to it, and what has to come of it.
struct Scenario: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var why: String
    var config: [String: OptionValue]
    var route: Route
    var inputs: [Input]
    var expect: [ExpectedEvent]
    var expect_state: [ExpectedState]

    var testDescription: String { name }

    struct Route: Decodable, Sendable {
        var coordinates: [[Double]]?
        var via_points: [[Double]]
        var destination: [Double]?
        var source: [Double]?
    }

    struct Input: Decodable, Sendable {
        var t: Double
        var type: String
        var lat: Double?
        var lon: Double?
        var accuracy_m: Double?
        var received_t: Double?
        var waypoint_index: Int?
        var request: Int?
        var reason: String?
        var coordinates: [[Double]]?
    }

    struct ExpectedEvent: Decodable, Sendable {
        var after_input: Int
        var event: String
        var waypoint_index: Int?
        var remaining_waypoints: Int?
        var carried_waypoints: [Int]?
        var held: Bool?
        var distance_m: Near?
        var deviation_m: Near?
    }

    struct Near: Decodable, Sendable {
        var value: Double
        var tolerance: Double
    }

    struct NearPlace: Decodable, Sendable {
        var lat: Double
        var lon: Double
        var tolerance_m: Double
    }

    struct ExpectedState: Decodable, Sendable {
        var after_input: Int
        var state: String?
        var remaining_waypoints: Int?
        var active_waypoint_index: Int?
        var held_waypoint_index: Int?
        var remaining_distance_m: Near?
        var deviation_m: Near?
        var location: NearPlace?
        var namesActiveWaypoint = false

        enum Key: String, CodingKey {
            case after_input, state, remaining_waypoints, active_waypoint_index
            case held_waypoint_index, remaining_distance_m, deviation_m, location
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            after_input = try values.decode(Int.self, forKey: .after_input)
            state = try values.decodeIfPresent(String.self, forKey: .state)
            remaining_waypoints = try values.decodeIfPresent(
                Int.self, forKey: .remaining_waypoints)
            active_waypoint_index = try values.decodeIfPresent(
                Int.self, forKey: .active_waypoint_index)
            held_waypoint_index = try values.decodeIfPresent(
                Int.self, forKey: .held_waypoint_index)
            remaining_distance_m = try values.decodeIfPresent(
                Near.self, forKey: .remaining_distance_m)
            deviation_m = try values.decodeIfPresent(Near.self, forKey: .deviation_m)
            location = try values.decodeIfPresent(NearPlace.self, forKey: .location)
            namesActiveWaypoint = values.contains(.active_waypoint_index)
        }
    }

    enum OptionValue: Decodable, Sendable {
        case number(Double)
        case flag(Bool)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else {
                self = .number(try value.decode(Double.self))
            }
        }
    }

    /// All entries of a fixture.
    static func load(_ name: String) throws -> [Scenario] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/tracking")
        let data = try Data(contentsOf: folder.appending(path: name))
        return try JSONDecoder().decode([Scenario].self, from: data)
    }

    /// The assignment that begins the trip.
    func assignment() throws -> Assignment {
        Assignment(
            tripID: name, vehicleID: "vehicle",
            route: route.coordinates.map { ProvidedRoute(coordinates: $0.map(Coordinate.init)) },
            source: route.source.map(Coordinate.init),
            destination: route.destination.map { Target(coordinate: Coordinate($0)) },
            viaPoints: route.via_points.map { Target(coordinate: Coordinate($0)) },
            options: try options())
    }

    private func options() throws -> TripOptions {
        var options = TripOptions()
        for (name, value) in config {
            switch (name, value) {
            case ("deviation_distance_m", .number(let number)): options.deviationDistance = number
            case ("arrival_radius_m", .number(let number)): options.arrivalRadius = number
            case ("wait_at_waypoints", .flag(let flag)): options.waitsAtWaypoints = flag
            case ("max_accuracy_m", .number(let number)): options.maxAccuracy = number
            case ("max_speed_mps", .number(let number)): options.maxSpeed = number
            case ("max_future_skew_s", .number(let number)): options.maxFutureSkew = number
            case ("max_age_at_assignment_s", .number(let number)):
                options.maxAgeAtAssignment = number
            case ("deviation_confirmations", .number(let number)):
                options.deviationConfirmations = Int(number)
            case ("off_route_return_ratio", .number(let number)):
                options.offRouteReturnRatio = number
            case ("reroute_retry_interval_s", .number(let number)):
                options.rerouteRetryInterval = number
            case ("arrival_dwell_s", .number(let number)): options.arrivalDwell = number
            case ("hold_breach_distance_m", .number(let number)):
                options.holdBreachDistance = number
            case ("start_waypoint_index", .number(let number)):
                options.startWaypointIndex = Int(number)
            default: throw UnknownOption(name: name)
            }
        }
        return options
    }

    struct UnknownOption: Error { var name: String }
}

extension Scenario.Input {
    /// The input as the trip takes it, and its reception.
    func tripInput() throws -> (TripInput, Timestamp) {
        let received = Timestamp(seconds: received_t ?? t)
        switch type {
        case "position":
            let coordinate = Coordinate(
                latitude: try #require(lat), longitude: try #require(lon))
            return (
                .fix(
                    Fix(
                        time: Timestamp(seconds: t), coordinate: coordinate, accuracy: accuracy_m)),
                received
            )
        case "proceed": return (.proceed(waypointIndex: waypoint_index), received)
        case "skip": return (.skip(waypointIndex: waypoint_index), received)
        case "stop": return (.stop(.stopped), received)
        case "reroute": return (.reroute, received)
        case "route_result":
            let line = try #require(coordinates).map(Coordinate.init)
            return (.route(ProvidedRoute(coordinates: line), request: request), received)
        case "route_failed":
            return (
                .routeFailed(request: try #require(request), reason: reason ?? ""), received
            )
        default: throw Scenario.UnknownOption(name: type)
        }
    }
}

extension Coordinate {
    /// Takes a GeoJSON position.
    init(_ position: [Double]) {
        self.init(latitude: position[1], longitude: position[0])
    }
}

extension TripEvent.Kind {
    /// The event's name in the contract.
    var name: String {
        switch self {
        case .tripAssigned: "trip_assigned"
        case .waypointReached: "waypoint_reached"
        case .waypointResumed: "waypoint_resumed"
        case .waypointSkipped: "waypoint_skipped"
        case .willReroute: "will_reroute"
        case .rerouted: "rerouted"
        case .rerouteFailed: "reroute_failed"
        case .rerouteCancelled: "reroute_cancelled"
        case .arrived: "arrived"
        case .tripStopped: "trip_stopped"
        case .holdBreached: "hold_breached"
        case .waypointApproached: "waypoint_approached"
        case .skipSuggested: "skip_suggested"
        case .roadblockAhead: "roadblock_ahead"
        case .betterRouteFound: "better_route_found"
        case .betterRouteGone: "better_route_gone"
        }
    }

    /// The via point that it is about.
    var waypointIndex: Int? {
        switch self {
        case .waypointReached(let waypoint, _, _), .waypointResumed(let waypoint),
            .waypointSkipped(let waypoint), .holdBreached(let waypoint, _),
            .skipSuggested(let waypoint, _, _), .waypointApproached(.waypoint(let waypoint), _):
            waypoint.index
        case .tripAssigned, .willReroute, .rerouted, .rerouteFailed, .rerouteCancelled, .arrived,
            .tripStopped, .waypointApproached(.destination, _), .roadblockAhead,
            .betterRouteFound, .betterRouteGone:
            nil
        }
    }

    /// How far from its via point it tells the vehicle to be, or how far from its route.
    var distance: Double? {
        switch self {
        case .waypointReached(_, _, let distance), .holdBreached(_, let distance): distance
        case .willReroute(let cause): cause.deviation
        case .tripAssigned, .waypointResumed, .waypointSkipped, .rerouted, .rerouteFailed,
            .rerouteCancelled, .arrived, .tripStopped, .waypointApproached, .skipSuggested,
            .roadblockAhead, .betterRouteFound, .betterRouteGone:
            nil
        }
    }

    /// The via points that a request carries.
    var carriedWaypoints: [Int]? {
        if case .willReroute(let cause) = self { return cause.carriedWaypoints }
        return nil
    }
}
