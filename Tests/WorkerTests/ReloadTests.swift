import Testing

@testable import Worker

/// What a running worker takes over of settings that have changed, and what it watches.
struct ReloadTests {
    /// A change of the settings, and the keys that it is told as.
    struct Change: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var old = "{}"
        var new: String
        var taken: [String] = []
        var waiting: [String] = []
    }

    @Test(arguments: [
        Change(testDescription: "nothing changes", new: "{log: {level: 'info'}}"),
        Change(
            testDescription: "the level, a token and how long rows are kept are in force at once",
            old: "{http: {command_token: 'one'}}",
            new: """
                {log: {level: 'debug'}, http: {command_token: 'two'},
                 retention: {positions_days: 1, rejected_days: 2, trips_days: 3}}
                """,
            taken: [
                "retention.positions_days", "retention.rejected_days", "retention.trips_days",
                "http.command_token", "log.level",
            ]),
        Change(
            testDescription: "buttons come and go with a restart only",
            new: "{http: {command_token: 'one'}}", taken: ["http.command_token"],
            waiting: ["http.command_token (for the map's buttons)"]),
        Change(
            testDescription: "all else waits, each option of tracking by its name",
            new: """
                {topic_root: 'x', sources: [{filter: 'a/+/b'}], http: {listen: ''},
                 tracking: {arrival_radius_m: 20, speed_limit_mps: 30}, alarms: {stops: true}}
                """,
            waiting: [
                "topic_root", "sources", "http.listen", "alarms.stops", "tracking.arrival_radius_m",
                "tracking.speed_limit_mps",
            ]),
    ])
    func names(_ change: Change) throws {
        let old = try Configuration.parse(change.old, name: "old")
        let new = try Configuration.parse(change.new, name: "new")
        let reload = Reload(from: old, to: new)
        #expect(reload.taken == change.taken)
        #expect(reload.waiting == change.waiting)
        let settings = old.taking(liveOf: new)
        #expect(settings.log == new.log && settings.retention == new.retention)
        #expect(settings.topicRoot == old.topicRoot && settings.tracking == old.tracking)
    }

    @Test func oneStageThatStandsStillKeepsTheWatchdogHungry() {
        let pulse = Pulse()
        for stage in Pulse.Stage.allCases where stage != .store { pulse.beat(stage) }
        #expect(!pulse.takeTurn(of: Pulse.Stage.allCases))
        #expect(pulse.takeTurn(of: [.intake, .tracking, .publish]))
        for stage in Pulse.Stage.allCases { pulse.beat(stage) }
        #expect(pulse.takeTurn(of: Pulse.Stage.allCases))
        #expect(!pulse.takeTurn(of: Pulse.Stage.allCases))
    }
}
