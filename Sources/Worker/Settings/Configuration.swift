package import Telemetry
package import Tracking

/// All settings of a worker, read once at start and handed down.
///
/// Each property is one key of the JSON5 file; a key's unit is in its name there, the property is
/// in metres, seconds, metres per second or bytes. ``load(file:environment:)`` reads them.
package struct Configuration: Equatable, Sendable {
    /// `worker_id`: names the MQTT sessions, the spool and the checkpoint; default `waygate`.
    package var workerID = "waygate"
    /// `topic_root`: first level, or levels, of all topics; default `fleet`.
    package var topicRoot = "fleet"
    /// `mqtt.*`: how to reach the broker.
    package var mqtt = Broker()
    /// `sources`: more topics with positions, besides the native one; default none.
    package var sources: [PositionSource] = []
    /// `database.*`: how to reach PostgreSQL.
    package var database = Database()
    /// `spool.*`: the durable queue on this machine's disk.
    package var spool = SpoolFolder()
    /// `planner.*`: who is asked for routes.
    package var planner = RoutePlanner()
    /// `retention.*`: how long the database keeps what.
    package var retention = Retention()
    /// `limits.*`: what one message or vehicle may cost.
    package var limits = Limits()
    /// `http.*`: metrics, health and the live map.
    package var http = HTTP()
    /// `log.*`: what is written to standard error, and how.
    package var log = Logging()
    /// `alarms.*`: the settings of what is told of places, speed and stops.
    package var alarms = AlarmSettings()
    /// `tracking`: the tracking rules' settings, which an assignment's own options override.
    package var tracking = TripOptions()

    /// Creates the defaults.
    package init() {}
}

extension Configuration {
    /// How to reach the MQTT broker.
    package struct Broker: Equatable, Sendable {
        /// Which version of MQTT is spoken.
        package enum Version: String, CaseIterable, Sendable {
            /// 5 first, 3.1.1 where the broker does not speak 5.
            case auto
            /// 5 only.
            case five = "5"
            /// 3.1.1 only.
            case three = "3.1.1"
        }

        /// `mqtt.url`: `mqtt://user:password@host:port`, or `mqtts://` for TLS; default
        /// `mqtt://127.0.0.1:1883`.
        package var url = Secret("mqtt://127.0.0.1:1883")
        /// The first line of the file at `mqtt.password_file`, instead of a password in the URL;
        /// default none.
        package var password: Secret?
        /// `mqtt.ca_file`: PEM file of the authorities that may vouch for the broker; default none,
        /// which is the system's.
        package var authorityFile: String?
        /// `mqtt.cert_file`: PEM file of the client certificate; default none.
        package var certificateFile: String?
        /// `mqtt.key_file`: PEM file of the client certificate's key; default none.
        package var keyFile: String?
        /// `mqtt.version`: `5`, `3.1.1` or `auto`; default `auto`.
        package var version = Version.auto
        /// `mqtt.keepalive_s`: seconds of silence after which a ping is sent, 5 to 65,535; default
        /// 60.
        package var keepAlive = 60
        /// `mqtt.receive_maximum`: messages in flight that the broker may send, 1 to 65,535;
        /// default 65,535.
        package var receiveMaximum = 65_535
        /// `mqtt.session_expiry_s`: seconds that the broker keeps messages for an absent worker, 1
        /// to 4,294,967,295 (for ever); default 604,800, a week.
        package var sessionExpiry = 604_800
    }

    /// More topics with positions.
    package struct PositionSource: Equatable, Sendable {
        /// `filter`: an MQTT topic filter.
        package var filter: String
        /// `format`: name of the payloads' format; `nil` recognises it by the content.
        package var format: String?
        /// `vehicle_id`: template of the vehicle's id: `{n}` is the n-th topic level from 0,
        /// `{a.b}` reads a JSON path; `nil` for the level before the last.
        package var vehicleID: String?
    }

    /// How to reach PostgreSQL.
    package struct Database: Equatable, Sendable {
        /// `database.url`: any libpq connection string or URI; default empty, which leaves all to
        /// libpq's own `PG*` variables.
        package var url = Secret("")
        /// The first line of the file at `database.password_file`; default none.
        package var password: Secret?
    }

    /// The durable queue on this machine's disk.
    package struct SpoolFolder: Equatable, Sendable {
        /// `spool.folder`: where it is, created if missing; default `./spool`.
        package var folder = "./spool"
        /// `spool.max_bytes`: how large it may grow before the intake pauses, in bytes, 1 MiB or
        /// more; default 2 GiB.
        package var maxBytes = 2_147_483_648
    }

    /// Who is asked for routes.
    package struct RoutePlanner: Equatable, Sendable {
        /// What answers.
        package enum Kind: String, CaseIterable, Sendable {
            /// A server with OSRM's HTTP interface.
            case osrm
            /// A server with Valhalla's HTTP interface.
            case valhalla
            /// Another program, by `command/route`.
            case outside
            /// Nobody: a route is never asked for.
            case none
        }

        /// `planner.kind`: `osrm`, `valhalla`, `outside` or `none`; default `outside`.
        package var kind = Kind.outside
        /// `planner.url`: `http://` or `https://` URL of an `osrm` or `valhalla` server; default
        /// none.
        package var url: String?
        /// `planner.roadblocks`: what is done with a route that drives on closed roads: `avoid` takes it where no
        /// other was found, `forbid` does not; default `avoid`.
        package var roadblocks = RoadConditions.Policy.avoid
        /// `planner.avoid_rounds`: how often an engine is asked at most to get around closed roads, 1 to 10; default 3.
        package var avoidRounds = 3
        /// `planner.max_avoid`: closed roads that a request names at most, 0 to 1,000; default 50.
        package var maxAvoid = 50
        /// `planner.max_in_flight`: requests at a time, 1 to 1,024; default 16.
        package var maxInFlight = 16
    }

    /// How long the database keeps what.
    package struct Retention: Equatable, Sendable {
        /// `retention.positions_days`: days, 1 to 36,500; default 90.
        package var positionsDays = 90
        /// `retention.rejected_days`: days, 1 to 36,500; default 30.
        package var rejectedDays = 30
        /// `retention.trips_days`: days that ended trips with their events and commands stay, 1 to
        /// 36,500; default 365.
        package var tripsDays = 365
        /// `retention.alarms_days`: days, 1 to 36,500; default 365.
        package var alarmsDays = 365
        /// `retention.visits_days`: days that visits and speedings stay, 1 to 36,500; default 730.
        package var visitsDays = 730
        /// `retention.journal_days`: days that stops and drives stay, 1 to 36,500; default 730.
        package var journalDays = 730
    }

    /// What one message or vehicle may cost.
    package struct Limits: Equatable, Sendable {
        /// `limits.max_payload_bytes`: longer payloads are rejected unread, in bytes, 1 to
        /// 268,435,455; default 262,144.
        package var maxPayloadBytes = 262_144
        /// `limits.max_progress_per_vehicle_per_s`: progress messages a vehicle and second, above 0
        /// up to 1,000; default 1.
        package var maxProgressRate = 1.0
        /// `limits.max_places`: places in force, 0 to 1,000,000; default 20,000.
        package var maxPlaces = 20_000
        /// `limits.max_place_vertices`: vertices of one place, 3 to 1,000,000; default 10,000.
        package var maxPlaceVertices = 10_000
        /// `limits.max_place_hits`: places that one fix is tested against exactly, 1 to 1,000,000;
        /// default 4,096.
        package var maxPlaceHits = 4096
    }

    /// Metrics, health and the live map.
    package struct HTTP: Equatable, Sendable {
        /// Where the server listens.
        package struct Address: Equatable, Sendable {
            /// A host name or address, without brackets.
            package var host: String
            /// A TCP port; 0 takes a free one.
            package var port: UInt16
        }

        /// `http.listen`: `host:port`; default `127.0.0.1:8088`; `nil`, written as empty text,
        /// turns it off.
        package var listen: Address? = Address(host: "127.0.0.1", port: 8088)
        /// `http.command_token`, or the first line of the file at `http.command_token_file`: what a
        /// `POST` must bear; default none, which turns commands off.
        package var commandToken: Secret?
        /// `http.tiles`: URL template of the live map's tiles, with `{z}`, `{x}` and `{y}`; default
        /// none.
        package var tiles: String?
        /// `http.tiles_attribution`: whom the map must name as the author of tiles or roads, plain
        /// text; default none, which is OpenStreetMap's contributors where there are tiles.
        package var tilesAttribution: String?
        /// `http.map`: where the live map's vector tiles come from: `planner`, a URL with `{z}`, `{x}`
        /// and `{y}`, a folder or a `.pmtiles` file; default none.
        package var map: String?
        /// `http.assets`: folder with Leaflet's files; default none, which is Debian's.
        package var assets: String?
    }

    /// What is written to standard error, and how.
    package struct Logging: Equatable, Sendable {
        /// `log.level`: the least important level that is written; default `info`.
        package var level = Logger.Level.info
        /// `log.format`: `text` or `json`; default `text`.
        package var format = Logger.Format.text
    }
}
