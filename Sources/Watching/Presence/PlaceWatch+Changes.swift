import Geometry
import Tracking

/// What becomes of presences when places change: rule W8.
extension PlaceWatch {
    /// Judges the vehicle against a place that was put.
    ///
    /// - Parameters:
    ///   - newest: The vehicle's last usable fix.
    ///   - time: The later of the command's reception and that fix's time.
    mutating func put(
        _ number: Int32, newest: Whereabouts, at time: Timestamp, vehicleID: String,
        _ surroundings: Surroundings, _ outcome: inout WatchOutcome
    ) -> PlaceNews.Item? {
        forget(number)
        guard let place = surroundings.places[number] else { return nil }
        let index = presences.index(of: number)
        guard index != nil || place.box.contains(newest.coordinate) else { return nil }
        let distance = place.area.distance(from: newest.coordinate)
        let isMeant = place.isMeant(for: vehicleID)
        let verdict = place.verdict(newest, distance: distance, surroundings.settings)
        if let index, presences[index].isInside {
            if isMeant, verdict == .inside || verdict == .neither {
                presences[index].stay()
                return nil
            }
            var presence = presences[index]
            presences.remove(number)
            let isMoved = isMeant && verdict == .outside(byLevel: false)
            return presence.end(
                place, by: .placePut, distance: isMoved ? distance : 0, at: time)
        }
        presences.remove(number)
        guard isMeant, verdict == .inside else { return nil }
        guard !presences.isFull else {
            outcome.withoutRoom += 1
            return nil
        }
        var presence = Presence(
            number: number, state: .entering, entryReason: .placePut, gap: .nan, enteredAt: time)
        let item = presence.entered(place, at: time, by: .command)
        presences.insert(presence)
        return item
    }

    /// Ends what there is between the vehicle and a place that is about to be deleted.
    mutating func delete(
        _ number: Int32, at time: Timestamp, _ places: PlacesInForce
    ) -> PlaceNews.Item? {
        forget(number)
        guard let place = places[number], let index = presences.index(of: number) else {
            return nil
        }
        var presence = presences[index]
        presences.remove(number)
        return presence.isInside
            ? presence.end(place, by: .placeDeleted, distance: 0, at: time) : nil
    }

    /// Forgets what is not a presence.
    private mutating func forget(_ number: Int32) {
        if passedGates.contains(number) { passedGates.removeAll { $0 == number } }
        if approaches.contains(number) { approaches.remove(number) }
    }
}

extension Presence {
    /// Ends it by a command.
    fileprivate mutating func end(
        _ place: PlaceInForce, by reason: PresenceReason, distance: Double, at time: Timestamp
    ) -> PlaceNews.Item {
        exitReason = reason
        gap = .nan
        forgetCrossing()
        return exited(place, since: time, distance: distance, at: time, by: .command)
    }
}
