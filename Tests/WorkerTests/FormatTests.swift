import Foundation
import Spool
import Store
import Testing

@testable import Worker

/// What a former build has left on the disk.
@Suite struct FormatTests {
    /// A folder with the spool of the first build: its settings, an assignment without a route, a planner's route,
    /// and a position.
    private static func firstSpool() throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/formats/spool-1.db")
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "waygate-formats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: file, to: folder.appending(path: "spool.db"))
        return folder.path
    }

    @Test func theSpoolOfTheFirstBuildIsWorkedThrough() throws {
        let folder = try Self.firstSpool()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let spool = try Spool(folder: folder, maxBytes: 1 << 20)
        #expect(spool.end == 4 && spool.recovery == nil)
        let fleet = Fleet(
            position: 0, spoolID: spool.id, settings: FleetSettings(topicRoot: "other"),
            isLive: false)
        fleet.changes = StoreChanges(from: 0)
        for batch in try spool.read(from: 0, maxBytes: 1 << 20) { fleet.apply(EntryBatch(batch)) }
        #expect(fleet.settings.topicRoot == "fleet")
        #expect(fleet.settings.tripRetentionDays == 365)
        let changes = try #require(fleet.takeChanges())
        #expect(changes.events.map(\.type) == ["trip_assigned", "rerouted"])
        #expect(changes.positions.map(\.tracked) == [true])
        #expect(try spool.marks() == [Mark(packetID: 7, digest: 42)])
    }

    @Test func settingsOfTheFirstBuildHaveDefaultsForWhatCameLater() throws {
        let settings = try FleetSettings(
            Array(#"{"topicRoot":"f","maxAgeDays":7,"planner":"none"}"#.utf8))
        var expected = FleetSettings(topicRoot: "f", maxAgeDays: 7)
        expected.planner = .none
        #expect(settings == expected)
    }

    @Test func settingsComeBackAsTheyWere() throws {
        let settings = FleetSettings(
            topicRoot: "f", sources: [.init(filter: "a/+", format: nil, vehicleID: "{1}")],
            maxPayloadBytes: 1, maxAgeDays: 2, tripRetentionDays: 3, tracking: "{}",
            planner: .engine)
        #expect(try FleetSettings(settings.encoded()) == settings)
    }

    @Test(arguments: [
        (#"{"version":99,"topicRoot":"f"}"#, "version 99"), ("{}", "cannot be read"),
        ("", "cannot be read"),
    ])
    func settingsThatCannotBeReadAreRefused(text: String, reason: String) {
        let error = #expect(throws: SettingsEntryError.self) {
            _ = try FleetSettings(Array(text.utf8))
        }
        #expect(error?.message.contains(reason) == true)
    }
}
