package import Tracking
package import Watching

/// Writes what the retained progress topic holds.
package enum ProgressEncoder {
    /// No more places are told, the smallest first.
    private static let mostPlaces = 32

    /// Writes where a vehicle stands.
    ///
    /// - Parameters:
    ///   - watch: Where the vehicle stands with places and limits.
    ///   - tripID: The trip, or `nil` for a vehicle without one (state `idle`).
    package static func encode(
        _ progress: Progress, watch: WatchSummary = WatchSummary(), tripID: String?,
        vehicleID: String, into json: inout JSONWriter
    ) {
        json.object { json in
            json.member("trip_id", tripID)
            json.member("vehicle_id", vehicleID)
            json.member("state", progress.state.rawValue)
            json.member("time", progress.time)
            json.member("location", computed: progress.location)
            json.member("reported", given: progress.reported)
            json.member("deviation_m", metres: progress.deviation)
            json.member("travelled_distance_m", metres: progress.travelledDistance)
            json.member("remaining_distance_m", metres: progress.remainingDistance)
            json.member("fraction", progress.fraction, decimals: 6)
            json.member("eta", progress.eta)
            json.member("speed_mps", progress.speed, decimals: 3)
            json.member("course_deg", progress.course, decimals: 3)
            json.member("level", progress.level)
            json.member("active_waypoint", progress.activeWaypoint)
            json.member("remaining_waypoints", progress.remainingWaypoints)
            json.member("waiting_at_waypoint", progress.waitsAtWaypoint)
            json.member("route_revision", progress.routeRevision)
            json.member("animation_ms", progress.animationDuration * 1000, decimals: 0)
            json.key("places")
            json.array { json in
                for place in watch.places.prefix(mostPlaces) { json.string(place) }
            }
            json.member("speed_limit_mps", speed: watch.speedLimit)
            json.member("speeding", watch.isSpeeding)
            json.member("stopped_since", watch.stoppedSince)
        }
    }
}
