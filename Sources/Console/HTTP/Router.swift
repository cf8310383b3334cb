/// Finds the answer to a request.
struct Router: Sendable {
    let source: any ConsoleSource
    /// What the map stands on; `nil` for a plain ground.
    let ground: (any ConsoleGround)?
    /// What the database tells of the past; `nil` where nothing is asked of it.
    let history: (any ConsoleHistory)?
    let stream: EventStream
    let alarms: RecentAlarms
    let gate: CommandGate
    let files: StaticFiles
    /// Whether only this machine can connect, so that a name in `Host` is a stranger's.
    let isLoopback: Bool
    let counters: RequestCounters

    /// What an endpoint does.
    enum Endpoint {
        case read(() -> HTTPResponse)
        case command(String, vehicleID: String)
        case placeCommand(String, placeID: String)
    }

    private static let commands: Set<String> = [
        "proceed", "skip", "reroute", "avoid", "accept", "decline", "stop",
    ]

    /// Returns the answer to a request, and counts it.
    func answer(_ request: HTTPRequest) -> HTTPResponse {
        let response = route(request)
        if case .later = response.body { return response }
        return finished(response)
    }

    /// Returns an answer as it is sent, and counts it.
    private func finished(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        if !response.headers.contains(where: { $0.name == "Cache-Control" }) {
            response.headers.append(("Cache-Control", "no-store"))
        }
        counters.count(status: response.status)
        return response
    }

    private func route(_ request: HTTPRequest) -> HTTPResponse {
        guard isServed(host: request.headers["host"]) else {
            return .failure(
                421,
                "this console answers to localhost and addresses only; a proxy in front of it has "
                    + "to send its upstream address as Host")
        }
        guard let path = request.path, let endpoint = endpoint(path, request) else {
            return .failure(404, "there is nothing here")
        }
        switch (endpoint, request.method) {
        case (.read(let answer), "GET"), (.read(let answer), "HEAD"): return answer()
        case (.command(let name, let vehicleID), "POST"):
            return send(name, to: .vehicle(vehicleID), request)
        case (.placeCommand(let name, let placeID), _):
            return send(name, to: .place(placeID), request)
        case (.read, _): return wrongMethod(allowed: "GET, HEAD")
        case (.command, _): return wrongMethod(allowed: "POST")
        }
    }

    private func endpoint(_ path: [String], _ request: HTTPRequest) -> Endpoint? {
        switch path.count {
        case 2... where path[0] == "api" && path[1] == "places":
            return placeEndpoint(Array(path.dropFirst()), request)
        case 5 where path[0] == "api" && path[1] == "ground":
            guard let ground, let tile = GroundTile(path.dropFirst(2)) else { return nil }
            return .read { answer(tile, of: ground) }
        case 3 where path[0] == "api" && path[1] == "reports":
            return pastEndpoint(.report(path[2]), request)
        case 3 where path[0] == "api" && path[1] == "vehicles": return nil
        case 4 where path[0] == "api" && path[1] == "vehicles":
            let vehicleID = path[2]
            guard isVehicleID(vehicleID) else { return nil }
            if path[3] == "route" { return .read { route(of: vehicleID) } }
            if path[3] == "proposal" { return .read { proposal(to: vehicleID) } }
            if path[3] == "track" { return pastEndpoint(.track(vehicleID: vehicleID), request) }
            return Self.commands.contains(path[3]) ? .command(path[3], vehicleID: vehicleID) : nil
        default: break
        }
        switch path.joined(separator: "/") {
        case "metrics": return .read(metrics)
        case "healthz": return .read { HTTPResponse(type: "text/plain", body: Array("ok\n".utf8)) }
        case "readyz": return .read(readiness)
        case "api/vehicles":
            return .read { HTTPResponse(type: "application/geo+json", body: source.vehicles()) }
        case "api/ground":
            guard let ground else { return nil }
            return .read { HTTPResponse(type: "application/json", body: ground.describe()) }
        case "api/alarms": return .read { recentAlarms(request) }
        case "api/stream": return .read { openStream(request) }
        case let name:
            guard let file = files[name] else { return nil }
            return .read { file.answer(to: request.headers) }
        }
    }

    private func metrics() -> HTTPResponse {
        HTTPResponse(
            type: "text/plain; version=0.0.4; charset=utf-8",
            body: source.metrics() + counters.metrics(stream: stream.counts))
    }

    private func readiness() -> HTTPResponse {
        let parts = source.readiness()
        let isReady = parts.allSatisfy { $0.ok }
        let list = parts.map {
            "{\"part\":\(JSONText.quoted($0.part)),\"ok\":\($0.ok),"
                + "\"detail\":\(JSONText.quoted($0.detail))}"
        }
        return .json(
            status: isReady ? 200 : 503,
            "{\"ready\":\(isReady),\"parts\":[\(list.joined(separator: ","))]}")
    }

    private func route(of vehicleID: String) -> HTTPResponse {
        guard let route = source.route(vehicleID: vehicleID) else {
            return .failure(404, "the vehicle has no route")
        }
        return HTTPResponse(type: "application/geo+json", body: route)
    }

    private func proposal(to vehicleID: String) -> HTTPResponse {
        // None is the usual answer, and no mistake of who asks.
        guard let proposal = source.proposal(vehicleID: vehicleID) else {
            return HTTPResponse(status: 204, type: "application/geo+json", body: [])
        }
        return HTTPResponse(type: "application/geo+json", body: proposal)
    }

    private func answer(_ tile: GroundTile, of ground: any ConsoleGround) -> HTTPResponse {
        let pending = PendingAnswer()
        ground.load(tile) { content in pending.give(finished(content.response)) }
        return HTTPResponse(later: pending)
    }

    /// What a path of the past is for; `nil` where nothing is asked of the database.
    private func pastEndpoint(
        _ subject: HistoryQuestion.Subject, _ request: HTTPRequest
    ) -> Endpoint? {
        guard let history else { return nil }
        let question = HistoryQuestion(
            subject, arguments: request.arguments.mapValues(Self.decoded))
        return .read {
            let pending = PendingAnswer()
            history.answer(question) { answer in pending.give(finished(answer.response)) }
            return HTTPResponse(later: pending)
        }
    }

    private func openStream(_ request: HTTPRequest) -> HTTPResponse {
        guard request.method == "GET" else {
            return HTTPResponse(type: "text/event-stream", body: [])
        }
        let events = request.arguments["events"].flatMap { Int($0) } ?? 0
        let lastEventID = request.headers["last-event-id"]
        guard let client = stream.open(lastEventID: lastEventID, events: events) else {
            return .failure(503, "too many streams are open", headers: [("Retry-After", "10")])
        }
        return HTTPResponse(stream: client)
    }

    private func send(
        _ name: String, to subject: CommandSubject, _ request: HTTPRequest
    ) -> HTTPResponse {
        if let refusal = gate.refusal(request.headers) {
            source.refused(command: name, for: subject, because: refusal.reason)
            return refusal.response
        }
        guard !request.isTooLarge else { return .failure(413, "the body is too long") }
        switch source.send(command: name, to: subject, body: request.body) {
        case .sent(let commandID):
            return .json(status: 202, "{\"command_id\":\(JSONText.quoted(commandID))}")
        case .malformed(let message): return .failure(400, message)
        case .unavailable(let message):
            return .failure(503, message, headers: [("Retry-After", "5")])
        }
    }

    private func wrongMethod(allowed: String) -> HTTPResponse {
        .failure(405, "this is for \(allowed) only", headers: [("Allow", allowed)])
    }

    /// Returns whether `id` can be a level of a topic.
    func isVehicleID(_ id: String) -> Bool {
        (1...128).contains(id.utf8.count)
            && !id.unicodeScalars.contains {
                "/+#".unicodeScalars.contains($0) || $0.properties.generalCategory == .control
            }
    }

    /// Returns whether a request for `host` is meant for this console.
    ///
    /// A page of another site can make its own name point here, and would then be read as the
    /// console's own; a numeric address or `localhost` cannot be made to.
    private func isServed(host: String?) -> Bool {
        guard isLoopback, let host else { return true }
        let name = host.hasPrefix("[") ? host[...] : host.prefix { $0 != ":" }
        let isNumeric = name.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
        return isNumeric || name.hasPrefix("[") || name.lowercased() == "localhost"
    }
}
