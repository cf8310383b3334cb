import Store
import Synchronization

extension FleetSettings {
    /// What of the settings decides what an entry means.
    package init(_ configuration: Configuration) {
        let planner: Planner =
            switch configuration.planner.kind {
            case .osrm, .valhalla: .engine
            case .outside: .outside
            case .none: .none
            }
        self.init(
            topicRoot: configuration.topicRoot,
            sources: configuration.sources.map(Source.init),
            maxPayloadBytes: configuration.limits.maxPayloadBytes,
            maxAgeDays: min(configuration.retention.positionsDays, 366),
            tripRetentionDays: configuration.retention.tripsDays, planner: planner)
        tripOptions = configuration.tracking
        alarmSettings = configuration.alarms
        roads.policy = configuration.planner.roadblocks
        roads.mostAvoided = configuration.planner.maxAvoid
        placeBounds.places = configuration.limits.maxPlaces
        placeBounds.vertices = configuration.limits.maxPlaceVertices
        placeBounds.hits = configuration.limits.maxPlaceHits
    }
}

extension FleetSettings.Source {
    /// Fills in whose positions they are, where the settings do not say.
    init(_ source: Configuration.PositionSource) {
        // Most layouts name the device in the level before the last.
        let levels = source.filter.split(separator: "/", omittingEmptySubsequences: false).count
        self.init(
            filter: source.filter, format: source.format,
            vehicleID: source.vehicleID ?? "{\(max(levels - 2, 0))}")
    }
}

extension TrackingLimits {
    init(_ configuration: Configuration) {
        self.init()
        progressInterval = 1 / configuration.limits.maxProgressRate
    }
}

/// Opens sessions with PostgreSQL.
final class PostgresDatabase: Database, Sendable {
    private let settings: StoreSettings
    private let retention: Mutex<StoreSettings.Retention>

    init(settings: StoreSettings) {
        self.settings = settings
        retention = Mutex(settings.retention)
    }

    /// Has rows kept for as long as new settings say, from the next round of maintenance on.
    func renew(_ retention: StoreSettings.Retention) {
        self.retention.withLock { $0 = retention }
    }

    func connect() throws(StoreError) -> any DatabaseSession {
        try StoreConnection(settings) { [self] in retention.withLock { $0 } }
    }
}
