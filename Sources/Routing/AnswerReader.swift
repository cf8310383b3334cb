import Telemetry
import Tracking

/// Turns what a server sent into a checked route.
struct AnswerReader {
    private let engine: any RoutingEngine.Type
    private let parser = JSONParser()

    /// Creates a reader of one engine's answers.
    init(engine: any RoutingEngine.Type) {
        self.engine = engine
    }

    /// Returns the routes that answer `query`, the best first; one or more.
    ///
    /// - Throws: `refused` where the engine said no, `unusable` where its answer is not a route, or
    ///   not the one that was asked for.
    func routes(
        in response: HTTPResponse, for query: RouteQuery
    ) throws(PlannerError) -> [ProvidedRoute] {
        try read(response) { answer throws(PlannerError) in
            var routes = try engine.routes(in: answer, for: query)
            for index in routes.indices {
                try RouteGeometry.check(routes[index].coordinates, against: query)
                if !routes[index].segmentDurations.allSatisfy(\.isFinite) {
                    routes[index].segmentDurations = []
                }
            }
            return routes
        }
    }

    /// Returns what a probe's answer tells about the server.
    ///
    /// - Throws: `unusable` when it is another kind of server.
    func description(in response: HTTPResponse) throws(PlannerError) -> String {
        do throws(PlannerError) {
            return try read(response, describe)
        } catch {
            // "No road there" is a working engine's answer to a probe that lies off its map.
            guard let code = error.code, engine.codesOfNoWay.contains(code) else {
                throw error
            }
            return engine.name
        }
    }

    private func describe(_ answer: JSONValue) throws(PlannerError) -> String {
        guard let description = engine.description(of: answer) else {
            throw PlannerError(.unusable, "the answer is not \(engine.name)'s")
        }
        return description
    }

    /// Hands a good answer's JSON to `body`.
    private func read<Value>(
        _ response: HTTPResponse, _ body: (JSONValue) throws(PlannerError) -> Value
    ) throws(PlannerError) -> Value {
        let isGood = (200...299).contains(response.status)
        let result = response.body.withUnsafeBytes { bytes -> Result<Value, PlannerError> in
            do throws(JSONError) {
                let answer = try parser.parse(bytes)
                return Result { () throws(PlannerError) in
                    if let refusal = engine.refusal(in: answer) {
                        throw PlannerError(code: refusal.code, words: refusal.words)
                    }
                    guard isGood else {
                        throw PlannerError(.refused, "HTTP status \(response.status)")
                    }
                    return try body(answer)
                }
            } catch {
                return .failure(
                    isGood
                        ? PlannerError(.unusable, "the answer is not JSON: \(error.message)")
                        : PlannerError(.refused, "HTTP status \(response.status)"))
            }
        }
        return try result.get()
    }
}
