import Geometry
import Glibc
import Telemetry
import Tracking
import Worker

/// `waygate simulate`: vehicles that drive their routes over MQTT.
struct SimulateCommand: Subcommand {
    private static let vehicles = Option.value(
        "vehicles", "N", "how many vehicles (default: one a line of the file, or 10)")
    private static let routes = Option.value(
        "routes", "FILE", "the lines to drive: GPX, GeoJSON, CSV or encoded polylines, one a line")
    private static let precision = Option.value(
        "precision", "5|6", "digits after the point in encoded polylines (default 5)")
    private static let around = Option.value(
        "around", "LAT,LON", "the middle of the town to drive in (default 47.14,9.52)")
    private static let radius = Option.value("radius", "KM", "how far around (default 3)")
    private static let speed = Option.value("speed", "KMH", "cruising speed (default 50)")
    private static let interval = Option.value(
        "interval", "SECONDS", "time between a vehicle's positions (default 2)")
    private static let via = Option.value("via", "N", "via points of each trip (default 2)")
    private static let noise = Option.value(
        "noise", "METRES", "standard deviation of the GPS error (default 0)")
    private static let seed = Option.value(
        "seed", "N", "repeats routes, stops and noise (default 1)")
    private static let stray = Option.value(
        "stray", "N", "so many vehicles leave their route once (default 0)")
    private static let strayDistance = Option.value(
        "stray-distance", "METRES", "how far they go, unless they get a new route (default 800)")
    private static let proceed = Option.value(
        "proceed-after", "SECONDS", "release held vehicles after this time, as a dispatcher would")
    private static let plan = Option.flag(
        "plan", "answer requests for routes with straight lines, for planner.kind 'outside'")
    private static let option = Option.value(
        "option", "NAME=VALUE", "a tracking option for the trips, as arrival_radius_m=30",
        repeats: true)
    private static let places = Option.value(
        "places", "N",
        "put so many places along the routes first, of category 'simulated', and count alarms")
    private static let noAssign = Option.flag(
        "no-assign", "publish positions only, and assign no trips")
    private static let repeats = Option.flag(
        "repeat", "drive back on arrival, as a new trip, for ever")
    private static let prefix = Option.value(
        "prefix", "TEXT", "what the vehicles' ids begin with (default sim-)")
    private static let seconds = Option.value("seconds", "N", "end after N seconds")

    static let manual = Manual(
        name: "simulate", summary: "drive a fleet of made-up vehicles along routes, over MQTT",
        options: [
            vehicles, routes, precision, around, radius, speed, interval, via, noise, seed, stray,
            strayDistance, proceed, plan, option, places, noAssign, repeats, prefix, seconds,
            .config,
        ],
        details: """
            Assigns each vehicle a trip with via points, drives it at a steady speed and publishes \
            its positions, all over one connection. A vehicle stops at a via point until it hears \
            waypoint_resumed, and follows a new route when its trip gets one. Ends when all trips \
            have, or with Ctrl-C, and prints what has been driven.

            Without a file, routes come from the planner of the settings (osrm, valhalla), or are made \
            up where there is none. 'waygate place list' shows the places of --places, whose alarms 'waygate watch \
            --alarms' tells; they stay.
            """,
        example: "waygate simulate --vehicles 20 --noise 5 --stray 2 --proceed-after 5")

    private let settings: ConfigurationSource
    private let fleet: FleetPlan
    private let file: (path: String, precision: Int)?
    private let centre: Coordinate
    private let reach: Double
    private let duration: Double?
    private let placeCount: Int

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        var plan = FleetPlan()
        plan.vehicles = try arguments.integer(Self.vehicles, in: 1...100_000)
        plan.speed = (try arguments.number(Self.speed, in: 0.1...1000) ?? 50) / 3.6
        plan.interval = try arguments.number(Self.interval, in: 0.01...3600) ?? 2
        plan.viaPoints = try arguments.integer(Self.via, in: 0...100) ?? 2
        plan.noise = try arguments.number(Self.noise, in: 0...1000) ?? 0
        plan.seed = UInt64(try arguments.integer(Self.seed, in: 0...Int.max) ?? 1)
        plan.strays = try arguments.integer(Self.stray, in: 0...100_000) ?? 0
        plan.strayDistance = try arguments.number(Self.strayDistance, in: 1...100_000) ?? 800
        plan.proceedsAfter = try arguments.number(Self.proceed, in: 0...86_400)
        plan.plansRoutes = arguments.has(Self.plan)
        plan.options = try arguments.tripOptions(Self.option)
        plan.assigns = !arguments.has(Self.noAssign)
        plan.repeats = arguments.has(Self.repeats)
        plan.prefix = arguments.text(Self.prefix) ?? "sim-"
        guard "\(plan.prefix)1".isVehicleID else {
            throw UsageError(
                "--prefix must be text without '/', '+' and '#', not '\(plan.prefix)'")
        }
        fleet = plan
        let precision = try arguments.integer(Self.precision, in: 5...6) ?? 5
        file = arguments.text(Self.routes).map { ($0, precision) }
        centre =
            try arguments.place(Self.around)?.coordinate
            ?? Coordinate(latitude: 47.14, longitude: 9.52)
        reach = (try arguments.number(Self.radius, in: 0.1...1000) ?? 3) * 1000
        duration = try arguments.number(Self.seconds, in: 0...1e9)
        placeCount = try arguments.integer(Self.places, in: 0...100_000) ?? 0
        if file != nil, let other = [Self.around, Self.radius].first(where: arguments.has) {
            throw UsageError(
                "\(other.written) has no place beside --routes, which has its own places")
        }
    }

    func run() throws {
        let configuration = try settings.load()
        let lines = try source(configuration).lines(
            count: fleet.vehicles ?? 10, seed: fleet.seed, configuration: configuration)
        try putPlaces(along: lines, configuration)
        let start = Self.now
        var vehicles = SimulatedFleet(
            fleet, lines: lines, name: String(Int(start), radix: 36), start: start)
        let interrupt = Interrupt()
        let root = configuration.topicRoot
        let session = try BrokerSession(configuration, filters: filters(of: vehicles, root: root))
        let end = duration.map { start + $0 } ?? .infinity
        while !interrupt.isDue, !vehicles.isDone, Self.now < end {
            let wait = min(vehicles.nextMoment, end) - Self.now
            var messages: [FleetMessage] = []
            for message in try session.turn(timeout: Int32(min(max(wait, 0), 0.1) * 1000)) {
                messages += vehicles.hear(
                    String(message.topic.dropFirst(root.count + 1)), message.payload, at: Self.now)
            }
            messages += vehicles.step(at: Self.now)
            // A broker that takes nothing for long would otherwise fill the memory.
            guard session.inFlight < 100_000 else { continue }
            for message in messages {
                session.publish(topic: "\(root)/\(message.topic)", payload: message.payload)
            }
        }
        try session.drain(within: 5)
        // The alarms of the last positions follow their events.
        for message in try session.turn(timeout: placeCount > 0 ? 500 : 0) {
            _ = vehicles.hear(
                String(message.topic.dropFirst(root.count + 1)), message.payload, at: Self.now)
        }
        report(vehicles)
    }

    private func putPlaces(along lines: [RouteLine], _ configuration: Configuration) throws {
        var orders = PlaceOrders()
        for place in SimulatedPlaces.make(
            placeCount, along: lines, prefix: fleet.prefix, seed: fleet.seed)
        {
            orders.put(place)
        }
        if placeCount > 0 { _ = try orders.carryOut(configuration, patience: nil) }
    }

    private func source(_ configuration: Configuration) -> RouteSource {
        if let file { return .file(file.path, precision: file.precision) }
        switch configuration.planner.kind {
        case .osrm, .valhalla: return .planner(centre: centre, radius: reach)
        case .outside, .none: return .generated(centre: centre, radius: reach)
        }
    }

    /// A small fleet hears only what is meant for it.
    private func filters(of vehicles: SimulatedFleet, root: String) -> [String] {
        let topics =
            (fleet.assigns ? ["event/+", "route"] : []) + (placeCount > 0 ? ["alarm/+"] : [])
        let ids = vehicles.vehicleIDs.count <= 50 ? vehicles.vehicleIDs : ["+"]
        return ids.flatMap { id in topics.map { "\(root)/\(id)/\($0)" } }
    }

    private func report(_ vehicles: SimulatedFleet) {
        var json = JSONWriter()
        json.object { json in
            json.member("vehicles", vehicles.vehicleIDs.count)
            json.member("positions", vehicles.tally.positions)
            json.member("via_points", vehicles.tally.viaPoints)
            json.member("reroutes", vehicles.tally.reroutes)
            json.member("arrivals", vehicles.tally.arrivals)
            json.member("rejected_commands", vehicles.tally.rejections)
            if placeCount > 0 { json.member("alarms", vehicles.tally.alarms) }
        }
        Output().line(json.bytes)
    }

    /// Seconds since 1970.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
