public import Tracking

/// What becomes of a vehicle by commands, and by time alone.
extension Watch {
    /// Judges the vehicle at once against a place that was put.
    mutating func put(
        _ change: PlaceChange, _ received: Timestamp, _ surroundings: Surroundings,
        _ outcome: inout WatchOutcome
    ) {
        guard change.isJudged, let newest,
            let number = surroundings.places.number(of: change.id)
        else { return }
        let time = max(received, newest.time)
        let item = places.put(
            number, newest: newest, at: time, vehicleID: vehicleID, surroundings, &outcome)
        if let item { tell(item, at: time, received, &outcome) }
    }

    /// Ends what there is between the vehicle and a place that is about to be deleted.
    mutating func delete(
        _ id: String, _ received: Timestamp, _ inForce: PlacesInForce,
        _ outcome: inout WatchOutcome
    ) {
        guard let newest, let number = inForce.number(of: id) else { return }
        let time = max(received, newest.time)
        if let item = places.delete(number, at: time, inForce) {
            tell(item, at: time, received, &outcome)
        }
    }

    /// Looks what a silent vehicle, which is taken to have stayed where it was, has done by now: rule W11.
    mutating func look(
        at received: Timestamp, _ trip: TripView?, _ surroundings: Surroundings,
        _ outcome: inout WatchOutcome
    ) {
        guard let newest else { return }
        let now = newest.time.advanced(by: received.elapsed(since: newest.receivedAt))
        let news = places.look(after: newest, now: now, at: received, surroundings)
        tell(news, at: received, received, &outcome)
        lookAtMotion(
            at: received, trip: trip,
            place: places.presences.smallestPlace(in: surroundings.places),
            surroundings.settings, &outcome)
        if let silent = silence.begin(after: newest, at: received, surroundings.settings) {
            tell(.vehicleSilent(silent), at: received, received, .clock, in: &outcome)
        }
    }

    /// The reception time of the clock entry that is due next if no usable fix comes before; `nil` for none.
    ///
    /// It changes with each usable fix, and may with each place that is put or deleted.
    public func deadline(in surroundings: Surroundings) -> Timestamp? {
        guard let newest else { return nil }
        let place = places.deadline(surroundings).map { deadline in
            newest.receivedAt.advanced(by: max(deadline.elapsed(since: newest.time), 0))
        }
        let others = [
            silence.deadline(after: newest, surroundings.settings),
            motionDeadline(surroundings.settings),
        ]
        return others.reduce(place) { earliest, other in
            guard let earliest, let other else { return earliest ?? other }
            return min(earliest, other)
        }
    }
}

/// Where the vehicle is, for those who show it.
extension Watch {
    /// When the newest usable fix was received; `nil` before the first.
    public var lastReception: Timestamp? { newest?.receivedAt }

    /// The ids of the places that it is in, the smallest first.
    public func placesInside(in surroundings: Surroundings) -> [String] {
        guard !places.presences.isEmpty else { return [] }
        return places.presences.items.filter(\.isInside)
            .compactMap { surroundings.places[$0.number] }
            .sorted { $0.isSmaller(than: $1) }.map(\.id)
    }

    /// Since when it is in a place; `nil` where it is not.
    public func entered(_ placeID: String, in surroundings: Surroundings) -> Timestamp? {
        guard let number = surroundings.places.number(of: placeID),
            let index = places.presences.index(of: number), places.presences[index].isInside
        else { return nil }
        return places.presences[index].enteredAt
    }
}
