import Geometry
import Tracking
package import Watching

/// What the tables would hold of what vehicles did: each row is made once, and completed once.
package struct ReplayRows: Sendable {
    /// A row with what it belongs to.
    private struct Row<Content: Sendable>: Sendable {
        let vehicleID: String
        let tripID: String?
        var content: Content
    }

    private struct VisitRow: Sendable {
        var visit: Visit
        var leftBy: PresenceReason?
    }

    fileprivate struct SpeedingRow: Sendable {
        var speeding: Speeding
        var end: SpeedingEnd?
    }

    private struct StopRow: Sendable {
        var stop: Stop
        var endedAt: Timestamp?
        var idle: Double?
    }

    private var visits: [Row<VisitRow>] = []
    private var speedings: [Row<SpeedingRow>] = []
    private var stops: [Row<StopRow>] = []
    private var drives: [Row<Drive>] = []

    /// Makes or completes a row.
    ///
    /// - Parameter tripID: The trip that the vehicle is on; `nil` without one.
    package mutating func apply(_ change: RowChange, vehicleID: String, tripID: String?) {
        switch change {
        case .visit(let visit):
            visits.append(
                Row(
                    vehicleID: vehicleID, tripID: tripID,
                    content: VisitRow(visit: visit, leftBy: visit.isPass ? .moved : nil)))
        case .visitEnded(let end): complete(end, vehicleID)
        case .speeding(let speeding):
            speedings.append(
                Row(
                    vehicleID: vehicleID, tripID: tripID, content: SpeedingRow(speeding: speeding)))
        case .speedingEnded(let end):
            let began = end.start.since
            speedings.change {
                $0.vehicleID == vehicleID && $0.content.beganAt == began
            } with: {
                $0.content.end = end
            }
        case .stop(let stop):
            stops.append(
                Row(vehicleID: vehicleID, tripID: tripID, content: StopRow(stop: stop)))
        case .stopEnded(let began, let ended, let idle):
            stops.change {
                $0.vehicleID == vehicleID && $0.content.stop.start.since == began
            } with: {
                $0.content.endedAt = ended
                $0.content.idle = idle
            }
        case .stopWithdrawn(let began):
            stops.removeAll {
                $0.vehicleID == vehicleID && $0.content.stop.start.since == began
            }
        case .drive(let drive):
            drives.append(Row(vehicleID: vehicleID, tripID: tripID, content: drive))
        case .driveEnded(let drive):
            drives.change {
                $0.vehicleID == vehicleID && $0.content.beganAt == drive.beganAt
            } with: {
                $0.content = drive
            }
        }
    }

    private mutating func complete(_ end: VisitEnd, _ vehicleID: String) {
        visits.change { row in
            row.vehicleID == vehicleID && row.content.visit.placeID == end.placeID
                && row.content.visit.enteredAt == end.enteredAt
        } with: { row in
            row.content.leftBy = end.leftBy
            row.content.visit.leftAt = end.leftAt
            row.content.visit.crossedOutAt = end.crossedOutAt
            row.content.visit.distance = end.distance
            row.content.visit.topSpeed = end.topSpeed
        }
    }

    /// Writes all rows, ordered by their beginning: `{"rows":{"visits":[…],"speedings":[…],"stops":[…],"drives":[…]}}`.
    package func encode(into json: inout JSONWriter) {
        json.object { json in
            json.key("rows")
            json.object { json in
                json.rows("visits", visits.sorted(by: { $0.content.visit.enteredAt })) {
                    json, row in
                    Self.members(of: row, into: &json)
                }
                json.rows("speedings", speedings.sorted(by: { $0.content.beganAt })) { json, row in
                    Self.members(of: row, into: &json)
                }
                json.rows("stops", stops.sorted(by: { $0.content.stop.start.since })) { json, row in
                    Self.members(of: row, into: &json)
                }
                json.rows("drives", drives.sorted(by: { $0.content.beganAt })) { json, row in
                    Self.members(of: row, into: &json)
                }
            }
        }
    }

    private static func members(of row: Row<VisitRow>, into json: inout JSONWriter) {
        let visit = row.content.visit
        json.member("vehicle_id", row.vehicleID)
        json.member("place_id", visit.placeID)
        json.member("entered_at", visit.enteredAt)
        json.member("left_at", visit.leftAt)
        json.member("crossed_in_at", visit.crossedInAt)
        json.member("crossed_out_at", visit.crossedOutAt)
        json.member("entered_by", visit.enteredBy.rawValue)
        json.member("left_by", row.content.leftBy?.rawValue)
        json.member("passed", visit.isPass)
        json.member("trip_id", row.tripID)
        json.member("place_revision", visit.placeRevision)
        json.member("distance_m", metres: visit.distance)
        json.member("top_speed_mps", speed: visit.topSpeed)
    }

    private static func members(of row: Row<SpeedingRow>, into json: inout JSONWriter) {
        let (start, end) = (row.content.speeding.start, row.content.end)
        let top = end?.topLocation ?? row.content.speeding.location
        json.member("vehicle_id", row.vehicleID)
        json.member("began_at", start.since)
        json.member("ended_at", end?.until)
        json.member("limit_mps", speed: start.limit)
        json.member("limit_from", start.limitFrom.rawValue)
        json.member("place_id", start.place?.id)
        json.member("trip_id", row.tripID)
        json.member("top_speed_mps", speed: end?.topSpeed ?? start.speed)
        json.member("top_excess_mps", speed: end?.topExcess ?? (start.speed - start.limit))
        json.member("distance_m", metres: end?.distance ?? 0)
        json.member("basis", start.basis.rawValue)
        json.member("top_lat", exact: top.latitude)
        json.member("top_lon", exact: top.longitude)
    }

    private static func members(of row: Row<StopRow>, into json: inout JSONWriter) {
        let stop = row.content.stop
        json.member("vehicle_id", row.vehicleID)
        json.member("began_at", stop.start.since)
        json.member("ended_at", row.content.endedAt)
        json.members(of: stop.location)
        json.member("place_id", stop.start.place?.id)
        json.member("waypoint_index", stop.start.waypointIndex)
        json.member("trip_id", row.tripID)
        json.key("planned")
        if let isPlanned = stop.start.isPlanned { json.bool(isPlanned) } else { json.null() }
        json.member("idle_s", seconds: row.content.idle)
    }

    private static func members(of row: Row<Drive>, into json: inout JSONWriter) {
        let drive = row.content
        json.member("vehicle_id", row.vehicleID)
        json.member("began_at", drive.beganAt)
        json.member("ended_at", drive.endedAt)
        json.member("distance_m", metres: drive.distance)
        json.member("top_speed_mps", speed: drive.topSpeed)
        json.member("trip_id", row.tripID)
        json.member("estimated", drive.isEstimated)
        json.member("start_lat", exact: drive.start.latitude)
        json.member("start_lon", exact: drive.start.longitude)
        json.member("end_lat", exact: drive.end?.latitude)
        json.member("end_lon", exact: drive.end?.longitude)
        json.member("fixes", drive.fixes)
    }
}

extension ReplayRows.SpeedingRow {
    fileprivate var beganAt: Timestamp { speeding.start.since }
}

extension Array {
    /// Changes the last element that fulfils a condition.
    fileprivate mutating func change(
        where condition: (Element) -> Bool, with change: (inout Element) -> Void
    ) {
        guard let index = lastIndex(where: condition) else { return }
        change(&self[index])
    }

    /// The elements by a moment of each.
    fileprivate func sorted(by moment: (Element) -> Timestamp) -> [Element] {
        sorted { moment($0) < moment($1) }
    }
}

extension JSONWriter {
    /// Writes a member that is a table's rows.
    fileprivate mutating func rows<Row>(
        _ name: StaticString, _ rows: [Row], _ body: (inout JSONWriter, Row) -> Void
    ) {
        key(name)
        array { json in
            for row in rows { json.object { body(&$0, row) } }
        }
    }
}
