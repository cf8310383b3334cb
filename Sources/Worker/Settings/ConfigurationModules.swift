package import MQTT
package import Routing
package import Store
import Tracking

/// The settings as the modules that use them take them.
extension Configuration {
    /// How to reach the broker.
    ///
    /// - Throws: ``MQTTError`` when the URL is none; loading has checked it.
    package func mqttSettings() throws(MQTTError) -> MQTTSettings {
        var settings = try MQTTSettings.parse(url: mqtt.url.revealed)
        if let password = mqtt.password { settings.password = password.revealed }
        if settings.tls != nil {
            settings.tls = .init(
                caFile: mqtt.authorityFile, certFile: mqtt.certificateFile, keyFile: mqtt.keyFile)
        }
        switch mqtt.version {
        case .auto: settings.version = .auto
        case .five: settings.version = .v5
        case .three: settings.version = .v311
        }
        settings.keepalive = mqtt.keepAlive
        settings.receiveMaximum = mqtt.receiveMaximum
        settings.sessionExpiry = mqtt.sessionExpiry
        return settings
    }

    /// How to reach the database, and how long to keep its rows.
    package var storeSettings: StoreSettings {
        var settings = StoreSettings(
            connection: database.url.revealed, password: database.password?.revealed,
            workerID: workerID)
        settings.retention.positionsDays = retention.positionsDays
        settings.retention.rejectedDays = retention.rejectedDays
        settings.retention.tripsDays = retention.tripsDays
        settings.retention.alarmsDays = retention.alarmsDays
        settings.retention.visitsDays = retention.visitsDays
        settings.retention.journalDays = retention.journalDays
        return settings
    }

    /// How to reach the planner.
    package var plannerSettings: PlannerSettings {
        let kind: PlannerSettings.Kind =
            switch planner.kind {
            case .osrm: .osrm
            case .valhalla: .valhalla
            case .outside: .outside
            case .none: .none
            }
        var settings = PlannerSettings(kind: kind, url: planner.url)
        settings.maxInFlight = planner.maxInFlight
        settings.timeout = tracking.rerouteTimeout
        settings.avoidRounds = planner.avoidRounds
        return settings
    }
}
