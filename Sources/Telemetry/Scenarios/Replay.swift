package import Tracking
package import Watching

/// Runs what happened to a trip and its vehicle through the rules, step by step.
package struct Replay {
    private var trip: Trip?
    private let vehicleID: String
    private var watches: [String: Watch] = [:]
    private var surroundings: Surroundings
    /// The newest revision of each place there ever was.
    private var revisions: [String: Int] = [:]
    /// The fix with the greatest time, for a vehicle without a trip.
    private var newest: Fix?
    private var stepCount = 0
    private let planner: Planner
    /// What the tables hold of the vehicles' doings.
    package private(set) var rows = ReplayRows()

    /// Who answers the trip's requests for routes.
    package enum Planner: Sendable {
        /// The steps hold the answers.
        case steps
        /// Nobody: each request fails at once, as with a worker that has no planner.
        case none
    }

    /// Begins a scenario.
    ///
    /// - Parameters:
    ///   - newest: The vehicle's newest position before, where a first route starts by default.
    ///   - zones: Returns the rules of an IANA time zone; `nil` for one that is not known.
    /// - Throws: Why the assignment is refused.
    package init(
        _ scenario: Scenario, newest: Fix? = nil, planner: Planner,
        zones: @escaping @Sendable (String) -> (any ZoneRules)? = { _ in nil }
    ) throws(Refusal) {
        self.planner = planner
        vehicleID = scenario.vehicleID
        surroundings = Surroundings(
            settings: scenario.alarms.watch, places: PlacesInForce(zones: zones))
        for place in scenario.places {
            surroundings.places.put(place)
            revisions[place.id] = place.revision
        }
        watches[vehicleID] = Watch(vehicleID: vehicleID)
        guard let assignment = scenario.assignment else { return }
        let (trip, outcome) = try Trip.start(
            assignment, newest: newest, at: scenario.assignedAt)
        self.trip = trip
        _ = fail(outcome.request, at: scenario.assignedAt)
    }

    /// What came of one step.
    private struct Result {
        var events: [TripEvent] = []
        var alarms: [(alarm: Alarm, vehicleID: String)] = []
        var refusal: Refusal?
        var history: HistoryReason?
    }

    /// Takes a step, and writes what came of it: `{"input":index,"events":[…],"progress":{…},"alarms":[…]}`.
    ///
    /// Of a command that is refused, `refused` tells why; of a fix that is stored and not tracked, `history`.
    package mutating func take(_ step: Scenario.Step, into json: inout JSONWriter) {
        var result = Result()
        switch step.input {
        case .trip(let input): take(input, at: step.receivedAt, &result)
        case .positions(let positions, let id):
            // The fixes of one message are judged in the order of their times.
            for position in positions.inOrderOfTime() {
                take(position, of: id ?? vehicleID, &result)
            }
            if positions.count > 1 { result.history = nil }
        case .put(let id, .success(let content)): put(id, content, at: step.receivedAt, &result)
        case .put(_, .failure(let refusal)): result.refusal = refusal
        case .delete(let id): delete(id, at: step.receivedAt, &result)
        case .clock:
            let (own, view) = (vehicleID, trip?.view(match: nil))
            forEachWatch(at: step.receivedAt, &result) { id in
                .clock(trip: id == own ? view : nil)
            }
        }
        write(result, into: &json)
        stepCount += 1
    }

    /// When the clock would speak next, if nothing comes before; `nil` for never.
    package var deadline: Timestamp? {
        watches.values.compactMap { $0.deadline(in: surroundings) }.min()
    }

    private mutating func take(
        _ input: TripInput, at time: Timestamp, _ result: inout Result
    ) {
        guard let outcome = trip?.handle(input, at: time) else {
            result.refusal = Refusal(.noActiveTrip, "vehicle \(vehicleID) has no active trip")
            return
        }
        result.events += outcome.events + fail(outcome.request, at: time)
        result.refusal = outcome.refusal
    }

    private mutating func take(
        _ position: Scenario.Position, of id: String, _ result: inout Result
    ) {
        let (fix, time) = (position.fix, position.receivedAt)
        var view: TripView?
        if id == vehicleID {
            if fix.time > newest?.time ?? Scenario.longAgo { newest = fix }
            let wasOver = trip?.isOver ?? true
            if let outcome = trip?.handle(.fix(fix), at: time) {
                result.events += outcome.events + fail(outcome.request, at: time)
                if case .history(let reason) = outcome.disposition { result.history = reason }
                if !wasOver { view = trip?.view(match: outcome.match) }
            }
        }
        let watched = WatchedFix(fix, ignition: position.ignition, trip: view)
        tell(.fix(watched), to: id, at: time, &result)
    }

    private mutating func put(
        _ id: String, _ content: PlaceContent, at time: Timestamp, _ result: inout Result
    ) {
        if surroundings.places.place(id)?.content == content { return }
        let revision = revisions[id, default: 0] + 1
        revisions[id] = revision
        let change = surroundings.places.put(
            Place(id: id, revision: revision, putAt: time, content: content))
        forEachWatch(at: time, &result) { _ in .placePut(change) }
    }

    private mutating func delete(_ id: String, at time: Timestamp, _ result: inout Result) {
        forEachWatch(at: time, &result) { _ in .placeDeleted(id: id) }
        surroundings.places.remove(id)
    }

    private mutating func forEachWatch(
        at time: Timestamp, _ result: inout Result, _ input: (String) -> WatchInput
    ) {
        for id in watches.keys.sorted() { tell(input(id), to: id, at: time, &result) }
    }

    private mutating func tell(
        _ input: WatchInput, to id: String, at time: Timestamp, _ result: inout Result
    ) {
        let outcome = watches[id, default: Watch(vehicleID: id)].handle(
            input, at: time, in: surroundings)
        result.alarms += outcome.alarms.map { ($0, id) }
        for change in outcome.changes {
            rows.apply(change, vehicleID: id, tripID: tripID(of: id))
        }
    }

    /// The trip that a vehicle is on; `nil` without one.
    private func tripID(of id: String) -> String? { id == vehicleID ? trip?.id : nil }

    private func write(_ result: Result, into json: inout JSONWriter) {
        json.object { json in
            json.member("input", stepCount)
            json.key("events")
            json.array { json in
                for event in result.events {
                    EventEncoder.encode(
                        event, tripID: trip?.id ?? "", vehicleID: vehicleID, into: &json)
                }
            }
            json.key("progress")
            writeProgress(into: &json)
            json.key("alarms")
            json.array { json in
                for (alarm, id) in result.alarms {
                    AlarmEncoder.encode(
                        alarm, vehicleID: id, tripID: tripID(of: id), into: &json)
                }
            }
            if let refusal = result.refusal {
                json.key("refused")
                json.object { json in
                    json.member("reason", refusal.reason.rawValue)
                    json.member("detail", refusal.detail)
                }
            }
            if let history = result.history { json.member("history", history.rawValue) }
        }
    }

    private func writeProgress(into json: inout JSONWriter) {
        guard let progress = trip?.progress ?? newest.map(Progress.init(idleAt:)) else {
            return json.null()
        }
        ProgressEncoder.encode(
            progress, watch: watches[vehicleID]?.summary(in: surroundings) ?? WatchSummary(),
            tripID: trip?.id, vehicleID: vehicleID, into: &json)
    }

    /// Answers a request where nobody plans, and returns what the trip says to that.
    private mutating func fail(_ request: RouteRequest?, at time: Timestamp) -> [TripEvent] {
        guard planner == .none, let request else { return [] }
        let reason = Refusal.Reason.noPlanner.rawValue
        return trip?.handle(.routeFailed(request: request.number, reason: reason), at: time)
            .events ?? []
    }
}

extension [Scenario.Position] {
    /// The positions by their times; those of one time stay in their order.
    fileprivate func inOrderOfTime() -> [Scenario.Position] {
        indices.sorted { (self[$0].fix.time, $0) < (self[$1].fix.time, $1) }.map { self[$0] }
    }
}
