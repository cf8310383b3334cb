import Foundation
import Testing

/// `decode` on the command line.
struct DecodeTests {
    private let payload = #"{"time":1772366400,"lat":47.14,"lon":9.52,"speed_mps":8.5}"#

    @Test func showsWhatBecomesOfAPayload() throws {
        let result = try Tool.run(
            "decode", "--topic", "fleet/van-7/position", "--received-at", "1772366405", "-",
            input: payload)
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.output
                == #"{"outcome":"accepted","vehicle_id":"van-7","reason":null,"fixes":[{"lat":47.14,"#
                + #""lon":9.52,"time":"2026-03-01T12:00:00.000Z","speed_mps":8.5}],"rejected_items":[]}"#
                + "\n")
    }

    @Test func readsTheSourcesOfTheSettings() throws {
        let file = NSTemporaryDirectory() + "/waygate-\(UUID().uuidString).json5"
        try Data(
            "{sources: [{filter: 'owntracks/+/+', format: 'owntracks', vehicle_id: '{1}-{2}'}]}"
                .utf8
        ).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try Tool.run(
            "decode", "--config", file, "--topic", "owntracks/ana/phone", "--received-at",
            "1772366405",
            "-", input: #"{"_type":"location","tst":1772366400,"lat":47.14,"lon":9.52}"#)
        #expect(result.output.hasPrefix(#"{"outcome":"accepted","vehicle_id":"ana-phone","#))
    }

    @Test(arguments: [
        "other/van-7/position", "fleet/van-7/event/arrived", "fleet/van-7/command/stop",
    ])
    func failsWhereNoSourceMatches(_ topic: String) throws {
        let result = try Tool.run("decode", "--topic", topic, "-", input: payload)
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(topic))
    }

    @Test func needsATopic() throws {
        #expect(try Tool.run("decode", "-", input: payload).status == 2)
    }
}
