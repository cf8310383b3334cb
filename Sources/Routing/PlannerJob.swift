import Geometry
import Tracking

/// A question on its way through up to three requests: with the vehicle's course, without it where the engine
/// finds no way, and for the deviation path.
struct PlannerJob {
    /// What a job's request is for.
    private enum Step {
        /// The route.
        case route
        /// The road path to the vehicle; whatever it brings, the route is there.
        case deviationPath(of: ProvidedRoute)
    }

    /// What follows an answer.
    enum Next {
        /// Another request.
        case ask(PlannerJob)
        /// The question's answer.
        case end(Result<PlannedRoute, PlannerError>)
    }

    /// What the trip asks.
    let question: PlannerQuestion
    /// When it is too late.
    let deadline: ContinuousClock.Instant
    /// When the first request was sent.
    let sent: ContinuousClock.Instant
    /// The request that carries `query`, once sent.
    var transfer: HTTPTransfer?
    /// What the engine is asked now.
    private(set) var query: RouteQuery
    private var step = Step.route

    /// Creates the job of a question whose turn has come.
    init(_ entry: QuestionQueue.Entry, sent: ContinuousClock.Instant) {
        question = entry.question
        deadline = entry.deadline
        self.sent = sent
        let request = entry.question.request
        query = RouteQuery(
            points: [request.from] + request.viaPoints.map(\.target.coordinate)
                + [request.destination.coordinate],
            course: Self.course(of: request), profile: request.profile)
    }

    /// How much of the time left the request may take: a deviation path must leave the route some.
    var shareOfTime: Double {
        switch step {
        case .route: 1
        case .deviationPath: 0.5
        }
    }

    /// Returns what follows the answer to the request.
    ///
    /// - Parameter noWay: The engine's codes for which leaving out the course may help.
    func next(after answer: Result<ProvidedRoute, PlannerError>, noWay: Set<String>) -> Next {
        var job = self
        job.transfer = nil
        switch (step, answer) {
        case (.route, .success(let route)):
            guard let start = question.request.deviationPathStart else {
                return .end(.success(PlannedRoute(route: route)))
            }
            job.step = .deviationPath(of: route)
            job.query.points = [start, question.request.from]
            job.query.course = nil
            return .ask(job)
        case (.route, .failure(let error)):
            guard query.course != nil, let code = error.code, noWay.contains(code) else {
                return .end(.failure(error))
            }
            job.query.course = nil
            return .ask(job)
        case (.deviationPath(let route), .success(let path)):
            return .end(
                .success(PlannedRoute(route: route, deviationPath: path.coordinates)))
        case (.deviationPath(let route), .failure):
            return .end(.success(PlannedRoute(route: route)))
        }
    }

    /// The course where it binds the vehicle: a pedestrian turns on the spot.
    private static func course(of request: RouteRequest) -> Double? {
        guard let course = request.course, course.isFinite else { return nil }
        switch request.profile {
        case .driving, .truck, .biking: return course
        case .walking: return nil
        }
    }
}
