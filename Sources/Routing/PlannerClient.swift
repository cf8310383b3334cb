import Geometry
import Tracking

/// Asks a routing engine for routes: a bounded number at once, the others in turn.
///
/// Not `Sendable`: one thread asks and takes `turn`s. A vehicle has one question here at a time, so that
/// the queue is never longer than there are vehicles.
package final class PlannerClient {
    private let settings: PlannerSettings
    private let endpoint: Endpoint
    private let engine: any RoutingEngine.Type
    private let reader: AnswerReader
    private let loop: HTTPLoop
    private let clock = ContinuousClock()
    private var queue = QuestionQueue()
    /// What is being asked, by vehicle.
    private var jobs: [String: PlannerJob] = [:]
    private var answers: [PlannerAnswer] = []

    /// Creates a client; it connects when it is first asked.
    ///
    /// - Throws: `misconfigured` when the settings name no server that can be asked.
    package init(settings: PlannerSettings) throws(PlannerError) {
        switch settings.kind {
        case .osrm: engine = OSRM.self
        case .valhalla: engine = Valhalla.self
        case .outside, .none:
            throw PlannerError(
                .misconfigured, "planner.kind \(settings.kind.rawValue) names no server to ask")
        }
        self.settings = settings
        endpoint = try Endpoint(url: settings.url)
        reader = AnswerReader(engine: engine)
        loop = try HTTPLoop(
            endpoint: endpoint, connections: settings.maxInFlight, limit: settings.maxAnswerBytes)
    }

    /// What kind of server it asks, as the settings name it.
    package var engineName: String { settings.kind.rawValue }

    /// How many questions wait for their turn.
    package var waiting: Int { queue.count }

    /// How many questions the server has now.
    package var inFlight: Int { jobs.count }

    /// Asks a question; the vehicle's older one, if any, is withdrawn.
    package func ask(_ question: PlannerQuestion) {
        abandonJob(of: question.vehicleID)
        let timeout = question.timeout ?? settings.timeout
        queue.append(question, deadline: clock.now.advanced(by: .seconds(timeout)))
    }

    /// Withdraws a vehicle's question, if any: no answer will come.
    package func cancel(vehicleID: String) {
        abandonJob(of: vehicleID)
        queue.remove(vehicleID: vehicleID)
    }

    /// Sends and receives what is ready, sleeping once if there is nothing, and returns the answers.
    ///
    /// - Parameters:
    ///   - timeout: How long to sleep at most, in milliseconds; 0 not to.
    ///   - wake: A file descriptor that ends the sleep when it is readable, or -1; who owns it reads
    ///     it empty.
    /// - Returns: One answer for each question that is over, in the order in which they ended; often none.
    package func turn(timeout: Int32, wake: Int32) -> [PlannerAnswer] {
        advance()
        if answers.isEmpty && timeout > 0 {
            var sleep = timeout
            if let next = queue.nextDeadline {
                let left = max(0, (next - clock.now) / .milliseconds(1))
                sleep = min(sleep, Int32(min(left, 60_000)) + 1)
            }
            loop.wait(milliseconds: sleep, wake: wake)
            advance()
        }
        defer { answers = [] }
        return answers
    }

    /// Asks the server who it is, and waits for the answer.
    ///
    /// - Returns: What the server is, and where.
    /// - Throws: Why it cannot be used.
    package func check() throws(PlannerError) -> String {
        let loop = try HTTPLoop(
            endpoint: endpoint, connections: 1, limit: settings.maxAnswerBytes)
        _ = try loop.start(
            engine.probe(at: endpoint), owner: "check", timeout: settings.timeout)
        while true {
            if let (_, result) = loop.finished().first {
                let response = try result.get()
                return try "\(reader.description(in: response)) at \(endpoint.origin)"
            }
            loop.wait(milliseconds: 1000, wake: -1)
        }
    }

    private func abandonJob(of vehicleID: String) {
        guard let job = jobs.removeValue(forKey: vehicleID) else { return }
        if let transfer = job.transfer { loop.cancel(transfer) }
    }

    /// Goes on until there is nothing to do without waiting.
    private func advance() {
        for question in queue.removeExpired(at: clock.now) {
            let error = PlannerError(.timeout, "the planner had no time for the question")
            answers.append(
                PlannerAnswer(
                    vehicleID: question.vehicleID, tripID: question.tripID,
                    number: question.request.number,
                    result: .failure(error), latency: 0))
        }
        var isBusy = true
        while isBusy {
            while jobs.count < max(1, settings.maxInFlight), let entry = queue.popFirst() {
                send(
                    PlannerJob(
                        entry, sent: clock.now, excludes: engine.excludesRoads,
                        mostRounds: settings.avoidRounds))
            }
            let finished = loop.finished()
            for (owner, result) in finished {
                guard let job = jobs.removeValue(forKey: owner) else { continue }
                receive(result, for: job)
            }
            isBusy = !finished.isEmpty
        }
    }

    /// Sends a job's request.
    private func send(_ job: PlannerJob) {
        var job = job
        do throws(PlannerError) {
            let left = (job.deadline - clock.now) / .seconds(1)
            guard left > 0 else { throw PlannerError(.timeout, "no answer in time") }
            job.transfer = try loop.start(
                engine.request(for: job.query, at: endpoint), owner: job.question.vehicleID,
                timeout: left * job.shareOfTime)
            jobs[job.question.vehicleID] = job
        } catch {
            receive(.failure(error), for: job)
        }
    }

    /// Takes the answer to a job's request, and asks on or ends it.
    private func receive(_ result: Result<HTTPResponse, PlannerError>, for job: PlannerJob) {
        let routes = result.flatMap { response in
            Result { () throws(PlannerError) in try reader.routes(in: response, for: job.query) }
        }
        switch job.next(after: routes, noWay: engine.codesOfNoWay) {
        case .ask(let job): send(job)
        case .end(let job, let result): end(job, result)
        }
    }

    private func end(_ job: PlannerJob, _ result: Result<PlannedRoute, PlannerError>) {
        answers.append(
            PlannerAnswer(
                vehicleID: job.question.vehicleID, tripID: job.question.tripID,
                number: job.question.request.number, result: result,
                latency: (clock.now - job.sent) / .seconds(1), rounds: job.rounds,
                isBlocked: job.isBlocked))
    }
}
