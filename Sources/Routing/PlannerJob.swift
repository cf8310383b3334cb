import Geometry
import Tracking

/// A question on its way through several requests: around closed roads in rounds, with the vehicle's course, without it
/// where the engine finds no way, and for the deviation path.
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
        /// The question's answer, and the job as it ended.
        case end(PlannerJob, Result<PlannedRoute, PlannerError>)
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
    private var detour: Detour

    /// Creates the job of a question whose turn has come.
    ///
    /// - Parameters:
    ///   - excludes: Whether the engine can leave roads out on request.
    ///   - mostRounds: How many rounds around closed roads there may be.
    init(
        _ entry: QuestionQueue.Entry, sent: ContinuousClock.Instant, excludes: Bool,
        mostRounds: Int
    ) {
        question = entry.question
        deadline = entry.deadline
        self.sent = sent
        let request = entry.question.request
        query = RouteQuery(
            points: [request.from] + request.viaPoints.map(\.target.coordinate)
                + [request.destination.coordinate],
            course: Self.course(of: request), profile: request.profile, vehicle: request.vehicle,
            wantsAlternatives: !request.avoid.isEmpty)
        detour = Detour(avoid: request.avoid, excludes: excludes, mostRounds: mostRounds)
        query.exclusions = detour.exclusions
    }

    /// How many answers to requests for a route have come.
    var rounds: Int { detour.rounds }

    /// Whether the route that ends the job drives on closed roads that it was to avoid.
    var isBlocked: Bool { detour.isBlocked }

    /// How much of the time left the request may take: what comes after a route must leave it some.
    var shareOfTime: Double {
        switch step {
        case .route: detour.route == nil ? 1 : 0.5
        case .deviationPath: 0.5
        }
    }

    /// Returns what follows the answer to the request.
    ///
    /// - Parameter noWay: The engine's codes for which leaving out the course, or excluding less, may help.
    func next(after answer: Result<[ProvidedRoute], PlannerError>, noWay: Set<String>) -> Next {
        var job = self
        job.transfer = nil
        switch (step, answer) {
        case (.route, .success(let routes)):
            return job.detour.take(routes) ? job.nextRound() : job.finished()
        case (.route, .failure(let error)):
            let hasNoWay = error.code.map(noWay.contains) ?? false
            if hasNoWay, query.course != nil {
                job.query.course = nil
                return .ask(job)
            }
            if hasNoWay, job.detour.fail() { return job.nextRound() }
            return job.detour.route == nil ? .end(job, .failure(error)) : job.finished()
        case (.deviationPath(let route), .success(let paths)):
            let path = paths.first?.coordinates ?? []
            return .end(job, .success(PlannedRoute(route: route, deviationPath: path)))
        case (.deviationPath(let route), .failure):
            return .end(job, .success(PlannedRoute(route: route)))
        }
    }

    private func nextRound() -> Next {
        var job = self
        job.query.exclusions = detour.exclusions
        job.query.course = Self.course(of: question.request)
        return .ask(job)
    }

    /// Ends with the best route, once the road path to the vehicle is there where it is wanted.
    private func finished() -> Next {
        guard let route = detour.route else {
            return .end(self, .failure(PlannerError(.unusable, "the answer has no route")))
        }
        guard let start = question.request.deviationPathStart else {
            return .end(self, .success(PlannedRoute(route: route)))
        }
        var job = self
        job.step = .deviationPath(of: route)
        job.query.points = [start, question.request.from]
        job.query.course = nil
        job.query.wantsAlternatives = false
        job.query.exclusions = Exclusions()
        return .ask(job)
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
