import Store
import Telemetry
import Tracking

/// How commands move the fleet.
extension Fleet {
    /// Carries a command out, or publishes why not.
    func command(_ name: String, vehicleID: String, _ entry: Entry) {
        let decoded = decode(name, vehicleID, entry)
        // A vehicle is known by its positions and trips: a refused command leaves nothing behind.
        let vehicle = vehicles[vehicleID] ?? Vehicle(id: vehicleID)
        if let id = decoded.commandID, carriedOut.holds(vehicleID, id, at: entry.receivedAt) {
            return
        }
        let result: Result<Bool, Refusal> =
            switch decoded.outcome {
            case .success(let command): carryOut(command, decoded, vehicle, entry)
            case .failure(let refusal): .failure(refusal)
            }
        switch result {
        case .success(false): return
        case .success(true):
            tally.commands[name, default: 0] += 1
            if let id = decoded.commandID {
                carriedOut.note(vehicleID, id, at: entry.receivedAt)
            }
            record(decoded, name, vehicle, entry, refusal: nil)
        case .failure(let refusal):
            tally.refusals[refusal.reason.rawValue, default: 0] += 1
            record(decoded, name, vehicle, entry, refusal: refusal)
            publish(refusal, of: decoded, name, vehicle, entry)
        }
    }

    private func decode(_ name: String, _ vehicleID: String, _ entry: Entry) -> CommandMessage {
        guard entry.payloadLength <= settings.maxPayloadBytes else {
            let refusal = Refusal(
                .invalidCommand,
                "the payload has \(entry.payloadLength) bytes, more than the "
                    + "\(settings.maxPayloadBytes) allowed")
            return CommandMessage(
                name: name, commandID: nil, tripID: nil, outcome: .failure(refusal))
        }
        return commandDecoder.decode(
            name: name, payload: entry.payload, vehicleID: vehicleID,
            isRetained: entry.isRetained, receivedAt: entry.receivedAt, defaults: options,
            maxBytes: settings.maxPayloadBytes)
    }

    /// Returns whether there was anything to do: a repeated `assign` is no failure.
    private func carryOut(
        _ command: Command, _ decoded: CommandMessage, _ vehicle: Vehicle, _ entry: Entry
    ) -> Result<Bool, Refusal> {
        if case .assign(let assignment) = command {
            return assign(assignment, decoded, vehicle, entry)
        }
        guard let trip = vehicle.trip else {
            return .failure(
                Refusal(.noActiveTrip, "vehicle \(vehicle.id) has no active trip"))
        }
        if let named = decoded.tripID, named != trip.id {
            return .failure(
                Refusal(
                    .tripMismatch,
                    "the command is for trip \(named), but \(trip.id) is the active one"))
        }
        guard let input = input(of: command) else {
            return .failure(
                Refusal(.noPlanner, "no planner is configured: hand over a route by command/route"))
        }
        vehicle.note(entry)
        guard let outcome = vehicle.trip?.handle(input, at: entry.receivedAt, among: roads) else {
            return .success(false)
        }
        if let refusal = outcome.refusal { return .failure(refusal) }
        markChanged(vehicle)
        settle(outcome, of: vehicle, entry, commandID: decoded.commandID)
        return .success(true)
    }

    /// What the command means to a trip; `nil` for a route that nobody can plan.
    private func input(of command: Command) -> TripInput? {
        switch command {
        case .assign: nil
        case .proceed(let index): .proceed(waypointIndex: index)
        case .skip(let index): .skip(waypointIndex: index)
        case .reroute: settings.planner == .none ? nil : .reroute
        case .avoid(let start, let length):
            settings.planner == .none ? nil : .avoid(start: start, length: length)
        case .accept(let proposal): .accept(proposal: proposal)
        case .decline(let proposal): .decline(proposal: proposal)
        case .route(let route, let request, let path):
            .route(route, request: request, deviationPath: path)
        case .stop: .stop(.stopped)
        }
    }

    private func assign(
        _ assignment: Assignment, _ decoded: CommandMessage, _ vehicle: Vehicle, _ entry: Entry
    ) -> Result<Bool, Refusal> {
        if vehicle.trip?.id == assignment.tripID { return .success(false) }
        guard !usedTrips.holds(vehicle.id, assignment.tripID, at: entry.receivedAt) else {
            return .failure(
                Refusal(
                    .tripExists,
                    "vehicle \(vehicle.id) has used trip id \(assignment.tripID) before"))
        }
        guard assignment.route != nil || settings.planner != .none else {
            return .failure(
                Refusal(.noPlanner, "no planner is configured: the assignment needs a route"))
        }
        do {
            let started = try Trip.start(
                assignment, newest: vehicle.newest, at: entry.receivedAt, among: roads)
            vehicle.note(entry)
            if let outcome = vehicle.trip?.handle(
                .stop(.superseded), at: entry.receivedAt, among: roads)
            {
                settle(outcome, of: vehicle, entry, commandID: decoded.commandID)
            }
            know(vehicle)
            usedTrips.note(vehicle.id, assignment.tripID, at: started.trip.assignedAt)
            vehicle.trip = started.trip
            vehicle.ended = nil
            vehicle.unsaved.isTripNew = true
            vehicle.unsaved.isRouteChanged = false
            if started.trip.route != nil { markRouteChanged(started.trip, of: vehicle) }
            if isLive { outbox.timed.append(vehicle) }
            settle(started.outcome, of: vehicle, entry, commandID: decoded.commandID)
            return .success(true)
        } catch {
            return .failure(error)
        }
    }

    private func record(
        _ decoded: CommandMessage, _ name: String, _ vehicle: Vehicle, _ entry: Entry,
        refusal: Refusal?
    ) {
        changes?.commands.append(
            CommandRow(
                vehicleID: vehicle.id, commandID: decoded.commandID, name: name,
                tripID: decoded.tripID ?? vehicle.trip?.id,
                receivedAt: entry.receivedAt.microseconds, reason: refusal?.reason.rawValue,
                entry: entry.position))
    }

    private func publish(
        _ refusal: Refusal, of decoded: CommandMessage, _ name: String, _ vehicle: Vehicle,
        _ entry: Entry
    ) {
        let rejection = CommandRejection(
            id: EventID.rejection(spoolID: spoolID, position: entry.position),
            vehicleID: vehicle.id, tripID: decoded.tripID ?? vehicle.trip?.id,
            time: entry.receivedAt, progress: vehicle.trip?.progress, command: name,
            commandID: decoded.commandID, refusal: refusal)
        json.reset()
        EventEncoder.encode(rejection, into: &json)
        publish(
            event: rejection.id, type: CommandRejection.type, tripID: rejection.tripID,
            sequence: nil, at: entry.receivedAt, vehicle, entry)
    }
}
