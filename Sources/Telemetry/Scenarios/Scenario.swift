package import Tracking
package import Watching

/// A trip or a vehicle with all that happens to it, to be run through the rules.
package struct Scenario: Equatable, Sendable {
    /// A position as its device sent it.
    package struct Position: Equatable, Sendable {
        /// What was reported.
        package var fix: Fix
        /// Whether the ignition was on; `nil` where that was not reported.
        package var ignition: Bool?
        /// When it is received.
        package var receivedAt: Timestamp

        /// Creates a position.
        package init(_ fix: Fix, ignition: Bool? = nil, receivedAt: Timestamp) {
            self.fix = fix
            self.ignition = ignition
            self.receivedAt = receivedAt
        }
    }

    /// What can happen.
    package enum Input: Equatable, Sendable {
        /// A command, or a planner's answer.
        case trip(TripInput)
        /// One message of a device; no vehicle is the scenario's own.
        case positions([Position], vehicleID: String? = nil)
        /// A place is put, or what was put is refused.
        case put(placeID: String, Result<PlaceContent, Refusal>)
        /// A place is deleted.
        case delete(placeID: String)
        /// The clock looks for deadlines.
        case clock
    }

    /// Something that happens.
    package struct Step: Equatable, Sendable {
        /// What happens.
        package var input: Input
        /// When it is received.
        package var receivedAt: Timestamp

        /// Creates a step.
        package init(input: Input, receivedAt: Timestamp) {
            self.input = input
            self.receivedAt = receivedAt
        }

        /// Creates a step of one position that is received at its own time, or at another one.
        package init(_ fix: Fix, ignition: Bool? = nil, receivedAt: Timestamp? = nil) {
            let receivedAt = receivedAt ?? fix.time
            self.init(
                input: .positions([Position(fix, ignition: ignition, receivedAt: receivedAt)]),
                receivedAt: receivedAt)
        }
    }

    /// The vehicle that it is about.
    package var vehicleID: String
    /// What starts the trip; `nil` for a vehicle without one.
    package var assignment: Assignment?
    /// When the trip starts.
    package var assignedAt: Timestamp
    /// The settings of alarms.
    package var alarms = AlarmSettings()
    /// The places that are in force before the first step.
    package var places: [Place] = []
    /// What happens, in order.
    package var steps: [Step]

    /// Creates a scenario of a trip.
    package init(assignment: Assignment, assignedAt: Timestamp, steps: [Step]) {
        vehicleID = assignment.vehicleID
        self.assignment = assignment
        self.assignedAt = assignedAt
        self.steps = steps
    }

    /// Creates a scenario of a vehicle without a trip.
    package init(vehicleID: String, steps: [Step]) {
        self.vehicleID = vehicleID
        assignedAt = steps.first?.receivedAt ?? Timestamp(microseconds: 0)
        self.steps = steps
    }

    /// When places were put that were always there, in a scenario's own time.
    package static let longAgo = Timestamp(seconds: -1e12)
}

/// Why a text holds no scenario that can be run.
package struct ScenarioError: Error, Equatable, Sendable {
    /// What is wrong, and where.
    package var message: String

    /// Creates an error.
    package init(message: String) {
        self.message = message
    }
}
