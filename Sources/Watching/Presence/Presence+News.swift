import Geometry
import Tracking

/// How what happens between a vehicle and a place is put into words.
extension Presence {
    /// The entry, as it is told at a moment.
    mutating func entered(
        _ place: PlaceInForce, at time: Timestamp, by basis: Alarm.Basis
    ) -> PlaceNews.Item {
        state = .inside
        isEntryTold = place.tells(.enter, at: time)
        let entry = PlaceEntry(
            place: place.label, reason: entryReason, since: enteredAt, crossedAt: crossing,
            gap: gap.isNaN ? nil : Double(gap))
        let visit = Visit(
            placeID: place.id, enteredAt: enteredAt, leftAt: nil, crossedInAt: crossing,
            crossedOutAt: nil, enteredBy: entryReason, isPass: false,
            placeRevision: place.place.revision, distance: 0,
            topSpeed: topSpeed < 0 ? nil : Double(topSpeed))
        let basis = isCrossingByRoute && basis == .fix ? .route : basis
        crossing = nil
        isCrossingByRoute = false
        return PlaceNews.Item(
            place: place, kind: .placeEntered(entry), isTold: isEntryTold, basis: basis,
            change: .visit(visit))
    }

    /// The exit, as it is told at a moment.
    ///
    /// - Parameters:
    ///   - since: When the vehicle left.
    ///   - distance: Metres beyond the boundary, where that decided.
    func exited(
        _ place: PlaceInForce, since: Timestamp, distance: Double, at time: Timestamp,
        by basis: Alarm.Basis
    ) -> PlaceNews.Item {
        let exit = PlaceExit(
            place: place.label, reason: exitReason, since: since, crossedAt: crossing,
            gap: gap.isNaN ? nil : Double(gap), enteredAt: enteredAt, isEntryTold: isEntryTold,
            distance: exitReason == .moved || exitReason == .placePut ? max(distance, 0) : 0)
        let end = VisitEnd(
            placeID: place.id, enteredAt: enteredAt, leftAt: max(since, enteredAt),
            crossedOutAt: crossing, leftBy: exitReason, distance: self.distance,
            topSpeed: topSpeed < 0 ? nil : Double(topSpeed))
        let basis = isCrossingByRoute && basis == .fix ? .route : basis
        return PlaceNews.Item(
            place: place, kind: .placeExited(exit), isTold: place.tells(.exit, at: time),
            basis: basis, change: .visitEnded(end))
    }

    /// The dwelling, where it is due; `nil` where it is not.
    ///
    /// - Parameters:
    ///   - now: The vehicle's own time.
    ///   - time: The alarm's.
    mutating func dwelled(
        _ place: PlaceInForce, now: Timestamp, at time: Timestamp, by basis: Alarm.Basis
    ) -> PlaceNews.Item? {
        guard state == .inside, !hasDwelled, let due = dwellsAt(place), now >= due else {
            return nil
        }
        hasDwelled = true
        let dwell = PlaceDwell(
            place: place.label, enteredAt: enteredAt, inside: max(now.elapsed(since: enteredAt), 0))
        return PlaceNews.Item(
            place: place, kind: .placeDwelled(dwell), isTold: place.isActive(at: time),
            basis: basis)
    }

    /// When the vehicle will have dwelled, in its own time; `nil` for never, or when it has.
    func dwellsAt(_ place: PlaceInForce) -> Timestamp? {
        guard !hasDwelled, let dwell = place.dwell else { return nil }
        return enteredAt.advanced(by: dwell)
    }
}
