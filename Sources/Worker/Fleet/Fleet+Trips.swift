import Routing
import Store
import Telemetry
import Tracking
import Watching

/// What follows from what a trip returned.
extension Fleet {
    /// Performs what one input did to the vehicle's trip, in order.
    ///
    /// - Parameter isOneOfMany: Whether as much happens to many trips at once: then their progress is published in turn, so that
    ///   other vehicles' events need not wait behind all of it.
    func settle(
        _ outcome: TripOutcome, of vehicle: Vehicle, _ entry: Entry, commandID: String?,
        isOneOfMany: Bool = false
    ) {
        guard let trip = vehicle.trip else { return }
        for event in outcome.events {
            publish(event, of: trip, vehicle, entry, commandID: commandID)
        }
        if !outcome.events.isEmpty {
            vehicle.unsaved.isTripEventful = true
            markChanged(vehicle)
            if isOneOfMany { markMoved(vehicle) } else { announce(vehicle, entry) }
            // What the clock has to say of the trip may have changed.
            if isLive, trip.nextDeadline != nil { outbox.timed.append(vehicle) }
            if outcome.events.contains(where: \.changesRoute) {
                publishRoute(of: vehicle, entry)
            }
            noteProposals(outcome.events, of: vehicle, entry)
        }
        if let request = outcome.request { ask(request, of: vehicle, entry) }
        if trip.isOver { finish(trip, vehicle) }
    }

    /// Publishes and counts what became of better routes.
    private func noteProposals(_ events: [TripEvent], of vehicle: Vehicle, _ entry: Entry) {
        var hasChanged = false
        for event in events {
            switch event.kind {
            case .betterRouteFound: hasChanged = true
            case .betterRouteGone(_, let reason):
                hasChanged = true
                tally.proposals[reason.rawValue, default: 0] += 1
            default: break
            }
        }
        guard isLive, hasChanged else { return }
        outbox.publications.append(proposal(of: vehicle, position: entry.position + 1))
    }

    /// Answers and timers, as they come back through the spool.
    func notice(_ entry: Entry) {
        let vehicleID = String(decoding: entry.topic, as: UTF8.self)
        guard let notice = Notice(entry.payload), let vehicle = vehicles[vehicleID],
            let trip = vehicle.trip, trip.id == notice.tripID
        else { return }
        let input: TripInput
        switch entry.kind {
        case .route:
            guard let route = notice.providedRoute, let request = notice.request else { return }
            input = .route(route, request: request, deviationPath: notice.path)
        case .routeFailed:
            guard let request = notice.request else { return }
            input = .routeFailed(request: request, reason: notice.reason ?? "unknown")
        case .expiry:
            guard trip.lastReception.microseconds == notice.silentSince else { return }
            input = .stop(.expired)
        case .message, .settings, .clock, .clockSet: return
        }
        vehicle.note(entry)
        if let outcome = vehicle.trip?.handle(input, at: entry.receivedAt, among: roads) {
            markChanged(vehicle)
            settle(outcome, of: vehicle, entry, commandID: nil)
        }
    }

    private func ask(_ request: RouteRequest, of vehicle: Vehicle, _ entry: Entry) {
        guard let trip = vehicle.trip else { return }
        switch settings.planner {
        case .engine:
            guard isLive else { return }
            outbox.questions.append(question(request, of: trip))
            outbox.timed.append(vehicle)
        case .outside:
            if isLive { outbox.timed.append(vehicle) }
        case .none:
            let failure = TripInput.routeFailed(
                request: request.number, reason: Refusal.Reason.noPlanner.rawValue)
            if let outcome = vehicle.trip?.handle(failure, at: entry.receivedAt, among: roads) {
                settle(outcome, of: vehicle, entry, commandID: nil)
            }
        }
    }

    func question(_ request: RouteRequest, of trip: Trip) -> PlannerQuestion {
        PlannerQuestion(
            vehicleID: trip.vehicleID, tripID: trip.id, request: request,
            timeout: trip.options.rerouteTimeout)
    }

    private func finish(_ trip: Trip, _ vehicle: Vehicle) {
        guard vehicle.trip?.id == trip.id else { return }
        changes?.trips.append(change(of: trip, vehicle))
        usedTrips.note(vehicle.id, trip.id, at: trip.endedAt ?? trip.assignedAt)
        vehicle.trip = nil
        vehicle.ended = trip
        vehicle.unsaved.isTripNew = false
        vehicle.unsaved.isRouteChanged = false
        vehicle.unsaved.isTripEventful = false
    }

    private func publish(
        _ event: TripEvent, of trip: Trip, _ vehicle: Vehicle, _ entry: Entry, commandID: String?
    ) {
        json.reset()
        EventEncoder.encode(
            event, tripID: trip.id, vehicleID: vehicle.id, commandID: commandID, into: &json)
        if case .rerouted = event.kind { markRouteChanged(trip, of: vehicle) }
        publish(
            event: EventID.event(
                vehicleID: vehicle.id, tripID: trip.id, sequence: event.sequence),
            type: event.kind.type, tripID: trip.id, sequence: event.sequence, at: event.time,
            vehicle, entry)
    }

    /// Stores and publishes the event whose payload `json` holds.
    func publish(
        event id: String, type: String, tripID: String?, sequence: Int?, at time: Timestamp,
        _ vehicle: Vehicle, _ entry: Entry
    ) {
        publish(
            EventRow(
                eventID: id, tripID: tripID, vehicleID: vehicle.id, sequence: sequence, type: type,
                occurredAt: time.microseconds, body: json.text, entry: entry.position),
            of: .vehicle(vehicle.id), topic: "event/\(type)", entry)
    }

    /// Publishes the vehicle's progress at once.
    func announce(_ vehicle: Vehicle, _ entry: Entry) {
        guard isLive, let payload = progressPayload(of: vehicle) else { return }
        outbox.announced.append(vehicle)
        outbox.publications.append(
            publication(.progress, topic: "progress", payload, vehicle, entry))
    }

    /// The vehicle's progress as JSON; `nil` when nothing is known of it.
    func progressPayload(of vehicle: Vehicle) -> [UInt8]? {
        guard let progress = vehicle.progress() else { return nil }
        json.reset()
        ProgressEncoder.encode(
            progress, watch: vehicle.watch.summary(in: book.surroundings),
            tripID: vehicle.tripInView, vehicleID: vehicle.id, into: &json)
        return json.bytes
    }

    /// The route of the vehicle's trip as JSON; empty when there is none.
    func routePayload(of vehicle: Vehicle) -> [UInt8] {
        guard let trip = vehicle.trip, !trip.isOver, trip.route != nil else { return [] }
        json.reset()
        RouteEncoder.encode(RouteDrawing(trip), into: &json)
        return json.bytes
    }

    private func publishRoute(of vehicle: Vehicle, _ entry: Entry) {
        guard isLive else { return }
        outbox.publications.append(
            publication(.route, topic: "route", routePayload(of: vehicle), vehicle, entry))
    }

    private func publication(
        _ content: Publication.Content, topic: String, _ payload: [UInt8], _ vehicle: Vehicle,
        _ entry: Entry
    ) -> Publication {
        Publication(
            content, of: .vehicle(vehicle.id),
            topic: self.topic(.vehicle(vehicle.id), topic),
            payload: payload, position: entry.position + 1,
            receivedAt: entry.receivedAt.microseconds)
    }
}

extension TripEvent {
    /// Whether the retained route has to be published again.
    fileprivate var changesRoute: Bool {
        switch kind {
        case .tripAssigned, .waypointReached, .waypointResumed, .waypointSkipped, .rerouted,
            .arrived, .tripStopped:
            true
        case .willReroute, .rerouteFailed, .rerouteCancelled, .holdBreached, .waypointApproached,
            .skipSuggested, .roadblockAhead, .betterRouteFound, .betterRouteGone:
            false
        }
    }
}
