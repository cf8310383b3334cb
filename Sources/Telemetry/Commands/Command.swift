package import Geometry
package import Tracking

/// What operations can tell the worker to do with a vehicle's trip.
package enum Command: Equatable, Sendable {
    /// Start a trip.
    case assign(Assignment)
    /// Release the vehicle from its hold; a given index must be the held via point's.
    case proceed(waypointIndex: Int?)
    /// Drop the next via point unvisited; a given index must be its.
    case skip(waypointIndex: Int?)
    /// Ask the planner for a new route now.
    case reroute
    /// Close a piece of the trip's route for it: `length` metres from `start` metres ahead on.
    case avoid(start: Double, length: Double)
    /// Put the better route on offer in force; a given number must be its.
    case accept(proposal: Int?)
    /// Turn the better route on offer down; a given number must be its.
    case decline(proposal: Int?)
    /// Take this route: the answer to a request, or unasked (`nil`).
    case route(ProvidedRoute, request: Int?, deviationPath: [Coordinate])
    /// End the trip.
    case stop

    /// The names of commands, the last level of their topics.
    package enum Name: String, CaseIterable, Sendable {
        case assign, proceed, skip, reroute, avoid, accept, decline, route, stop
    }
}

/// A command as it was received: what it asks for, or why that cannot be made out.
package struct CommandMessage: Equatable, Sendable {
    /// The last level of its topic, also when no command has that name.
    package var name: String
    /// The sender's id for it; a repeat of one already carried out is ignored.
    package var commandID: String?
    /// The trip that it is meant for; `nil` for whichever is active.
    package var tripID: String?
    /// What it asks for, or why it is refused.
    package var outcome: Result<Command, Refusal>

    /// Creates a message.
    package init(
        name: String, commandID: String?, tripID: String?, outcome: Result<Command, Refusal>
    ) {
        self.name = name
        self.commandID = commandID
        self.tripID = tripID
        self.outcome = outcome
    }
}
