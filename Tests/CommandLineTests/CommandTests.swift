import Foundation
import MQTT
import TestServers
import Testing

@testable import waygate

/// The commands that publish and watch, on a real broker with the test in the worker's place.
@Suite(.timeLimit(.minutes(5)))
struct CommandTests {
    private let server: MosquittoServer
    private let environment: [String: String]

    init() throws {
        server = try MosquittoServer()
        environment = ["WAYGATE_MQTT_URL": "mqtt://127.0.0.1:\(server.port)"]
    }

    /// Answers the first command with the events that `events` makes of it, and returns it.
    private func answer(
        ready: () throws -> Void, _ events: ([String: Any]) -> [(type: String, body: String)]
    ) throws -> (topic: String, command: [String: Any]) {
        let client = Client(
            clientID: "worker", settings: MQTTSettings(host: "127.0.0.1", port: server.port),
            filters: ["fleet/+/command/+"])
        while !client.isReady { _ = client.turn(timeout: 20) { _ in } }
        try ready()
        var received: (topic: String, payload: Data)?
        while received == nil {
            _ = client.turn(timeout: 20) { message in
                received = (String(decoding: message.topic, as: UTF8.self), Data(message.payload))
            }
        }
        let (topic, payload) = try #require(received)
        let command = try #require(
            try JSONSerialization.jsonObject(with: payload) as? [String: Any])
        let vehicle = topic.split(separator: "/")[1]
        for event in events(command) {
            client.publish(
                topic: "fleet/\(vehicle)/event/\(event.type)", payload: Array(event.body.utf8))
        }
        while client.inFlight > 0 { _ = client.turn(timeout: 20) { _ in } }
        return (topic, command)
    }

    @Test func publishesACommandWithAnID() throws {
        var tool: Tool?
        let (topic, command) = try answer {
            tool = try Tool(
                ["skip", "van-7", "--waypoint", "2", "--trip", "t1"], environment: environment)
        } _: { _ in
            []
        }
        let result = try #require(try tool?.finish())
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        #expect(topic == "fleet/van-7/command/skip")
        let id = try #require(command["command_id"] as? String)
        #expect(UUID(uuidString: id) != nil)
        let time = try #require(command["time"] as? String)
        let age = try Date().timeIntervalSince(
            Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(time))
        #expect(abs(age) < 60)
        #expect(command["waypoint_index"] as? Int == 2)
        #expect(command["trip_id"] as? String == "t1")
        #expect(
            result.output == "{\"command_id\":\"\(id)\",\"topic\":\"fleet/van-7/command/skip\"}\n")
    }

    @Test func printsTheEventThatAnswers() throws {
        var tool: Tool?
        _ = try answer {
            tool = try Tool(["proceed", "van-7", "--wait"], environment: environment)
        } _: { command in
            let id = command["command_id"] as? String ?? ""
            return [
                ("waypoint_resumed", #"{"command_id":"another"}"#),
                ("arrived", #"{"command_id":"\#(id)"}"#),
                ("waypoint_resumed", #"{"command_id":"\#(id)","sequence":3}"#),
            ]
        }
        let result = try #require(try tool?.finish())
        #expect(result.status == 0)
        #expect(result.output.hasSuffix("\"sequence\":3}\n"))
        #expect(result.output.split(separator: "\n").count == 1)
    }

    @Test func failsWhenTheCommandIsRejected() throws {
        var tool: Tool?
        _ = try answer {
            tool = try Tool(["stop", "van-7", "--wait"], environment: environment)
        } _: { command in
            let id = command["command_id"] as? String ?? ""
            return [
                (
                    "command_rejected",
                    #"{"command_id":"\#(id)","detail":"van-7 has no active trip"}"#
                )
            ]
        }
        let result = try #require(try tool?.finish())
        #expect(result.status == 1)
        #expect(result.output.contains("no active trip"))
        #expect(result.errors == "waygate stop: van-7 has no active trip\n")
    }

    @Test func failsWhenNobodyAnswers() throws {
        let result = try Tool.run(
            "reroute", "van-7", "--wait", "--timeout", "0.3", environment: environment)
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("waygate reroute: no answer in 0.3 s: is a worker running"))
    }

    @Test func assignsFromOptions() throws {
        var tool: Tool?
        let (topic, command) = try answer {
            tool = try Tool(
                [
                    "assign", "van-7", "--route", "-", "--via", "47.1,9.5,Depot, north", "--trip",
                    "t1",
                    "--destination=47.2,9.6", "--option", "arrival_radius_m=25", "--profile",
                    "truck",
                    "--option", "wait_at_waypoints=false", "--wait",
                ], environment: environment, input: "[[9.4,47.0],[9.6,47.2]]")
        } _: { command in
            [("trip_assigned", #"{"command_id":"\#(command["command_id"] as? String ?? "")"}"#)]
        }
        let result = try #require(try tool?.finish())
        #expect(result.status == 0, "\(result.errors)")
        #expect(topic == "fleet/van-7/command/assign")
        var expected: [String: Any] = [
            "trip_id": "t1", "route": ["coordinates": [[9.4, 47.0], [9.6, 47.2]]],
            "via_points": [["lat": 47.1, "lon": 9.5, "id": NSNull(), "name": "Depot, north"]],
            "destination": ["lat": 47.2, "lon": 9.6, "id": NSNull(), "name": NSNull()],
            "profile": "truck",
            "options": ["arrival_radius_m": 25, "wait_at_waypoints": false],
        ]
        expected["command_id"] = command["command_id"]
        expected["time"] = command["time"]
        #expect(command as NSDictionary == expected as NSDictionary)
    }

    @Test func assignsFromAFile() throws {
        var tool: Tool?
        let text = #"{"trip_id":"t2","command_id":"mine","destination":{"lat":47.2,"lon":9.6}}"#
        let (_, command) = try answer {
            tool = try Tool(
                ["assign", "van-8", "--file", "-"], environment: environment, input: text)
        } _: { _ in
            []
        }
        let result = try #require(try tool?.finish())
        #expect(result.output.hasPrefix(#"{"command_id":"mine""#))
        #expect(command["trip_id"] as? String == "t2")
    }

    @Test func checksAnAssignmentBeforeItIsPublished() throws {
        let result = try Tool.run(
            "assign", "van-8", "--file", "-", environment: environment, input: #"{"trip_id":"t2"}"#)
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("waygate assign: invalid_command: "))
    }

    @Test func watches() throws {
        let client = Client(
            clientID: "worker", settings: MQTTSettings(host: "127.0.0.1", port: server.port),
            filters: [])
        let plain = try Tool(["watch", "--count", "2"], environment: environment)
        let alarms = try Tool(["watch", "--count", "1", "--alarms"], environment: environment)
        let json = try Tool(
            ["watch", "--json", "--count", "1", "--type", "arrived"], environment: environment)
        // The watchers are ready once the broker has logged their subscriptions; a watcher that missed the
        // first events sees the ones after them.
        let events = [
            (
                "waypoint_reached",
                #"{"time":"2026-03-01T12:00:05.000Z","held":true,"distance_m":12.4,"#
                    + #""waypoint":{"index":0,"name":"De\u001bpot"},"remaining_distance_m":8130,"#
                    + #""remaining_waypoints":2}"#
            ),
            ("arrived", #"{"time":"2026-03-01T12:09:05.000Z","destination":{"id":"home"}}"#),
        ]
        let alarm = Array(
            #"{"time":"2026-03-01T12:00:05.000Z","place":{"id":"depot"},"reason":"moved"}"#.utf8)
        while plain.isRunning || json.isRunning {
            for (type, body) in events {
                client.publish(topic: "fleet/van-7/event/\(type)", payload: Array(body.utf8))
            }
            for _ in 0..<5 { _ = client.turn(timeout: 20) { _ in } }
        }
        while alarms.isRunning {
            client.publish(topic: "fleet/van-7/event/arrived", payload: Array(events[1].1.utf8))
            client.publish(topic: "fleet/van-7/alarm/place_entered", payload: alarm)
            for _ in 0..<5 { _ = client.turn(timeout: 20) { _ in } }
        }
        #expect(try alarms.finish().output == "12:00:05  van-7         enters depot\n")
        let lines = try plain.finish().output.split(separator: "\n").map(String.init)
        #expect(
            Set(lines) == [
                "12:00:05  van-7         is held at De\u{FFFD}pot (12 m from it), 8.1 km and 2 via points to go",
                "12:09:05  van-7         has arrived at home",
            ])
        #expect(try json.finish().output == events[1].1 + "\n")
    }

    @Test func endsWatchingOnCtrlC() throws {
        let tool = try Tool(["watch"], environment: environment)
        while !server.log.contains("waygate-cli") { usleep(10_000) }
        tool.interrupt()
        #expect(try tool.finish().status == 0)
    }
}
