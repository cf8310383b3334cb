import Telemetry
import Tracking

extension ConfigurationKey {
    /// Every key of the settings file, in the order of the documentation.
    static var all: [ConfigurationKey] {
        identity + mqtt + storage + planner + bounds + surface + alarms + tracking
    }

    private static var identity: [ConfigurationKey] {
        [
            .text(
                "worker_id", variable: "WAYGATE_WORKER_ID", \.workerID,
                check: SettingCheck.workerID),
            .text(
                "topic_root", variable: "WAYGATE_TOPIC_ROOT", \.topicRoot,
                check: SettingCheck.topicRoot),
            ConfigurationKey("sources", of: \.sources) { (value, configuration) throws(Refusal) in
                configuration.sources = try value.positionSources()
            },
        ]
    }

    private static var mqtt: [ConfigurationKey] {
        [
            .secret(
                "mqtt.url", variable: "WAYGATE_MQTT_URL", \.mqtt.url, check: SettingCheck.mqttURL),
            .file("mqtt.password_file", secret: \.mqtt.password),
            .optionalText("mqtt.ca_file", \.mqtt.authorityFile, check: SettingCheck.readableFile),
            .optionalText(
                "mqtt.cert_file", \.mqtt.certificateFile, check: SettingCheck.readableFile),
            .optionalText("mqtt.key_file", \.mqtt.keyFile, check: SettingCheck.readableFile),
            .choice("mqtt.version", \.mqtt.version),
            .integer("mqtt.keepalive_s", \.mqtt.keepAlive, in: 5...65_535),
            .integer("mqtt.receive_maximum", \.mqtt.receiveMaximum, in: 1...65_535),
            .integer("mqtt.session_expiry_s", \.mqtt.sessionExpiry, in: 1...4_294_967_295),
        ]
    }

    private static var storage: [ConfigurationKey] {
        [
            .secret(
                "database.url", variable: "WAYGATE_DATABASE_URL", \.database.url,
                check: SettingCheck.databaseURL),
            .file("database.password_file", secret: \.database.password),
            .text(
                "spool.folder", variable: "WAYGATE_SPOOL", \.spool.folder, check: SettingCheck.path),
            .integer("spool.max_bytes", \.spool.maxBytes, in: 1_048_576...(1 << 53)),
        ]
    }

    private static var planner: [ConfigurationKey] {
        [
            .choice("planner.kind", variable: "WAYGATE_PLANNER_KIND", \.planner.kind),
            .optionalText(
                "planner.url", variable: "WAYGATE_PLANNER_URL", \.planner.url,
                check: SettingCheck.webURL),
            .integer("planner.max_in_flight", \.planner.maxInFlight, in: 1...1024),
            .choice("planner.roadblocks", \.planner.roadblocks),
            .integer("planner.avoid_rounds", \.planner.avoidRounds, in: 1...10),
            .integer("planner.max_avoid", \.planner.maxAvoid, in: 0...1000),
        ]
    }

    private static var bounds: [ConfigurationKey] {
        [
            .integer("retention.positions_days", \.retention.positionsDays, in: 1...36_500),
            .integer("retention.rejected_days", \.retention.rejectedDays, in: 1...36_500),
            .integer("retention.trips_days", \.retention.tripsDays, in: 1...36_500),
            .integer("retention.alarms_days", \.retention.alarmsDays, in: 1...36_500),
            .integer("retention.visits_days", \.retention.visitsDays, in: 1...36_500),
            .integer("retention.journal_days", \.retention.journalDays, in: 1...36_500),
            .integer("limits.max_payload_bytes", \.limits.maxPayloadBytes, in: 1...268_435_455),
            .number(
                "limits.max_progress_per_vehicle_per_s", \.limits.maxProgressRate,
                "above 0, up to 1000"
            ) { $0 > 0 && $0 <= 1000 },
            .integer("limits.max_places", \.limits.maxPlaces, in: 0...1_000_000),
            .integer("limits.max_place_vertices", \.limits.maxPlaceVertices, in: 3...1_000_000),
            .integer("limits.max_place_hits", \.limits.maxPlaceHits, in: 1...1_000_000),
        ]
    }

    private static var surface: [ConfigurationKey] {
        [
            ConfigurationKey("http.listen", variable: "WAYGATE_HTTP", of: \.http.listen) {
                (value, configuration) throws(Refusal) in
                configuration.http.listen = try value.listenAddress()
            },
            ConfigurationKey("http.command_token", of: \.http.commandToken) {
                (value, configuration) throws(Refusal) in
                guard case .text(let token) = value.content else {
                    throw Refusal("must be text in quotes")
                }
                configuration.http.commandToken = token.isEmpty ? nil : Secret(token)
            },
            .file("http.command_token_file", secret: \.http.commandToken),
            .optionalText("http.tiles", \.http.tiles, check: SettingCheck.tileTemplate),
            .optionalText("http.tiles_attribution", \.http.tilesAttribution),
            .optionalText("http.map", \.http.map, check: SettingCheck.ground),
            .optionalText("http.assets", \.http.assets, check: SettingCheck.path),
            .choice("log.level", \.log.level),
            .choice("log.format", \.log.format),
        ]
    }

    private static var tracking: [ConfigurationKey] {
        let differs = { (name: String, old: Configuration, new: Configuration) in
            TripOptionTable.differs(name, old.tracking, new.tracking)
        }
        return table("tracking", TripOptionTable.names, differs) {
            (name, value, configuration) throws(Tracking.Refusal) in
            try TripOptionTable.set(
                name, value, scope: .worker, prefix: "tracking.", in: &configuration.tracking)
        }
    }

    private static var alarms: [ConfigurationKey] {
        let differs = { (name: String, old: Configuration, new: Configuration) in
            AlarmSettingTable.differs(name, old.alarms, new.alarms)
        }
        return table("alarms", AlarmSettingTable.names, differs) {
            (name, value, configuration) throws(Tracking.Refusal) in
            try AlarmSettingTable.set(
                name, value, prefix: "alarms.", in: &configuration.alarms)
        }
    }

    /// The keys of a group whose table checks the values.
    private static func table(
        _ group: String, _ names: [String],
        _ differs: @escaping (String, Configuration, Configuration) -> Bool,
        _ set:
            @escaping @Sendable (String, OptionValue, inout Configuration) throws(Tracking.Refusal)
            -> Void
    ) -> [ConfigurationKey] {
        names.map { name in
            let path = "\(group).\(name)"
            return ConfigurationKey(path, differs: { differs(name, $0, $1) }) {
                (value, configuration) throws(Refusal) in
                do throws(Tracking.Refusal) {
                    try set(name, value.optionValue, &configuration)
                } catch {
                    // The sentence opens with the key, as this one's will.
                    throw Refusal(String(error.detail.dropFirst(path.count + 1)))
                }
            }
        }
    }

    /// A path to a file whose first line is a secret.
    private static func file(
        _ path: String, secret target: WritableKeyPath<Configuration, Secret?>
    ) -> ConfigurationKey {
        ConfigurationKey(path, of: target) { (value, configuration) throws(Refusal) in
            let file = try value.text()
            configuration[keyPath: target] = file.isEmpty ? nil : try SettingCheck.secret(in: file)
        }
    }
}
