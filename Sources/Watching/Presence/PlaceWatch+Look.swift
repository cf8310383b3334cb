import Geometry
import Tracking

/// The full look at all places around a fix.
extension PlaceWatch {
    /// Up to this way, places along it are found by one search around the fix, in metres.
    static let shortWay = 500.0

    /// A place around which a fix is, and which the vehicle was not in.
    private struct Arrival {
        let number: Int32
        let place: PlaceInForce
        let distance: Double
    }

    mutating func look(
        _ look: Look, _ news: inout PlaceNews, _ outcome: inout WatchOutcome
    ) {
        let places = look.places
        let straight = look.way == nil ? 0 : look.step.straight
        var hits: [Int32] = []
        let clear = places.forEachPlace(
            within: straight <= Self.shortWay ? straight + 1 : 0, of: look.viewpoint
        ) { hits.append($0) }
        var quiet = Quiet(radius: clear)
        let untested = leaveOut(beyond: look.settings.maxHits, of: &hits, places)
        if !untested.isEmpty {
            outcome.untested += untested.count
            quiet.end()
        }

        var arrivals: [Arrival] = []
        for number in hits where presences.index(of: number) == nil {
            guard let place = places[number], place.isMeant(for: look.vehicleID) else { continue }
            let distance = place.area.distance(from: look.viewpoint)
            if place.verdict(look.now, distance: distance, look.settings) == .inside {
                arrivals.append(Arrival(number: number, place: place, distance: distance))
                continue
            }
            pass(place, number, distance, look, &news)
            if place.extent != .point { quiet.limit(to: distance) }
            if place.terms.approach != nil {
                approach(place, number, distance, look, &quiet, &news)
            }
        }
        passFar(look, except: hits, straight, &news)
        leaveGates(look, &quiet)
        followApproaches(look, &quiet, &news)
        judgePresences(look, except: untested, &quiet, &news)
        admit(arrivals, look, &quiet, &news, &outcome)
        ball = QuietBall(
            look.now.coordinate, radius: quiet.radius, topSpeed: quiet.topSpeed,
            hasRoute: look.step.trip?.line != nil, until: quiet.until, version: places.version)
    }

    /// Leaves out the largest of too many places: rule W14.
    ///
    /// - Returns: What was left out.
    private func leaveOut(
        beyond most: Int, of hits: inout [Int32], _ places: PlacesInForce
    ) -> Set<Int32> {
        guard hits.count > most else { return [] }
        let bySize = hits.compactMap { number in places[number].map { (number, $0) } }
            .sorted { $0.1.isSmaller(than: $1.1) }
        hits = bySize.prefix(most).map(\.0)
        return Set(bySize.dropFirst(most).map(\.0))
    }

    /// Takes note of the places that a fix came into, the smallest first while there is room.
    private mutating func admit(
        _ arrivals: [Arrival], _ look: Look, _ quiet: inout Quiet, _ news: inout PlaceNews,
        _ outcome: inout WatchOutcome
    ) {
        guard !arrivals.isEmpty else { return }
        let room = Presences.most - presences.count
        var admitted = arrivals
        if arrivals.count > room {
            outcome.withoutRoom += arrivals.count - room
            quiet.end()
            if room == 0 { return }
            admitted = Array(
                arrivals.sorted { $0.place.isSmaller(than: $1.place) }.prefix(room))
        }
        for arrival in admitted {
            var presence = presence(arrival.number, arrival.place, look)
            if arrival.place.confirmation(look.settings) > 0 {
                quiet.end()
            } else {
                news.entries.append(presence.entered(arrival.place, at: look.time, by: .fix))
                keepQuiet(presence, arrival.place, arrival.distance, &quiet)
            }
            presences.insert(presence)
        }
    }

    /// The beginning of a presence: rules W5 and W7.
    private func presence(_ number: Int32, _ place: PlaceInForce, _ look: Look) -> Presence {
        var presence = Presence(
            number: number, state: .entering, entryReason: entryReason(place, look),
            gap: look.step.gap.map(Float.init) ?? .nan,
            topSpeed: look.speed.map(Float.init) ?? -1, enteredAt: look.time)
        if let way = look.way, let before = look.distanceBefore(place), before > 0 {
            let meeting = way.meeting(with: place.area)
            presence.crossing = way.moment(at: meeting?.first ?? 1)
            presence.isCrossingByRoute = meeting?.isByRoute ?? false
        }
        return presence
    }

    private func entryReason(_ place: PlaceInForce, _ look: Look) -> PresenceReason {
        guard let before = look.step.before else { return .firstFix }
        if place.level != nil, !place.isLevel(of: before),
            place.area.distance(from: before.coordinate) <= 0
        {
            return .level
        }
        return .moved
    }

    /// Limits how far the vehicle may move in a place without a look.
    func keepQuiet(
        _ presence: Presence, _ place: PlaceInForce, _ distance: Double, _ quiet: inout Quiet
    ) {
        guard presence.state == .inside, distance <= 0, place.level == nil else {
            quiet.end()
            return
        }
        quiet.limit(to: -distance)
        quiet.limit(to: presence.dwellsAt(place))
    }
}
