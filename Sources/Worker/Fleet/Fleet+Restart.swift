import Geometry
import Routing
import Store
import Telemetry
import Tracking
import Watching

/// How a fleet comes back from the tables, and what others ask of it.
extension Fleet {
    /// Takes one row of the stored state; throws when a trip cannot be read.
    func take(_ item: StoredItem) throws {
        switch item {
        case .vehicle(let row):
            let vehicle = vehicle(row.vehicleID)
            vehicle.updatedAt = Timestamp(microseconds: row.updatedAt)
            vehicle.newest = row.fix
            if let packed = row.packedWatch {
                vehicle.watch = try Watch(
                    vehicleID: row.vehicleID, decoding: packed, in: book.surroundings)
            }
        case .trip(let stored):
            let vehicle = vehicle(stored.row.vehicleID)
            vehicle.trip = try Trip(
                assignment: stored.assignment, route: stored.route, state: stored.state ?? [])
        case .usedTripID(let vehicleID, let tripID, let time):
            usedTrips.note(vehicleID, tripID, at: Timestamp(microseconds: time))
        case .commandID(let vehicleID, let commandID, let time):
            carriedOut.note(vehicleID, commandID, at: Timestamp(microseconds: time))
        case .placeCommandID(let placeID, let commandID, let time):
            placeCommands.note(placeID, commandID, at: Timestamp(microseconds: time))
        case .place(let stored): take(stored)
        case .unpublishedEvent: break
        }
    }

    /// Takes a stored place; one that this version cannot read is told, and left out.
    private func take(_ stored: StoredPlace) {
        book.remember(stored.placeID, revision: stored.revision)
        guard !stored.isDeleted else { return }
        do {
            let definition = Array(stored.definition.utf8)
            var place = try PlaceReader.place(
                ofDefinition: definition, id: stored.placeID, limits: settings.placeLimits)
            // The definition tells it to the millisecond.
            place.putAt = Timestamp(microseconds: stored.putAt)
            book.add(place)
            book.roadblocks.restore(
                place, closedSince: stored.closedSince.map(Timestamp.init(microseconds:)))
            if stored.closedSince != nil { roads.closed = book.roadblocks.closed }
        } catch {
            outbox.unreadable.append(.init(placeID: stored.placeID, detail: "\(error)"))
        }
    }

    /// How many vehicles are on a trip.
    var activeTrips: Int { vehicles.values.count { $0.trip != nil } }

    /// How many vehicles are held at a via point.
    var heldTrips: Int { vehicles.values.count { $0.trip?.progress.state == .held } }

    /// Requests for a route that are out.
    var openQuestions: [PlannerQuestion] {
        vehicles.values.compactMap { vehicle in
            guard let trip = vehicle.trip, let request = trip.question(among: roads) else {
                return nil
            }
            return question(request, of: trip)
        }
    }

    /// Whose retained topics the entry may have changed; `nil` for other entries.
    func subject(of entry: Entry) -> Publication.Subject? {
        switch entry.kind {
        case .settings, .clockSet: return nil
        case .route, .routeFailed, .expiry, .clock:
            return entry.topic.isEmpty
                ? nil : .vehicle(String(decoding: entry.topic, as: UTF8.self))
        case .message: return subjectOfTopic(entry)
        }
    }

    /// Collects what is retained of vehicles and places again, as it is now.
    ///
    /// - Parameter published: Up to where the broker has everything: until it has these too, it stays there.
    func announceAgain(_ subjects: Set<Publication.Subject>, published: Int64) {
        for subject in subjects {
            switch subject {
            case .vehicle(let id): announceAgain(vehicle: id, published: published)
            case .place(let id):
                outbox.publications.append(definition(of: id, position: published + 1))
            }
        }
    }

    private func announceAgain(vehicle id: String, published: Int64) {
        if let vehicle = vehicles[id] {
            outbox.publications.append(
                Publication(
                    .route, of: .vehicle(id), topic: topic(.vehicle(id), "route"),
                    payload: routePayload(of: vehicle), position: published + 1,
                    receivedAt: vehicle.updatedAt.microseconds))
            outbox.publications.append(proposal(of: vehicle, position: published + 1))
            if let progress = progress(of: vehicle) { outbox.publications.append(progress) }
        }
    }

    /// The route of the vehicle's trip, ready to be published; `nil` when it has none.
    func route(of vehicle: Vehicle) -> Publication? {
        let payload = routePayload(of: vehicle)
        guard !payload.isEmpty else { return nil }
        return Publication(
            .route, of: .vehicle(vehicle.id), topic: topic(.vehicle(vehicle.id), "route"),
            payload: payload, position: position, receivedAt: vehicle.updatedAt.microseconds)
    }

    /// The vehicle's newest progress, ready to be published; `nil` when nothing is known of it.
    func progress(of vehicle: Vehicle) -> Publication? {
        guard let payload = progressPayload(of: vehicle) else { return nil }
        return Publication(
            .progress, of: .vehicle(vehicle.id), topic: topic(.vehicle(vehicle.id), "progress"),
            payload: payload, position: position, receivedAt: vehicle.updatedAt.microseconds)
    }

    /// An event or alarm whose row says that the broker may not have it.
    ///
    /// - Parameter published: Up to where the broker has everything else.
    func publication(of row: EventRow, published: Int64) -> Publication {
        let subject =
            row.vehicleID.map(Publication.Subject.vehicle) ?? .place(row.placeID ?? "")
        let level = row.home == .alarms && row.vehicleID != nil ? "alarm" : "event"
        return Publication(
            .event(id: row.eventID, home: row.home), of: subject,
            topic: topic(subject, "\(level)/\(row.type)"), payload: Array(row.body.utf8),
            position: published + 1, receivedAt: row.occurredAt, lane: Publication.lane(of: row))
    }

    /// A topic of the vehicle's or place's.
    func topic(_ subject: Publication.Subject, _ name: String) -> String {
        subject.topic(name, root: settings.topicRoot)
    }
}

extension VehicleRow {
    /// The newest fix, as far as the row tells.
    fileprivate var fix: Fix? {
        guard let fixTime, let latitude, let longitude else { return nil }
        return Fix(
            time: Timestamp(microseconds: fixTime),
            coordinate: Coordinate(latitude: latitude, longitude: longitude), speed: speed,
            course: course, level: level.flatMap(Level.init(json:)))
    }
}
