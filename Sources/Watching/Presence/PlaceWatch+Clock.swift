import Geometry
import Tracking

/// What becomes of presences by time alone: rules W4, W10 and W11.
extension PlaceWatch {
    /// Looks what a vehicle that has stayed where it was has done by now.
    ///
    /// - Parameters:
    ///   - newest: Its last usable fix.
    ///   - now: Its own time.
    ///   - received: The clock entry's time.
    mutating func look(
        after newest: Whereabouts, now: Timestamp, at received: Timestamp,
        _ surroundings: Surroundings
    ) -> PlaceNews {
        var news = PlaceNews()
        var gone: [Int32] = []
        for index in presences.items.indices {
            var presence = presences[index]
            guard let place = surroundings.places[presence.number] else { continue }
            let confirmation = place.confirmation(surroundings.settings)
            switch presence.state {
            case .entering where now >= presence.enteredAt.advanced(by: confirmation):
                news.entries.append(presence.entered(place, at: received, by: .clock))
            case .leaving:
                guard let since = presence.leavingSince,
                    now >= since.advanced(by: confirmation)
                else { continue }
                gone.append(presence.number)
                let distance = place.area.distance(from: newest.coordinate)
                news.exits.append(
                    presence.exited(
                        place, since: since, distance: distance, at: received, by: .clock))
                continue
            case .entering, .inside: break
            }
            if let dwell = presence.dwelled(place, now: now, at: received, by: .clock) {
                news.dwells.append(dwell)
            }
            presences[index] = presence
        }
        if !gone.isEmpty { presences.removeAll { gone.contains($0.number) } }
        if !news.isEmpty { ball = QuietBall() }
        return news
    }

    /// When time alone will change anything, in the vehicle's own time; `nil` for never.
    func deadline(_ surroundings: Surroundings) -> Timestamp? {
        var earliest: Timestamp?
        for presence in presences.items {
            guard let place = surroundings.places[presence.number] else { continue }
            let confirmation = place.confirmation(surroundings.settings)
            let deadline: Timestamp? =
                switch presence.state {
                case .entering: presence.enteredAt.advanced(by: confirmation)
                case .inside: presence.dwellsAt(place)
                case .leaving: presence.leavingSince?.advanced(by: confirmation)
                }
            guard let deadline else { continue }
            earliest = min(earliest ?? deadline, deadline)
        }
        return earliest
    }
}
