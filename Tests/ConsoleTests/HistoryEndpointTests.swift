import Synchronization
import Testing

@testable import Console

/// A past that tells nothing before it is told to.
private final class SlowHistory: ConsoleHistory {
    typealias Answer = @Sendable (HistoryAnswer) -> Void

    private let asked = Mutex<[(question: HistoryQuestion, then: Answer)]>([])

    var questions: [HistoryQuestion] { asked.withLock { $0.map(\.question) } }

    func answer(_ question: HistoryQuestion, then: @escaping Answer) {
        asked.withLock { $0.append((question, then)) }
    }

    /// Answers all that wait.
    func answer(_ answer: HistoryAnswer) {
        let all = asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
        for (_, then) in all { then(answer) }
    }
}

@Suite(.timeLimit(.minutes(5))) struct HistoryEndpointTests {
    @Test func othersAreServedWhileTheDatabaseIsWaitedFor() throws {
        let history = SlowHistory()
        let server = try ConsoleServer(.test, source: FakeSource(), history: history)
        defer { server.stop() }
        let (slow, quick) = (try Client(port: server.port), try Client(port: server.port))
        slow.write(
            "GET /api/reports/days?from=2026-12-01&tz=Europe%2FVienna HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        )
        while history.questions.isEmpty {
            #expect(try quick.request("GET", "/api/vehicles").status == 200)
        }
        #expect(
            history.questions == [
                HistoryQuestion(
                    .report("days"), arguments: ["from": "2026-12-01", "tz": "Europe/Vienna"])
            ])
        history.answer(.json(Array(#"{"rows":[]}"#.utf8)))
        let answer = try slow.readAnswer()
        #expect(answer.status == 200 && answer.body == #"{"rows":[]}"#)
        #expect(answer.headers["content-type"] == "application/json")
        #expect(answer.headers["cache-control"] == "no-store")
    }

    @Test(arguments: [
        (HistoryAnswer.busy, 503, "2" as String?), (.unavailable("away"), 503, "5"),
        (.tooMuch("too long"), 504, nil), (.mistake("from is missing"), 400, nil),
        (.unknown("no such report"), 404, nil),
    ])
    func whatCannotBeToldSaysWhy(_ answer: HistoryAnswer, _ status: Int, _ retry: String?) throws {
        let history = SlowHistory()
        let server = try ConsoleServer(.test, source: FakeSource(), history: history)
        defer { server.stop() }
        let client = try Client(port: server.port)
        client.write("GET /api/vehicles/van%207/track HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        while history.questions.isEmpty {}
        #expect(
            history.questions == [HistoryQuestion(.track(vehicleID: "van 7"), arguments: [:])])
        history.answer(answer)
        let told = try client.readAnswer()
        #expect(told.status == status && told.body.contains("\"error\":"))
        #expect(told.headers["retry-after"] == retry)
    }

    @Test func thePastIsOnlyRead() throws {
        let server = try ConsoleServer(.test, source: FakeSource(), history: SlowHistory())
        defer { server.stop() }
        let client = try Client(port: server.port)
        #expect(try client.request("POST", "/api/reports/days", body: "{}").status == 405)
        #expect(try client.request("GET", "/api/reports").status == 404)
        #expect(try client.request("GET", "/api/vehicles/a%2Fb/track").status == 404)
    }

    @Test func withoutADatabaseThereIsNoPast() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        let client = try Client(port: server.port)
        #expect(try client.request("GET", "/api/reports/days").status == 404)
        #expect(try client.request("GET", "/api/vehicles/v/track").status == 404)
    }
}
