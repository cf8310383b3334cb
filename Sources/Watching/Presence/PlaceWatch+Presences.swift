import Geometry
import Tracking

/// How a fix changes the presences that there are: rules W4, W5, W10 and W13.
extension PlaceWatch {
    mutating func judgePresences(
        _ look: Look, except untested: Set<Int32>, _ quiet: inout Quiet, _ news: inout PlaceNews
    ) {
        var gone: [Int32] = []
        for index in presences.items.indices {
            var presence = presences[index]
            guard let place = look.places[presence.number] else { continue }
            guard !untested.contains(presence.number) else { continue }
            let distance = place.area.distance(from: look.viewpoint)
            let stays = judge(&presence, place, distance, look, &news)
            presences[index] = presence
            if stays {
                keepQuiet(presence, place, distance, &quiet)
            } else {
                gone.append(presence.number)
                // It may be approached again at once.
                quiet.limit(to: place.terms.approach == nil ? distance : 0)
            }
        }
        guard !gone.isEmpty else { return }
        presences.removeAll { gone.contains($0.number) }
    }

    /// Judges one presence, and tells whether it goes on.
    private func judge(
        _ presence: inout Presence, _ place: PlaceInForce, _ distance: Double, _ look: Look,
        _ news: inout PlaceNews
    ) -> Bool {
        let verdict = place.verdict(look.now, distance: distance, look.settings)
        let confirmation = place.confirmation(look.settings)
        switch presence.state {
        case .entering:
            switch verdict {
            case .outside: return false
            case .neither: return true
            case .inside:
                guard look.time.elapsed(since: presence.enteredAt) >= confirmation else {
                    return true
                }
                news.entries.append(presence.entered(place, at: look.time, by: .fix))
            }
        case .inside:
            noteCrossing(&presence, place, distance, look)
            if case .outside(let byLevel) = verdict {
                presence.leave(at: look, byLevel: byLevel)
                guard confirmation <= 0 else { return true }
                news.exits.append(exit(presence, place, distance, look))
                return false
            }
        case .leaving:
            switch verdict {
            case .neither: return true
            case .inside: presence.stay()
            case .outside:
                guard let since = presence.leavingSince,
                    look.time.elapsed(since: since) >= confirmation
                else { return true }
                news.exits.append(exit(presence, place, distance, look))
                return false
            }
        }
        presence.drive(look.step.way, speed: look.speed)
        if let dwell = presence.dwelled(place, now: look.time, at: look.time, by: .fix) {
            news.dwells.append(dwell)
        }
        return true
    }

    private func exit(
        _ presence: Presence, _ place: PlaceInForce, _ distance: Double, _ look: Look
    ) -> PlaceNews.Item {
        presence.exited(
            place, since: presence.leavingSince ?? look.time, distance: distance, at: look.time,
            by: .fix)
    }

    /// Notes where the way left the place last, also while the vehicle is in the band.
    private func noteCrossing(
        _ presence: inout Presence, _ place: PlaceInForce, _ distance: Double, _ look: Look
    ) {
        guard distance > 0 else {
            presence.forgetCrossing()
            return
        }
        guard let way = look.way else {
            presence.forgetCrossing()
            return
        }
        guard let meeting = way.meeting(with: place.area) else { return }
        presence.crossing = way.moment(at: meeting.last)
        presence.isCrossingByRoute = meeting.isByRoute
    }
}

extension Presence {
    /// Begins to leave.
    fileprivate mutating func leave(at look: Look, byLevel: Bool) {
        state = .leaving
        leavingSince = look.time
        exitReason = byLevel ? .level : .moved
        gap = look.step.gap.map(Float.init) ?? .nan
    }

    /// Does not leave after all.
    mutating func stay() {
        state = .inside
        leavingSince = nil
        forgetCrossing()
    }

    mutating func forgetCrossing() {
        crossing = nil
        isCrossingByRoute = false
    }

    /// Notes a way that was driven inside, at a reported speed.
    mutating func drive(_ way: Double, speed: Double?) {
        distance += way
        if let speed { topSpeed = max(topSpeed, Float(speed)) }
    }
}
