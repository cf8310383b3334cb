import Geometry
import Telemetry
import Tracking
import Watching
import Worker

/// `waygate place`: puts, deletes, shows and moves places between files and the worker.
struct PlaceSubcommand: Subcommand {
    private static let circle = Option.value(
        "circle", "LAT,LON,METRES", "put: a circle, in place of a file")
    private static let point = Option.value(
        "point", "LAT,LON", "put: a point, which is passed and not entered")
    private static let name = Option.value("name", "TEXT", "put: what people call it")
    private static let category = Option.value(
        "category", "NAME",
        "put, import: of places that have none; list, export, --delete-missing: this one and those below it"
    )
    private static let tell = Option.value(
        "tell", "ALARMS", "put, import: enter, exit, pass, dwell with commas between, or none")
    private static let roadblock = Option.flag(
        "roadblock", "put: it closes the roads in it, from now on; a FILE says until when")
    private static let radius = Option.value(
        "radius", "METRES", "import: makes circles of points that have no radius")
    private static let deleteMissing = Option.flag(
        "delete-missing", "import: delete the places of --category that are not in the file")
    private static let dryRun = Option.flag(
        "dry-run", "import: print what would change, and publish nothing")
    private static let json = Option.flag("json", "list: print definitions, a JSON object a line")
    private static let wait = Option.flag(
        "wait", "put, delete, import: wait for the answers; exit status 1 when one is a refusal")
    private static let timeout = Option.value(
        "timeout", "SECONDS", "how long --wait waits for the next answer (default 10)")

    static let manual = Manual(
        name: "place", summary: "put, delete, list, import and export places",
        operands: [
            Operand(
                placeholder: "ACTION", help: "put, delete, show, list, import or export"),
            Operand(
                placeholder: "ID", help: "put, delete, show: the place; import: FILE instead",
                isOptional: true),
            Operand(
                placeholder: "FILE",
                help:
                    "put: what to put, JSON as SPEC has it or a GeoJSON feature; - for standard input",
                isOptional: true),
        ],
        options: [
            circle, point, name, category, tell, roadblock, radius, deleteMissing, dryRun, json,
            wait, timeout,
            .config,
        ],
        details: """
            put and delete publish {root}-place/ID/command/…; show, list and export read the definitions \
            that the broker keeps. export prints GeoJSON, which import reads again.

            import reads GeoJSON (radius_m makes a circle of a point, width_m is a line's; properties that \
            Waygate does not know become attributes), an object of ids with what is put, KML, GPX waypoints, \
            CSV with id, name, lat, lon, radius_m and category, OwnTracks waypoints, and the answer of Traccar's \
            /api/geofences. Ids are the file's, or made from names. The whole file is checked first: where one \
            place would be refused, none is put. What is in force already stays as it is.
            """,
        example: "waygate place import yards.geojson --category depot --delete-missing --dry-run")

    private let action: PlaceAction
    private let settings: ConfigurationSource
    private let waits: Bool
    private let patience: Double

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        action = try PlaceAction(arguments)
        waits = arguments.has(Self.wait)
        patience = try arguments.number(Self.timeout, in: 0.1...86_400) ?? 10
        guard waits || !arguments.has(Self.timeout) else {
            throw UsageError("\(Self.timeout.written) needs \(Self.wait.written)")
        }
    }

    func run() throws {
        let configuration = try settings.load()
        switch action {
        case .put(let source):
            let place = try source.place()
            do throws(Refusal) {
                _ = try place.content(configuration.placeLimits)
            } catch {
                throw CommandFailure("\(error.reason.rawValue): \(error.detail)")
            }
            var orders = PlaceOrders()
            orders.put(place)
            try carryOut(orders, configuration)
        case .delete(let id):
            var orders = PlaceOrders()
            orders.delete(id)
            try carryOut(orders, configuration)
        case .show(let id):
            guard let item = try PlaceCatalogue(configuration, id: id).items.first else {
                throw CommandFailure("there is no place '\(id)'; 'waygate place list' shows all")
            }
            Output().line(item.definition)
        case .list(let category, let asJSON):
            let items = try PlaceCatalogue(configuration).items(in: category)
            PlaceList.print(items, asJSON: asJSON)
        case .export(let category):
            PlaceList.export(try PlaceCatalogue(configuration).items(in: category))
        case .importFile(let file, let plan, let isDryRun):
            try importFile(file, plan, isDryRun: isDryRun, configuration)
        }
    }

    /// Carries out one command, and prints its answer, or its id and topic.
    private func carryOut(_ orders: PlaceOrders, _ configuration: Configuration) throws {
        let answers = try orders.carryOut(configuration, patience: waits ? patience : nil)
        guard let order = orders.orders.first else { return }
        guard let answer = answers[order.commandID] else {
            var json = JSONWriter()
            json.object { json in
                json.member("command_id", order.commandID)
                json.member(
                    "topic",
                    "\(configuration.topicRoot)-place/\(order.placeID)/command/\(order.name.rawValue)"
                )
            }
            Output().line(json.bytes)
            return
        }
        Output().line(answer.event)
        if let refusal = answer.refusal { throw CommandFailure(refusal) }
    }

    private func importFile(
        _ file: String, _ plan: PlaceImport.Plan, isDryRun: Bool, _ configuration: Configuration
    ) throws {
        let change = try PlaceImport(file, plan, limits: configuration.placeLimits) {
            guard isDryRun || plan.deletesMissing else { return nil }
            return try PlaceCatalogue(configuration)
        }
        let output = Output()
        if isDryRun {
            for (id, effect) in change.effects where effect != .unchanged {
                output.line("\(effect.rawValue.padded(to: 9)) \(id.printable)")
            }
            let count = change.effects.count { $0.effect == .unchanged }
            output.line("\(count) of \(change.effects.count) are as they should be")
            return
        }
        let answers = try change.orders.carryOut(configuration, patience: waits ? patience : nil)
        let orders = change.orders.orders
        let puts = orders.count { $0.name == .put }
        var refusals: [String] = []
        for order in orders {
            guard let refusal = answers[order.commandID]?.refusal else { continue }
            refusals.append("place '\(order.placeID.printable)': \(refusal)")
        }
        guard refusals.isEmpty else { throw CommandFailure(refusals.joined(separator: "\n")) }
        let changed = waits ? ", \(answers.values.count(where: \.isChange)) of them a change" : ""
        output.line("\(puts) put, \(orders.count - puts) deleted\(changed)")
    }

    // MARK: Reading the command line

    /// What is to be done.
    private enum PlaceAction {
        case put(PlaceSource)
        case delete(String)
        case show(String)
        case list(category: String?, asJSON: Bool)
        case export(category: String?)
        case importFile(String, PlaceImport.Plan, isDryRun: Bool)

        private static let names = ["put", "delete", "show", "list", "import", "export"]

        init(_ arguments: Arguments) throws(UsageError) {
            let name = arguments.operands[0]
            let allowed: [Option]
            switch name {
            case "put":
                allowed = [
                    circle, point, PlaceSubcommand.name, category, tell, roadblock, wait, timeout,
                ]
                self = .put(try PlaceSource(arguments))
            case "delete":
                allowed = [wait, timeout]
                self = .delete(try Self.id(arguments))
            case "show":
                allowed = []
                self = .show(try Self.id(arguments))
            case "list":
                allowed = [category, json]
                try Self.check(arguments, count: 1)
                self = .list(category: arguments.text(category), asJSON: arguments.has(json))
            case "export":
                allowed = [category]
                try Self.check(arguments, count: 1)
                self = .export(category: arguments.text(category))
            case "import":
                allowed = [category, tell, radius, deleteMissing, dryRun, wait, timeout]
                self = try Self.importFile(arguments)
            default:
                let hint = suggestion(for: name, among: Self.names)
                throw UsageError(
                    "ACTION must be put, delete, show, list, import or export, not '\(name)'\(hint)"
                )
            }
            for option in manual.options where arguments.has(option) && option != .config {
                guard allowed.contains(option) else {
                    throw UsageError("'place \(name)' takes no \(option.written)")
                }
            }
        }

        private static func check(_ arguments: Arguments, count: Int) throws(UsageError) {
            if arguments.operands.count < count {
                throw UsageError("'place \(arguments.operands[0])' needs the place's ID")
            }
            if arguments.operands.count > count {
                throw UsageError("'\(arguments.operands[count])' is one argument too many")
            }
        }

        private static func id(_ arguments: Arguments) throws(UsageError) -> String {
            try check(arguments, count: 2)
            return try arguments.placeID()
        }

        private static func importFile(
            _ arguments: Arguments
        ) throws(UsageError) -> PlaceAction {
            guard arguments.operands.count > 1 else {
                throw UsageError("'place import' needs a FILE, or - for standard input")
            }
            try check(arguments, count: 2)
            var plan = PlaceImport.Plan()
            plan.radius = try arguments.number(radius, in: 1...100_000)
            plan.category = arguments.text(category)
            plan.tells = try arguments.tells(tell)
            plan.deletesMissing = arguments.has(deleteMissing)
            guard !plan.deletesMissing || plan.category != nil else {
                throw UsageError(
                    "--delete-missing needs --category, the places that the file is the truth of")
            }
            return .importFile(
                arguments.operands[1], plan, isDryRun: arguments.has(dryRun))
        }
    }

    /// What `put` puts.
    private struct PlaceSource {
        private let id: String
        private let file: String?
        private let shape: Area.Shape?
        private let name: String?
        private let category: String?
        private let tells: [String]?
        private let isRoadblock: Bool

        init(_ arguments: Arguments) throws(UsageError) {
            guard arguments.operands.count > 1 else {
                throw UsageError("'place put' needs the place's ID")
            }
            id = try arguments.placeID()
            file = arguments.operands.dropFirst(2).first
            let circle = try arguments.numbers(PlaceSubcommand.circle, count: 3).map {
                Area.Shape.circle(
                    center: Coordinate(latitude: $0[0], longitude: $0[1]), radius: $0[2])
            }
            let point = try arguments.numbers(PlaceSubcommand.point, count: 2).map {
                Area.Shape.point(Coordinate(latitude: $0[0], longitude: $0[1]))
            }
            shape = circle ?? point
            let count = [file != nil, circle != nil, point != nil].count { $0 }
            guard count == 1 else {
                throw UsageError(
                    count == 0
                        ? "where is it? Give a FILE, --circle LAT,LON,METRES or --point LAT,LON"
                        : "FILE, --circle and --point exclude each other")
            }
            name = arguments.text(PlaceSubcommand.name)
            category = arguments.text(PlaceSubcommand.category)
            tells = try arguments.tells(tell)
            isRoadblock = arguments.has(roadblock)
        }

        /// Returns the place.
        func place() throws(CommandFailure) -> PlaceDraft {
            var place = PlaceDraft(id: id)
            if let shape { place.set(shape) }
            if let file {
                let text = try TextFile.read(file)
                do throws(RouteFileError) {
                    place.members = try GeoJSONPlaces.members(of: text)
                } catch {
                    throw CommandFailure("\(file): \(error.message)")
                }
            }
            place.set("name", text: name)
            place.set("category", text: category)
            if let tells { place.set(tells: tells) }
            if isRoadblock { place.set("roadblock", json: "{}") }
            return place
        }
    }
}

extension Arguments {
    /// Returns the second operand as a place's id.
    fileprivate func placeID() throws(UsageError) -> String {
        guard VehicleID.isValid(operands[1]) else {
            throw UsageError(
                "ID must be 1 to 128 bytes without / + # and control characters, not '\(operands[1].printable)'"
            )
        }
        return operands[1]
    }

    /// Returns an option's value as numbers with commas between, or `nil` when it was not given.
    fileprivate func numbers(_ option: Option, count: Int) throws(UsageError) -> [Double]? {
        guard let text = text(option) else { return nil }
        let numbers = text.split(separator: ",").compactMap { decimal(String($0).trimmedBlanks) }
        guard numbers.count == count, text.count(where: { $0 == "," }) == count - 1 else {
            throw UsageError(
                "\(option.written) must be \(option.placeholder ?? ""), not '\(text)'")
        }
        return numbers
    }

    /// Returns an option's value as names of alarms, or `nil` when it was not given.
    fileprivate func tells(_ option: Option) throws(UsageError) -> [String]? {
        guard let text = text(option) else { return nil }
        if text == "none" { return [] }
        let names = text.split(separator: ",").map(String.init)
        let known = ["enter", "exit", "pass", "dwell"]
        guard !names.isEmpty, names.allSatisfy(known.contains) else {
            throw UsageError(
                "\(option.written) must be none, or some of enter,exit,pass,dwell, not '\(text)'")
        }
        return names
    }
}
