import Geometry
import Store
import Telemetry
import Tracking

/// How changes become rows; on the store's thread, once a transaction.
extension StoreChanges {
    /// The transaction that writes them.
    func batch(spoolID: String, published: Int64) -> StoreBatch {
        var batch = StoreBatch(
            spoolID: spoolID, from: from, to: to, published: min(published, to))
        batch.settings = settings
        batch.positions = positions
        batch.events = events
        batch.commands = commands
        batch.rejected = rejected
        batch.places = places
        batch.placeCommands = placeCommands
        batch.visits = visits
        batch.speedings = speedings
        batch.stops = stops
        batch.drives = drives
        batch.vehicles = vehicles
        for change in trips {
            batch.progress.append(change.progressRow)
            guard change.isNew || change.isEventful || change.isRouteChanged else { continue }
            batch.trips.append(change.tripRow)
            batch.waypoints += change.waypointRows
        }
        return batch
    }
}

extension StoreChanges.TripChange {
    fileprivate var tripRow: TripRow {
        TripRow(
            tripID: trip.id, vehicleID: trip.vehicleID, state: trip.progress.state.rawValue,
            assignedAt: trip.assignedAt.microseconds, endedAt: trip.endedAt?.microseconds,
            routeRevision: trip.routeRevision,
            assignment: isNew
                ? TripRow.AssignmentColumns(
                    options: trip.options.json, packed: trip.encodeAssignment()) : nil,
            route: isRouteChanged ? routeColumns : nil)
    }

    private var routeColumns: TripRow.RouteColumns? {
        guard let route = trip.route else { return nil }
        var json = JSONWriter(capacity: 4096)
        RouteEncoder.encode(lineString: route.coordinates, into: &json)
        return TripRow.RouteColumns(geoJSON: json.text, packed: trip.encodeRoute())
    }

    fileprivate var waypointRows: [WaypointRow] {
        trip.waypoints.map { waypoint in
            WaypointRow(
                vehicleID: trip.vehicleID, tripID: trip.id, index: waypoint.index,
                latitude: waypoint.target.coordinate.latitude,
                longitude: waypoint.target.coordinate.longitude, name: waypoint.target.name,
                status: waypoint.status.rawValue, reachedAt: waypoint.reachedAt?.microseconds,
                resumedAt: waypoint.resumedAt?.microseconds)
        }
    }

    fileprivate var progressRow: ProgressRow {
        let progress = trip.progress
        return ProgressRow(
            tripID: trip.id, vehicleID: trip.vehicleID, state: progress.state.rawValue,
            fixTime: progress.time.microseconds, latitude: progress.location?.latitude,
            longitude: progress.location?.longitude,
            reportedLatitude: progress.reported?.latitude,
            reportedLongitude: progress.reported?.longitude, deviation: progress.deviation,
            travelledDistance: progress.travelledDistance,
            remainingDistance: progress.remainingDistance,
            activeWaypointIndex: progress.activeWaypoint?.index,
            remainingWaypoints: progress.remainingWaypoints,
            waitsAtWaypoint: progress.waitsAtWaypoint, eta: progress.eta?.microseconds,
            routeRevision: progress.routeRevision, updatedAt: updatedAt.microseconds,
            packed: trip.encodeState())
    }
}
