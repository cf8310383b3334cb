package import Tracking

/// Runs what happened to a trip through the state machine, step by step.
package struct Replay {
    private var trip: Trip
    private var stepCount = 0
    private let planner: Planner

    /// Who answers the trip's requests for routes.
    package enum Planner: Sendable {
        /// The steps hold the answers.
        case steps
        /// Nobody: each request fails at once, as with a worker that has no planner.
        case none
    }

    /// Starts the trip.
    ///
    /// - Parameter newest: The vehicle's newest position before, where a first route starts by default.
    /// - Throws: Why the assignment is refused.
    package init(
        _ assignment: Assignment, newest: Fix? = nil, at time: Timestamp, planner: Planner
    ) throws(Refusal) {
        self.planner = planner
        let (trip, outcome) = try Trip.start(assignment, newest: newest, at: time)
        self.trip = trip
        _ = fail(outcome.request, at: time)
    }

    /// Takes a step, and writes what came of it: `{"input":index,"events":[…],"progress":{…}}`.
    ///
    /// Of a command that is refused, `refused` tells why; of a fix that is stored and not tracked, `history`.
    package mutating func take(_ step: Scenario.Step, into json: inout JSONWriter) {
        let outcome = trip.handle(step.input, at: step.receivedAt)
        let events = outcome.events + fail(outcome.request, at: step.receivedAt)
        json.object { json in
            json.member("input", stepCount)
            json.key("events")
            json.array { json in
                for event in events {
                    EventEncoder.encode(
                        event, tripID: trip.id, vehicleID: trip.vehicleID, into: &json)
                }
            }
            json.key("progress")
            ProgressEncoder.encode(
                trip.progress, tripID: trip.id, vehicleID: trip.vehicleID, into: &json)
            if let refusal = outcome.refusal {
                json.key("refused")
                json.object { json in
                    json.member("reason", refusal.reason.rawValue)
                    json.member("detail", refusal.detail)
                }
            }
            if case .history(let reason) = outcome.disposition {
                json.member("history", reason.rawValue)
            }
        }
        stepCount += 1
    }

    /// Answers a request where nobody plans, and returns what the trip says to that.
    private mutating func fail(_ request: RouteRequest?, at time: Timestamp) -> [TripEvent] {
        guard planner == .none, let request else { return [] }
        let reason = Refusal.Reason.noPlanner.rawValue
        return trip.handle(.routeFailed(request: request.number, reason: reason), at: time).events
    }
}
