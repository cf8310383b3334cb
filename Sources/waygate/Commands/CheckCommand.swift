import Glibc
import Ground
import Routing
import Spool
import Store
import Telemetry
import Worker

/// `waygate check`: tries every part that the settings name.
struct CheckCommand: Subcommand {
    private static let json = Option.flag("json", "print a JSON object for each part")

    static let manual = Manual(
        name: "check", summary: "try the settings, spool, broker, database and planner",
        options: [json, .config],
        details: """
            Prints a line for each part: whether it works, and if not, what to do. Changes nothing and \
            disturbs no running worker; at the broker it publishes a message of each kind on topics of its \
            own (TOPIC_ROOT/WORKER-check-…), and takes the retained ones away again. Exit status 1 when a \
            part does not work.
            """,
        example: "waygate check --config /etc/waygate.json5")

    /// What was found about one part.
    private struct Finding {
        var part: String
        var works: Bool
        var detail: String
    }

    private let settings: ConfigurationSource
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        asJSON = arguments.has(Self.json)
    }

    func run() throws {
        let output = Output(isLive: true)
        var failures = 0
        func show(_ finding: Finding) {
            failures += finding.works ? 0 : 1
            output.line(asJSON ? json(finding) : text(finding))
        }
        let configuration: Configuration
        do {
            configuration = try settings.load()
        } catch {
            for mistake in error.mistakes {
                show(Finding(part: "config", works: false, detail: mistake))
            }
            throw CommandFailure("the settings are not right, and nothing else was tried")
        }
        let origin = settings.path ?? "the defaults and WAYGATE_* variables"
        show(Finding(part: "config", works: true, detail: origin))
        show(find("spool") { try Self.checkSpool(configuration) })
        show(find("broker") { try Self.checkBroker(configuration) })
        show(find("database") { try Self.checkDatabase(configuration) })
        show(find("planner") { try Self.checkPlanner(configuration) })
        if configuration.http.map != nil {
            show(find("map") { try Self.checkGround(configuration) })
        }
        guard failures == 0 else {
            throw CommandFailure(
                failures == 1 ? "1 part does not work" : "\(failures) parts do not work")
        }
    }

    private func find(_ part: String, _ check: () throws -> String) -> Finding {
        do {
            return Finding(part: part, works: true, detail: try check())
        } catch {
            return Finding(part: part, works: false, detail: "\(error)")
        }
    }

    private func text(_ finding: Finding) -> String {
        "\(finding.works ? "ok    " : "FAILED")  \(finding.part.padded(to: 8))  \(finding.detail)"
    }

    private func json(_ finding: Finding) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("part", finding.part)
            json.member("ok", finding.works)
            json.member("detail", finding.detail)
        }
        return json.text
    }

    private static func checkSpool(_ configuration: Configuration) throws -> String {
        let folder = configuration.spool.folder
        var status = stat()
        if stat(folder, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw CommandFailure("\(folder) is no folder: correct spool.folder")
            }
            guard access(folder, W_OK | X_OK) == 0 else {
                throw CommandFailure(
                    "\(folder) cannot be written: \(String(cString: strerror(errno)))")
            }
            return try folder + room(on: folder, configuration)
        }
        // It will be made, if the nearest folder above it allows that.
        var parent = folder
        repeat {
            let name = parent.split(separator: "/", omittingEmptySubsequences: true).last ?? ""
            let rest = parent.dropLast(parent.hasSuffix("/") ? name.count + 1 : name.count)
            parent = rest.isEmpty ? "." : String(rest)
            while parent.count > 1, parent.hasSuffix("/") { parent.removeLast() }
        } while parent != "." && parent != "/" && access(parent, F_OK) != 0
        guard access(parent, W_OK | X_OK) == 0 else {
            throw CommandFailure(
                "\(folder) cannot be made in \(parent): \(String(cString: strerror(errno)))")
        }
        return try "\(folder), made at the first start" + room(on: parent, configuration)
    }

    /// Compares the spool's limit with what its volume has.
    private static func room(
        on folder: String, _ configuration: Configuration
    ) throws -> String {
        guard let volume = SpoolVolume(of: folder) else { return "" }
        let limit = configuration.spool.maxBytes
        guard volume.available >= SpoolVolume.smallest else {
            throw CommandFailure(
                "\(folder) has no room: \(volume.free) bytes are free on its volume, and the spool "
                    + "needs \(SpoolVolume.smallest) at least: free some, or move spool.folder")
        }
        guard volume.available < limit else { return "" }
        return "; its volume has room for \(volume.available) bytes, less than spool.max_bytes "
            + "(\(limit)): the intake pauses when the disk is full; lower it, or move spool.folder"
    }

    private static func checkBroker(_ configuration: Configuration) throws -> String {
        let root = configuration.topicRoot
        let filters =
            ["\(root)/+/position", "\(root)/+/command/+"] + configuration.sources.map(\.filter)
        let session = try BrokerSession(configuration, filters: filters)
        let problems = try BrokerProbe(configuration).problems()
        guard problems.isEmpty else {
            throw CommandFailure("\(session.address): " + problems.joined(separator: "; "))
        }
        return session.address
    }

    private static func checkDatabase(_ configuration: Configuration) throws -> String {
        let store = try StoreConnection(configuration.storeSettings)
        guard try !store.isReadOnly() else {
            throw StoreError(.readOnly, "the server takes no writes")
        }
        let missing = try store.missingRights()
        guard missing.isEmpty else {
            throw CommandFailure(
                "the user lacks rights (\(missing.joined(separator: ", "))): "
                    + "run sql/roles.sql and grant waygate_worker to the user")
        }
        return "schema waygate at version \(Migrator.currentVersion)"
    }

    private static func checkGround(_ configuration: Configuration) throws -> String {
        guard let source = try GroundSource.from(configuration) else { return "none" }
        let ground = try Ground(source)
        defer { ground.stop() }
        let zooms = ground.facts.zooms
        return "tiles of zoom \(zooms.lowerBound) to \(zooms.upperBound)"
    }

    private static func checkPlanner(_ configuration: Configuration) throws -> String {
        switch configuration.planner.kind {
        case .outside: return "outside: another program answers with command/route"
        case .none: return "none: a route is never asked for"
        case .osrm, .valhalla:
            do {
                let server = try PlannerClient(settings: configuration.plannerSettings).check()
                guard configuration.planner.kind == .osrm else { return server }
                return server
                    + "; it knows no sizes of vehicles and closes no roads: what it cannot avoid is named"
            } catch {
                throw CommandFailure("\(error.message); planner.url says where it is")
            }
        }
    }
}
