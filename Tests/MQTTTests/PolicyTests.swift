import MQTT
import Testing

struct PolicyTests {
    @Test("pauses double up to the limit, and are at least half of what they may be")
    func pausesGrow() {
        var policy = ReconnectPolicy()
        let longest = (0..<8).map { policy.pause(at: Double($0), chance: 1) }
        #expect(longest == [0.25, 0.5, 1, 2, 4, 8, 10, 10])
        #expect(policy.pause(at: 9, chance: 0) == 5)
        for _ in 0..<100 { _ = policy.pause(at: 10, chance: 0.3) }
        #expect((5...10).contains(policy.pause(at: 10, chance: 0.5)))
    }

    @Test("pauses start over only after a connection has lasted")
    func startsOver() {
        var policy = ReconnectPolicy()
        for _ in 0..<5 { _ = policy.pause(at: 0, chance: 1) }
        policy.connected(at: 100)
        #expect(policy.pause(at: 109.9, chance: 1) == 8)
        policy.connected(at: 200)
        #expect(policy.pause(at: 210, chance: 1) == 0.25)
        // The time without a connection does not count as one that lasted.
        _ = policy.pause(at: 300, chance: 1)
        #expect(policy.pause(at: 400, chance: 1) == 1)
    }

    @Test("a refused version is given up for good, a hang-up only until the connection is lost")
    func choosesVersion() {
        var choice = VersionChoice(.auto)
        #expect(choice.current == 5)
        #expect(choice.refused() == true)
        choice.worked()
        choice.lost()
        #expect(choice.current == 4)

        choice = VersionChoice(.auto)
        #expect(choice.hungUp() == true)
        #expect(choice.current == 4)
        choice.worked()
        choice.lost()
        #expect(choice.current == 5)
        #expect(choice.hungUp() == true)
        // Neither version gets an answer: by turns, and only 3.1.1 at once.
        #expect(choice.hungUp() == false)
        #expect(choice.current == 5)
    }

    @Test("where a version has worked, one hang-up is not taken for a refusal")
    func staysWithWhatWorked() {
        var choice = VersionChoice(.auto)
        choice.worked()
        choice.lost()
        #expect(choice.hungUp() == false)
        #expect(choice.current == 5)
        #expect(choice.hungUp() == true)
        #expect(choice.current == 4)
    }

    @Test("a fixed version is never changed", arguments: [MQTTSettings.ProtocolVersion.v5, .v311])
    func keepsFixedVersion(version: MQTTSettings.ProtocolVersion) {
        var choice = VersionChoice(version)
        let expected: Int32 = version == .v5 ? 5 : 4
        let changes = [choice.refused(), choice.hungUp(), choice.hungUp()]
        #expect(changes == [false, false, false])
        #expect(choice.current == expected)
    }
}
