package import Tracking

/// A trip with all that happens to it, to be run through the state machine.
package struct Scenario: Equatable, Sendable {
    /// Something that happens to the trip.
    package struct Step: Equatable, Sendable {
        /// What happens.
        package var input: TripInput
        /// When it is received.
        package var receivedAt: Timestamp

        /// Creates a step.
        package init(input: TripInput, receivedAt: Timestamp) {
            self.input = input
            self.receivedAt = receivedAt
        }
    }

    /// What starts the trip; the scenario's name is the trip's and the vehicle's.
    package var assignment: Assignment
    /// When the trip starts.
    package var assignedAt: Timestamp
    /// What happens, in order.
    package var steps: [Step]

    /// Creates a scenario.
    package init(assignment: Assignment, assignedAt: Timestamp, steps: [Step]) {
        self.assignment = assignment
        self.assignedAt = assignedAt
        self.steps = steps
    }
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
