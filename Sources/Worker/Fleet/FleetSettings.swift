import Foundation
package import Telemetry
package import Tracking

/// The settings that decide what an entry means.
///
/// They are an input like any other: each start of the worker spools them, so that a replay after a crash
/// decides as the first run did, whatever the configuration says by then.
package struct FleetSettings: Codable, Equatable, Sendable {
    /// First level of the worker's topics.
    package var topicRoot: String
    /// Sources besides the native topic.
    package var sources: [Source]
    /// Payloads above this many bytes are rejected.
    package var maxPayloadBytes: Int
    /// Fixes older than this many days are rejected.
    package var maxAgeDays: Int
    /// For how many days after its end a vehicle's trip keeps its id.
    package var tripRetentionDays: Int
    /// All tracking options by default, a JSON object as text.
    package var tracking: String
    /// The settings of alarms, a JSON object as text.
    package var alarms = "{}"
    /// What places may cost.
    package var placeBounds = PlaceBounds()
    /// Who answers requests for a route.
    package var planner: Planner
    /// What is done about closed roads.
    package var roads = RoadRules()

    /// One mapped source.
    package struct Source: Codable, Equatable, Sendable {
        package var filter: String
        package var format: String?
        package var vehicleID: String

        package init(filter: String, format: String?, vehicleID: String) {
            self.filter = filter
            self.format = format
            self.vehicleID = vehicleID
        }

        /// The source as topics are matched by it.
        var definition: SourceDefinition {
            SourceDefinition(filter: filter, format: format, vehicleID: vehicleID)
        }
    }

    /// What places may cost.
    package struct PlaceBounds: Codable, Equatable, Sendable {
        /// How many places there may be.
        package var places = 20_000
        /// How many vertices a place may have.
        package var vertices = 10_000
        /// How many places a fix is tested against exactly.
        package var hits = 4096

        package init() {}
    }

    /// What is done about closed roads.
    package struct RoadRules: Codable, Equatable, Sendable {
        /// What is done with a route that drives on them.
        package var policy = RoadConditions.Policy.avoid
        /// How many of them a request names.
        package var mostAvoided = 50

        package init() {}
    }

    /// Who answers requests for a route.
    package enum Planner: String, Codable, Sendable {
        /// The worker's planner client.
        case engine
        /// Another program, by `command/route`.
        case outside
        /// Nobody: a route is never asked for.
        case none
    }

    package init(
        topicRoot: String, sources: [Source] = [], maxPayloadBytes: Int = 262_144,
        maxAgeDays: Int = 90, tripRetentionDays: Int = 365, tracking: String = "{}",
        planner: Planner = .outside
    ) {
        self.topicRoot = topicRoot
        self.sources = sources
        self.maxPayloadBytes = maxPayloadBytes
        self.maxAgeDays = maxAgeDays
        self.tripRetentionDays = tripRetentionDays
        self.tracking = tracking
        self.planner = planner
    }

    /// What to subscribe to, and what topics mean.
    ///
    /// - Throws: `SourceError` with all that is wrong with the sources.
    package func sourceTable() throws(SourceError) -> SourceTable {
        try SourceTable(root: topicRoot, sources: sources.map(\.definition))
    }

    /// The tracking options by default.
    var tripOptions: TripOptions {
        get { (try? TripOptions(json: Array(tracking.utf8))) ?? TripOptions() }
        set { tracking = newValue.json }
    }

    /// The settings of alarms.
    var alarmSettings: AlarmSettings {
        get { (try? AlarmSettingTable.settings(json: Array(alarms.utf8))) ?? AlarmSettings() }
        set {
            var json = JSONWriter(capacity: 512)
            AlarmSettingTable.encode(newValue, into: &json)
            alarms = json.text
        }
    }

    /// What a place may be.
    var placeLimits: PlaceLimits {
        var limits = PlaceLimits(isZone: SystemZone.exists)
        limits.maxVertices = placeBounds.vertices
        return limits
    }

    /// The settings as an entry's payload: equal settings give equal bytes.
    package func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Texts and finite numbers always encode.
        return (try? encoder.encode(self)).map(Array.init) ?? []
    }

    /// Reads an entry's payload.
    ///
    /// - Throws: `SettingsEntryError` when it is none, or a later release's.
    package init(_ payload: some Sequence<UInt8>) throws(SettingsEntryError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(payload))
        } catch let error as SettingsEntryError {
            throw error
        } catch {
            throw SettingsEntryError(message: "the settings of an earlier start cannot be read")
        }
    }
}

/// How settings outlive a release: a member that an older entry lacks has its default.
extension FleetSettings {
    /// The version of an entry; without one it is the first build's, which is 1.
    ///
    /// A change that an older release would misread raises it, and with it that of the spool.
    private static let version = 2

    private enum CodingKeys: String, CodingKey {
        case version, topicRoot, sources, maxPayloadBytes, maxAgeDays, tripRetentionDays, tracking
        case alarms, placeBounds, planner, roads
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let version = try members.decodeIfPresent(Int.self, forKey: .version) ?? 1
        guard version <= Self.version else {
            throw SettingsEntryError(
                message:
                    "the settings of an earlier start have version \(version), and this release "
                    + "reads up to \(Self.version): run the release that wrote them")
        }
        self.init(topicRoot: try members.decode(String.self, forKey: .topicRoot))
        func read<Value: Decodable>(_ key: CodingKeys, into value: inout Value) throws {
            value = try members.decodeIfPresent(Value.self, forKey: key) ?? value
        }
        try read(.sources, into: &sources)
        try read(.maxPayloadBytes, into: &maxPayloadBytes)
        try read(.maxAgeDays, into: &maxAgeDays)
        try read(.tripRetentionDays, into: &tripRetentionDays)
        try read(.tracking, into: &tracking)
        try read(.alarms, into: &alarms)
        try read(.placeBounds, into: &placeBounds)
        try read(.planner, into: &planner)
        try read(.roads, into: &roads)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(Self.version, forKey: .version)
        try members.encode(topicRoot, forKey: .topicRoot)
        try members.encode(sources, forKey: .sources)
        try members.encode(maxPayloadBytes, forKey: .maxPayloadBytes)
        try members.encode(maxAgeDays, forKey: .maxAgeDays)
        try members.encode(tripRetentionDays, forKey: .tripRetentionDays)
        try members.encode(tracking, forKey: .tracking)
        try members.encode(alarms, forKey: .alarms)
        try members.encode(placeBounds, forKey: .placeBounds)
        try members.encode(planner, forKey: .planner)
        try members.encode(roads, forKey: .roads)
    }
}

/// Why the settings of an earlier start cannot be read.
package struct SettingsEntryError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, and what to do.
    package var message: String
    package var description: String { message }
}
