import Testing
import Tracking

@testable import Worker

/// Settings and the one message that they earn.
struct MistakeCase: CustomTestStringConvertible, Sendable {
    var text: String
    var message: String

    var testDescription: String { text }

    init(_ text: String, _ message: String) {
        self.text = text
        self.message = message
    }
}

struct ConfigurationTests {
    @Test func isTheDefaultsWithoutAFile() throws {
        let configuration = try Configuration.load(file: nil, environment: [:])
        #expect(configuration == Configuration())
        #expect(configuration.workerID == "waygate")
        #expect(configuration.topicRoot == "fleet")
        #expect(configuration.mqtt.url.revealed == "mqtt://127.0.0.1:1883")
        #expect(configuration.spool.maxBytes == 2 << 30)
        #expect(configuration.retention == .init())
        #expect(configuration.http.listen == .init(host: "127.0.0.1", port: 8088))
        #expect(configuration.tracking == TripOptions())
    }

    @Test func readsEveryKindOfValue() throws {
        let configuration = try Configuration.parse(
            """
            // A comment.
            {
              worker_id: 'depot-1',
              mqtt: { url: "mqtts://ops:secret@broker.example:8883", keepalive_s: 30, version: "3.1.1" },
              sources: [{ filter: 'owntracks/+/+', format: 'owntracks', vehicle_id: '{1}-{2}' }],
              spool: { folder: '/var/lib/waygate', max_bytes: 1e9 },
              planner: { kind: 'osrm', url: 'http://127.0.0.1:5000' },
              limits: { max_progress_per_vehicle_per_s: 0.5 },
              http: {
                listen: '[::1]:9000', command_token: 'open sesame',
                tiles: 'https://tiles.example/{z}/{x}/{y}.png', tiles_attribution: '© Tiles "A" & B',
              },
              log: { level: 'debug', format: 'json' },
              tracking: { arrival_radius_m: 25.5, wait_at_waypoints: false, profile: 'truck' },
              retention: null,
            }
            """, name: "test.json5")
        var expected = Configuration()
        expected.workerID = "depot-1"
        expected.mqtt.url = Secret("mqtts://ops:secret@broker.example:8883")
        expected.mqtt.keepAlive = 30
        expected.mqtt.version = .three
        expected.sources = [
            .init(filter: "owntracks/+/+", format: "owntracks", vehicleID: "{1}-{2}")
        ]
        expected.spool.folder = "/var/lib/waygate"
        expected.spool.maxBytes = 1_000_000_000
        expected.planner.kind = .osrm
        expected.planner.url = "http://127.0.0.1:5000"
        expected.limits.maxProgressRate = 0.5
        expected.http.listen = .init(host: "::1", port: 9000)
        expected.http.commandToken = Secret("open sesame")
        expected.http.tiles = "https://tiles.example/{z}/{x}/{y}.png"
        expected.http.tilesAttribution = "© Tiles \"A\" & B"
        expected.log.level = .debug
        expected.log.format = .json
        expected.tracking.arrivalRadius = 25.5
        expected.tracking.waitsAtWaypoints = false
        expected.tracking.profile = .truck
        #expect(configuration == expected)
    }

    @Test func letsVariablesOverrideKeys() throws {
        let configuration = try Configuration.parse(
            "{worker_id: 'a', http: {listen: '0.0.0.0:80'}, planner: {kind: 'osrm', url: 'http://a'}}",
            name: "test.json5",
            environment: [
                "WAYGATE_WORKER_ID": "b", "WAYGATE_TOPIC_ROOT": "acme/fleet",
                "WAYGATE_MQTT_URL": "mqtt://broker",
                "WAYGATE_DATABASE_URL": "host=/tmp dbname=fleet",
                "WAYGATE_SPOOL": "/spool", "WAYGATE_PLANNER_KIND": "valhalla",
                "WAYGATE_PLANNER_URL": "https://planner/", "WAYGATE_HTTP": "", "OTHER": "x",
            ])
        #expect(configuration.workerID == "b")
        #expect(configuration.topicRoot == "acme/fleet")
        #expect(configuration.mqtt.url.revealed == "mqtt://broker")
        #expect(configuration.database.url.revealed == "host=/tmp dbname=fleet")
        #expect(configuration.spool.folder == "/spool")
        #expect(configuration.planner.kind == .valhalla)
        #expect(configuration.planner.url == "https://planner/")
        #expect(configuration.http.listen == nil)
    }

    @Test(arguments: [
        MistakeCase("{wroker_id: 'a'}", "t:1: unknown key wroker_id; did you mean worker_id?"),
        MistakeCase(
            "{mqtt: {keepalive: 5}}",
            "t:1: unknown key mqtt.keepalive; did you mean mqtt.keepalive_s?"),
        MistakeCase("{frobnicate: 1}", "t:1: unknown key frobnicate"),
        MistakeCase(
            "{tracking: {start_waypoint_index: 1}}",
            "t:1: tracking.start_waypoint_index is an option of assignments only"),
        MistakeCase("{worker_id: 5}", "t:1: worker_id must be text in quotes, not 5"),
        MistakeCase(
            "{worker_id: 'a/b'}",
            "t:1: worker_id must be 1 to 128 bytes without '/', '+', '#', blanks and control characters, "
                + "not 'a/b'"),
        MistakeCase(
            "{topic_root: 'fleet/#'}",
            "t:1: topic_root must be topic levels without '+', '#', blanks and control characters, as in "
                + "'fleet', not 'fleet/#'"),
        MistakeCase(
            "{mqtt: {url: 'http://user:hunter2@h'}}",
            "t:1: mqtt.url must be like 'mqtt://user:password@host:1883', or 'mqtts://' for TLS: scheme "
                + "must be mqtt or mqtts, not 'http'"),
        MistakeCase(
            "{mqtt: {keepalive_s: true}}",
            "t:1: mqtt.keepalive_s must be a whole number from 5 to 65535, not true"),
        MistakeCase(
            "{mqtt: {keepalive_s: 5.5}}",
            "t:1: mqtt.keepalive_s must be a whole number from 5 to 65535, not 5.5"),
        MistakeCase(
            "{mqtt: {version: 5}}", "t:1: mqtt.version must be one of 'auto', '5', '3.1.1', not 5"),
        MistakeCase(
            "{mqtt: {url: 'mqtts://h', cert_file: '/dev/null'}}",
            "mqtt.cert_file and mqtt.key_file: must be given together"),
        MistakeCase(
            "{mqtt: {ca_file: '/dev/null'}}",
            "mqtt.ca_file: needs an mqtt.url that begins with 'mqtts://'"),
        MistakeCase(
            "{mqtt: {ca_file: '/nowhere/ca.pem'}}",
            "t:1: mqtt.ca_file must be a readable file (No such file or directory), not '/nowhere/ca.pem'"
        ),
        MistakeCase("{mqtt: 5}", "t:1: mqtt must be an object in braces, not 5"),
        MistakeCase(
            "{database: {url: 'fleet'}}",
            "t:1: database.url must be like 'postgresql://user@host/database', or 'host=… dbname=…'"
        ),
        MistakeCase(
            "{database: {password_file: '/nowhere/p'}}",
            "t:1: database.password_file names a file that cannot be read: '/nowhere/p' (No such file or "
                + "directory)"),
        MistakeCase(
            "{mqtt: {password_file: '/dev/null'}}",
            "t:1: mqtt.password_file names a file whose first line is empty: '/dev/null'"),
        MistakeCase(
            "{planner: {kind: 'valhalla'}}",
            "planner.url: must be given where planner.kind is 'valhalla'"),
        MistakeCase(
            "{planner: {kind: 'google'}}",
            "t:1: planner.kind must be one of 'osrm', 'valhalla', 'outside', 'none', not 'google'"),
        MistakeCase(
            "{planner: {url: 'localhost:5000'}}",
            "t:1: planner.url must be a URL that begins with 'http://' or 'https://', not 'localhost:5000'"
        ),
        MistakeCase(
            "{http: {listen: '8088'}}",
            "t:1: http.listen must be like '127.0.0.1:8088' or '[::1]:8088', or empty for no server, not "
                + "'8088'"),
        MistakeCase("{http: {command_token: 5}}", "t:1: http.command_token must be text in quotes"),
        MistakeCase(
            "{http: {tiles: 'https://tiles.example/{z}/{x}.png'}}",
            "t:1: http.tiles must hold '{z}', '{x}' and '{y}', as in 'https://host/{z}/{x}/{y}.png', "
                + "not 'https://tiles.example/{z}/{x}.png'"),
        MistakeCase(
            "{http: {tiles_attribution: ['A']}}",
            "t:1: http.tiles_attribution must be text in quotes, not a list"),
        MistakeCase(
            "{tracking: {arrival_radius_m: 0}}",
            "t:1: tracking.arrival_radius_m must be a number above 0 and at most 1000000000, not 0"),
        MistakeCase(
            "{tracking: {deviation_distance_m: Infinity}}",
            "t:1: tracking.deviation_distance_m must be a number above 0 and at most 1000000000, not null"
        ),
        MistakeCase(
            "{tracking: {wait_at_waypoints: 1}}",
            "t:1: tracking.wait_at_waypoints must be true or false, not 1"),
        MistakeCase("{sources: {}}", "t:1: sources must be a list of objects, not an object"),
        MistakeCase("{sources: ['a']}", "t:1: sources[0] must be an object, not 'a'"),
        MistakeCase(
            "{sources: [{format: 'native'}]}",
            "t:1: sources[0] must have a filter, as in 'owntracks/+/+'"),
        MistakeCase(
            "{sources: [{filter: 'a', topic: 'b'}]}",
            "t:1: sources[0] has the unknown key 'topic': there are filter, format and vehicle_id"),
        MistakeCase(
            "{sources: [{filter: 'a/b', format: 'gpx'}]}",
            "t:1: sources[0].format is not right: it must be one of native, owntracks, traccar, "
                + "flespi, teltonika, geojson, nmea"),
        MistakeCase("[]", "t:1: must be an object in braces, not a list"),
        MistakeCase(
            "{\n worker_id: 'a'\n log: {}}", "t:3: not JSON5: expected ',' or '}', found 'l'"),
    ])
    func namesTheMistake(_ row: MistakeCase) {
        #expect(throws: ConfigurationError(mistakes: [row.message])) {
            try Configuration.parse(row.text, name: "t")
        }
    }

    @Test func reportsAllMistakesTogether() {
        let mistakes = [
            "t:2: unknown key colour",
            "t:3: mqtt.keepalive_s must be a whole number from 5 to 65535, not 1",
            "t:3: mqtt.receive_maximum must be a whole number from 1 to 65535, not 0",
            "WAYGATE_PLANNER_KIND: planner.kind must be one of 'osrm', 'valhalla', 'outside', 'none', not ''",
        ]
        #expect(throws: ConfigurationError(mistakes: mistakes)) {
            try Configuration.parse(
                "{\ncolour: 1,\nmqtt: {keepalive_s: 1, receive_maximum: 0}}", name: "t",
                environment: ["WAYGATE_PLANNER_KIND": ""])
        }
    }

    @Test func reportsEverySourceThatIsNotRight() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse(
                "{sources: [{filter: 'a#'}, {filter: 'a/+', vehicle_id: '{5}'}]}", name: "t")
        }
        let mistakes = try #require(error?.mistakes)
        #expect(mistakes.count == 2)
        #expect(mistakes[0].hasPrefix("t:1: sources[0].filter is not right: "))
        #expect(mistakes[1].hasPrefix("t:1: sources[1].vehicle_id is not right: "))
    }

    @Test func refusesSourcesThatBringAMessageTwiceOrBack() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse(
                "{sources: [{filter: 'cars/+/#'}, {filter: 'x/+'}], topic_root: 'cars'}", name: "t")
        }
        #expect(
            error?.mistakes == [
                "sources[0].filter: 'cars/+/#' is too wide: it overlaps the worker's "
                    + "'cars/+/position', 'cars/+/command/+', and a message would come twice; it "
                    + "would bring back what the worker publishes to 'cars/+/event/+', "
                    + "'cars/+/alarm/+', 'cars/+/progress', 'cars/+/route', 'cars/+/proposal'"
            ])
    }

    @Test func saysWhichFileCannotBeRead() {
        let mistake = "/nowhere/waygate.json5: cannot be read: No such file or directory"
        #expect(throws: ConfigurationError(mistakes: [mistake])) {
            try Configuration.load(file: "/nowhere/waygate.json5", environment: [:])
        }
        #expect(throws: ConfigurationError(mistakes: [mistake])) {
            try Configuration.load(
                file: nil, environment: ["WAYGATE_CONFIG": "/nowhere/waygate.json5"])
        }
    }

    @Test func showsNoSecrets() throws {
        let configuration = try Configuration.parse(
            """
            {mqtt: {url: 'mqtt://u:hunter2@h'}, database: {url: 'password=hunter2'},
            http: {command_token: 'hunter2'}}
            """, name: "t")
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(!"\(configuration) \(String(reflecting: configuration))".contains("hunter2"))
    }

    @Test func knowsEveryKeyOnce() {
        let paths = ConfigurationKey.all.map(\.path)
        #expect(Set(paths).count == paths.count)
    }
}
