import Geometry

/// Better routes on offer: rules T1 to T7.
extension Trip {
    /// How long an offer stands, in seconds.
    private static let offerTime = 300.0
    /// How long a way that was declined or passed by is not offered again, in seconds.
    private static let declinedTime = 900.0
    /// With less than this left to drive, in seconds, nobody is asked for a better route.
    private static let leastLeft = 600.0
    /// So far beyond the branch, in metres, an offer has been passed by.
    private static let beyondBranch = 50.0

    /// The reception time at which the clock has to speak; `nil` while it has nothing to say.
    public var nextDeadline: Timestamp? {
        guard !isOver, let roads else { return nil }
        return [roads.nextQuestion, roads.offer?.proposal.validUntil].compactMap(\.self).min()
    }

    /// The better route on offer; `nil` while there is none.
    public var proposal: ProposalOnOffer? {
        guard !isOver, let offer = roads?.offer else { return nil }
        return ProposalOnOffer(proposal: offer.proposal, line: offer.record.line)
    }

    /// The clock's word: an offer may have expired, and a question be due.
    mutating func tick(
        _ received: Timestamp, among conditions: RoadConditions
    ) -> TripOutcome {
        var outcome = TripOutcome()
        if let offer = roads?.offer, received >= offer.proposal.validUntil {
            endOffer(.expired, at: received, &outcome)
        }
        guard let due = roads?.nextQuestion, received >= due else { return outcome }
        planQuestion(after: received)
        guard roads?.offer == nil, mayAskForBetter(among: conditions),
            remainingTime ?? 0 >= Self.leastLeft
        else { return outcome }
        outcome.request = askForBetter(received, among: conditions)
        return outcome
    }

    /// Plans the next question for a better route, where the trip wants them.
    mutating func planQuestion(after received: Timestamp) {
        guard options.betterRoute != .off else { return }
        roadState.nextQuestion = received.advanced(by: options.betterRouteInterval)
    }

    /// Asks for a better route now, or else as soon as that may be.
    mutating func askAtOnce(
        _ received: Timestamp, among conditions: RoadConditions, _ outcome: inout TripOutcome
    ) {
        guard options.betterRoute != .off else { return }
        if mayAskForBetter(among: conditions) {
            outcome.request = askForBetter(received, among: conditions)
        } else {
            roadState.nextQuestion = received
        }
    }

    /// Takes the answer to a question for a better route, and offers it where it is one.
    mutating func consider(
        _ route: ProvidedRoute, _ received: Timestamp, among conditions: RoadConditions
    ) -> TripOutcome {
        var outcome = TripOutcome()
        let number = requests.lastNumber
        let line = RouteLine(route.coordinates)
        let placement = line.map { place(on: $0, legEnds: route.legEnds) }
        requests.withdraw()
        guard phase == .underway, let record, let line,
            case .success(let spots) = placement
        else { return outcome }
        let answer = RouteRecord(line: line, revision: 0, route: route, spots: spots)
        guard let gain = gain(of: answer, over: record, among: conditions),
            !Likeness.isSame(line, as: record.line), !isDeclined(line, at: received),
            roads?.offer.map({ Likeness.isSame(line, as: $0.record.line) }) != true
        else { return outcome }
        if roads?.offer != nil { endOffer(.superseded, at: received, &outcome) }
        let here = place ?? 0
        let branch = Likeness.branch(of: line, from: record.line, at: here)
        let proposal = TripEvent.Proposal(
            number: number, gain: gain.seconds,
            duration: answer.remainingDuration(from: 0), length: line.length,
            branch: record.line.point(at: branch), branchDistance: max(branch - here, 0),
            validUntil: received.advanced(by: Self.offerTime))
        roadState.offer = RoadState.Offer(proposal: proposal, record: answer, branch: branch)
        tell(.betterRouteFound(proposal), at: received, in: &outcome)
        guard options.betterRoute == .take else { return outcome }
        outcome.append(accept(nil, received, among: conditions))
        return outcome
    }

    /// Puts the route on offer in force.
    mutating func accept(
        _ number: Int?, _ received: Timestamp, among conditions: RoadConditions
    ) -> TripOutcome {
        guard let offer = offer(number, at: received) else { return noProposal(number) }
        var outcome = TripOutcome()
        endOffer(.accepted, at: received, &outcome)
        let route = RouteRecord(offer.record, revision: routeRevision + 1)
        outcome.append(drive(route, reason: .better, path: [], received, among: conditions))
        return outcome
    }

    /// Turns the route on offer down.
    mutating func decline(_ number: Int?, _ received: Timestamp) -> TripOutcome {
        guard offer(number, at: received) != nil else { return noProposal(number) }
        var outcome = TripOutcome()
        endOffer(.declined, at: received, &outcome)
        return outcome
    }

    /// Takes the offer back, if there is one.
    mutating func endOffer(
        _ reason: TripEvent.ProposalEnd, at time: Timestamp, _ outcome: inout TripOutcome
    ) {
        guard let offer = roads?.offer else { return }
        var state = roadState
        state.offer = nil
        if reason == .declined || reason == .passed {
            let until = time.advanced(by: Self.declinedTime)
            state.declined.removeAll { $0.until <= time }
            state.declined.append(
                RoadState.DeclinedWay(line: offer.record.line, until: until))
        }
        roadState = state
        tell(
            .betterRouteGone(proposal: offer.proposal.number, reason), at: time, in: &outcome)
    }

    /// Takes the offer back where the vehicle has driven past the branch.
    mutating func passBranch(at time: Timestamp, _ outcome: inout TripOutcome) {
        guard let offer = roads?.offer, let place, place > offer.branch + Self.beyondBranch else {
            return
        }
        endOffer(.passed, at: time, &outcome)
    }

    private mutating func askForBetter(
        _ received: Timestamp, among conditions: RoadConditions
    ) -> RouteRequest? {
        guard let newest else { return nil }
        planQuestion(after: received)
        return ask(
            for: .better, from: newest.coordinate, course: newest.course, received,
            among: conditions)
    }

    private func mayAskForBetter(among conditions: RoadConditions) -> Bool {
        conditions.offersBetter && phase == .underway && requests.open == nil && record != nil
            && newest != nil
    }

    /// Seconds that the route in force still takes; `nil` where unknown.
    private var remainingTime: Double? {
        guard let record, let remainingDistance else { return nil }
        return record.remainingDuration(from: place ?? 0) ?? pace.time(for: remainingDistance)
    }

    /// What makes an answer better than the route in force: rule T3.
    private struct Gain {
        /// Seconds; `nil` where it is better only since it avoids a roadblock.
        var seconds: Double?
    }

    private func gain(
        of answer: RouteRecord, over record: RouteRecord, among conditions: RoadConditions
    ) -> Gain? {
        if let left = remainingTime, let needed = answer.remainingDuration(from: 0) {
            let least = max(options.betterRouteGain, options.betterRouteGainRatio * left)
            if left - needed >= least { return Gain(seconds: left - needed) }
        }
        let isBlocked = !roadblocks(on: record.line, from: place ?? 0, among: conditions).isEmpty
        let isFree = roadblocks(on: answer.line, among: conditions).isEmpty
        return isBlocked && isFree ? Gain(seconds: nil) : nil
    }

    private func isDeclined(_ line: RouteLine, at time: Timestamp) -> Bool {
        guard let declined = roads?.declined else { return false }
        return declined.contains { $0.until > time && Likeness.isSame(line, as: $0.line) }
    }

    /// The offer of a number, or any where none is given, while it stands.
    private func offer(_ number: Int?, at time: Timestamp) -> RoadState.Offer? {
        guard let offer = roads?.offer, time < offer.proposal.validUntil,
            number == nil || number == offer.proposal.number
        else { return nil }
        return offer
    }

    private func noProposal(_ number: Int?) -> TripOutcome {
        let there = roads?.offer.map { "proposal \($0.proposal.number) is on offer" }
        let named = number.map { "proposal \($0) is not on offer: " } ?? ""
        return .refused(.noProposal, named + (there ?? "none is on offer"))
    }
}
