package import Tracking

/// Writes events as they are published and stored.
package enum EventEncoder {
    /// Writes one event of a trip.
    ///
    /// - Parameter commandID: That of the command that caused the event; `nil` where none did or it had
    ///   no id.
    package static func encode(
        _ event: TripEvent, tripID: String, vehicleID: String, commandID: String? = nil,
        into json: inout JSONWriter
    ) {
        json.object { json in
            json.member(
                "id",
                EventID.event(vehicleID: vehicleID, tripID: tripID, sequence: event.sequence))
            json.member("sequence", event.sequence)
            json.member("type", event.kind.type)
            json.member("vehicle_id", vehicleID)
            json.member("trip_id", tripID)
            json.member("time", event.time)
            json.member("location", computed: event.location)
            json.member("remaining_distance_m", metres: event.remainingDistance)
            json.member("remaining_waypoints", event.remainingWaypoints)
            if let commandID { json.member("command_id", commandID) }
            encodeOwnMembers(of: event.kind, into: &json)
        }
    }

    /// Writes the event that tells of a refused command.
    package static func encode(_ rejection: CommandRejection, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", rejection.id)
            json.member("type", CommandRejection.type)
            json.member("vehicle_id", rejection.vehicleID)
            json.member("trip_id", rejection.tripID)
            json.member("time", rejection.time)
            json.member("location", computed: rejection.progress?.location)
            json.member("remaining_distance_m", metres: rejection.progress?.remainingDistance)
            json.member("remaining_waypoints", rejection.progress?.remainingWaypoints)
            json.member("command", rejection.command)
            json.member("command_id", rejection.commandID)
            json.member("reason", rejection.refusal.reason.rawValue)
            json.member("detail", rejection.refusal.detail)
        }
    }

    /// Writes a question to a planner.
    package static func encode(_ request: RouteRequest, into json: inout JSONWriter) {
        json.object { json in
            json.member("number", request.number)
            json.member("from", given: request.from)
            json.member("course_deg", request.course, decimals: 3)
            json.key("via_points")
            json.array { json in
                for waypoint in request.viaPoints { json.waypoint(waypoint) }
            }
            json.key("destination")
            json.target(request.destination)
            json.member("profile", request.profile.rawValue)
            if let start = request.deviationPathStart {
                json.member("deviation_path_from", computed: start)
            }
            json.member("purpose", request.purpose.rawValue)
            json.key("avoid")
            json.roads(request.avoid)
            if let vehicle = request.vehicle {
                json.key("vehicle")
                json.vehicle(vehicle)
            }
        }
    }

    private static func encodeOwnMembers(
        of kind: TripEvent.Kind, into json: inout JSONWriter
    ) {
        switch kind {
        case .tripAssigned(let routeRevision, let request, let roadblocks):
            json.member("route_revision", routeRevision)
            json.member("roadblocks", roadblocks)
            if let request {
                json.key("request")
                encode(request, into: &json)
            }
        case .waypointReached(let waypoint, let held, let distance):
            json.member("waypoint", waypoint)
            json.member("held", held)
            json.member("distance_m", metres: distance)
        case .waypointResumed(let waypoint), .waypointSkipped(let waypoint):
            json.member("waypoint", waypoint)
        case .willReroute(let cause):
            encode(cause, into: &json)
        case .rerouted(let route):
            encode(route, into: &json)
        case .rerouteFailed(let error):
            json.member("error", error)
        case .rerouteCancelled:
            break
        case .arrived(let destination):
            json.key("destination")
            json.target(destination)
        case .tripStopped(let reason):
            json.member("reason", reason.rawValue)
        case .waypointApproached(let goal, let approach):
            encode(goal, into: &json)
            json.member("distance_m", metres: approach.distance)
            json.member("eta", approach.eta)
        case .skipSuggested(let waypoint, let distance, let nearest):
            json.member("waypoint", waypoint)
            json.member("distance_m", metres: distance)
            json.member("nearest_m", metres: nearest)
        case .holdBreached(let waypoint, let distance):
            json.member("waypoint", waypoint)
            json.member("distance_m", metres: distance)
        case .roadblockAhead(let place, let distance):
            json.member("place", label: place)
            json.member("distance_m", metres: distance)
        case .betterRouteFound(let proposal):
            json.members(of: proposal)
        case .betterRouteGone(let proposal, let reason):
            json.member("proposal", proposal)
            json.member("reason", reason.rawValue)
        }
    }

    private static func encode(_ goal: TripEvent.Goal, into json: inout JSONWriter) {
        switch goal {
        case .waypoint(let waypoint): json.member("waypoint", waypoint)
        case .destination(let destination):
            json.key("destination")
            json.target(destination)
        }
    }

    private static func encode(_ cause: TripEvent.RerouteCause, into json: inout JSONWriter) {
        json.member("reason", cause.reason.rawValue)
        json.member("deviation_m", metres: cause.deviation)
        json.member("reported", given: cause.reported)
        json.member("roadblocks", cause.roadblocks)
        json.key("carried_waypoints")
        json.array { json in
            for index in cause.carriedWaypoints { json.integer(index) }
        }
        json.key("request")
        encode(cause.request, into: &json)
    }

    private static func encode(_ route: TripEvent.NewRoute, into json: inout JSONWriter) {
        json.member("route_revision", route.revision)
        json.member("reason", route.reason.rawValue)
        json.member("length_m", metres: route.length)
        json.member("duration_s", route.duration, decimals: 1)
        json.member("roadblocks", route.roadblocks)
        if !route.deviationPath.isEmpty {
            json.key("deviation_path")
            json.positions(route.deviationPath)
        }
    }
}

extension TripEvent.Kind {
    /// The event's name in topics, payloads and tables.
    package var type: String {
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
        case .waypointApproached: "waypoint_approached"
        case .skipSuggested: "skip_suggested"
        case .holdBreached: "hold_breached"
        case .roadblockAhead: "roadblock_ahead"
        case .betterRouteFound: "better_route_found"
        case .betterRouteGone: "better_route_gone"
        }
    }
}

/// A command that was refused, for the `command_rejected` event.
package struct CommandRejection: Equatable, Sendable {
    /// The event's name in topics, payloads and tables.
    package static let type = "command_rejected"

    /// The event's id; see `EventID.rejection`.
    package var id: String
    /// The vehicle that the topic names.
    package var vehicleID: String
    /// The trip that the command named, or else the vehicle's active one; `nil` where there is neither.
    package var tripID: String?
    /// When the command was received.
    package var time: Timestamp
    /// Where the vehicle's active trip stands; `nil` where it has none.
    package var progress: Progress?
    /// The command's name, the last level of its topic.
    package var command: String
    /// The command's own id, where it has one.
    package var commandID: String?
    /// Why it was refused.
    package var refusal: Refusal

    /// Creates a rejection.
    package init(
        id: String, vehicleID: String, tripID: String?, time: Timestamp, progress: Progress?,
        command: String, commandID: String?, refusal: Refusal
    ) {
        self.id = id
        self.vehicleID = vehicleID
        self.tripID = tripID
        self.time = time
        self.progress = progress
        self.command = command
        self.commandID = commandID
        self.refusal = refusal
    }
}
