import Tracking
package import Watching

/// Writes alarms as they are published and stored.
package enum AlarmEncoder {
    /// Writes one alarm of a vehicle.
    ///
    /// - Parameter tripID: The trip that the vehicle is on; `nil` without one.
    package static func encode(
        _ alarm: Alarm, vehicleID: String, tripID: String?, into json: inout JSONWriter
    ) {
        json.object { json in
            json.member("id", EventID.alarm(vehicleID: vehicleID, sequence: alarm.sequence))
            json.member("sequence", Int(alarm.sequence))
            json.member("type", alarm.kind.type)
            json.member("vehicle_id", vehicleID)
            json.member("trip_id", tripID)
            json.member("time", alarm.time)
            json.member("received_at", alarm.receivedAt)
            json.member("delay_s", seconds: alarm.delay)
            json.member("location", given: alarm.location)
            json.member("by", alarm.basis.rawValue)
            json.members(of: alarm.kind)
        }
    }
}

extension JSONWriter {
    /// Writes a member that is a span of time in seconds, to the millisecond, or `null`.
    package mutating func member(_ name: StaticString, seconds: Double?) {
        member(name, seconds, decimals: 3)
    }

    /// Writes a member that is a speed in metres per second, or `null`.
    package mutating func member(_ name: StaticString, speed: Double?) {
        member(name, speed, decimals: 3)
    }

    /// Writes the members that only one kind of alarm has.
    fileprivate mutating func members(of kind: Alarm.Kind) {
        switch kind {
        case .placeEntered(let entry): members(of: entry)
        case .placeExited(let exit): members(of: exit)
        case .placePassed(let pass): members(of: pass)
        case .placeDwelled(let dwell):
            member("place", label: dwell.place)
            member("entered_at", dwell.enteredAt)
            member("inside_s", seconds: dwell.inside)
        case .placeApproached(let approach):
            member("place", label: approach.place)
            member("distance_m", metres: approach.distance)
            member("eta", approach.eta)
        case .speedingStarted(let start): members(of: start)
        case .speedingEnded(let end): members(of: end)
        case .stopStarted(let start): members(of: start)
        case .stopEnded(let end):
            members(of: end.start)
            member("duration_s", seconds: end.duration)
            member("idle_s", seconds: end.idle)
        case .vehicleSilent(let silence), .vehicleHeard(let silence):
            member("last_time", silence.lastTime)
            member("silence_s", seconds: silence.duration)
        }
    }

    private mutating func members(of entry: PlaceEntry) {
        member("place", label: entry.place)
        member("reason", entry.reason.rawValue)
        member("since", entry.since)
        member("crossed_at", entry.crossedAt)
        member("gap_s", seconds: entry.gap)
    }

    private mutating func members(of exit: PlaceExit) {
        member("place", label: exit.place)
        member("reason", exit.reason.rawValue)
        member("since", exit.since)
        member("crossed_at", exit.crossedAt)
        member("gap_s", seconds: exit.gap)
        member("entered_at", exit.enteredAt)
        member("entered_told", exit.isEntryTold)
        member("inside_s", seconds: exit.inside)
        member("distance_m", metres: exit.distance)
    }

    private mutating func members(of pass: PlacePass) {
        member("place", label: pass.place)
        member("crossed_in_at", pass.crossedInAt)
        member("crossed_out_at", pass.crossedOutAt)
        switch pass.extent {
        case .chord(let metres): member("chord_m", metres: metres)
        case .nearest(let metres): member("nearest_m", metres: metres)
        }
        member("gap_s", seconds: pass.gap)
    }

    private mutating func members(of start: SpeedingStart) {
        member("speed_mps", speed: start.speed)
        member("basis", start.basis.rawValue)
        member("limit_mps", speed: start.limit)
        member("limit_from", start.limitFrom.rawValue)
        member("place", label: start.place)
        member("since", start.since)
    }

    private mutating func members(of end: SpeedingEnd) {
        members(of: end.start)
        member("until", end.until)
        member("duration_s", seconds: end.duration)
        member("distance_m", metres: end.distance)
        member("top_speed_mps", speed: end.topSpeed)
        member("top_excess_mps", speed: end.topExcess)
        member("top_location", given: end.topLocation)
    }

    private mutating func members(of start: StopStart) {
        member("since", start.since)
        member("place", label: start.place)
        member("waypoint_index", start.waypointIndex)
        key("planned")
        if let isPlanned = start.isPlanned { bool(isPlanned) } else { null() }
    }
}
