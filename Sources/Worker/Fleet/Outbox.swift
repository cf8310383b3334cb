import Routing

/// What the tracking stage owes others after a batch.
struct Outbox {
    /// For the broker, in order.
    var publications: [Publication] = []
    /// For the planner.
    var questions: [PlannerQuestion] = []
    /// Vehicles with newer progress than the dashboards have.
    var moved: [Vehicle] = []
    /// Vehicles whose progress is among the publications, out of turn.
    var announced: [Vehicle] = []
    /// Trips whose timers changed: a request went out, or the trip is new.
    var timed: [Vehicle] = []
    /// Vehicles whose watches have taken something: their deadlines have moved.
    var watched: [Vehicle] = []
    /// By how many seconds the machine's clock was set, each time.
    var clockSteps: [Double] = []
    /// Rejections to be logged.
    var complaints: [Complaint] = []
    /// Stored places that cannot be read, to be logged.
    var unreadable: [UnreadablePlace] = []

    /// A stored place that cannot be read.
    struct UnreadablePlace {
        var placeID: String
        var detail: String
    }

    /// A rejection to be logged.
    struct Complaint {
        var topic: String
        var reason: String
    }
}
