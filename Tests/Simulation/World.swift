import Foundation
import MQTT
import Spool
import Store
import Synchronization
import Tracking

@testable import Worker

/// Everything there is in a simulated run: the parts that last, and a worker that comes and goes.
final class World {
    let clock = SimulatedClock()
    let disk = SimulatedDisk()
    let broker = SimulatedBroker()
    let tables = SimulatedTables()
    let settings: FleetSettings
    private let seed: UInt64
    private var lives: UInt64 = 0
    private(set) var worker: SimulatedWorker
    private var places: [Int: Double] = [:]
    private var lastReports: [Int: String] = [:]
    private var commands = 0
    /// How often each command without an id was sent.
    private(set) var bareCommands: [String: Int] = [:]
    /// How many trips each vehicle had: the vehicles' trips have the same ids.
    private var trips: [Int: Int] = [:]
    /// Why it did not come to rest.
    private(set) var unrest = ""

    init(seed: UInt64) throws {
        self.seed = seed
        var settings = FleetSettings(topicRoot: "fleet", planner: .engine)
        settings.tripOptions = TripOptions()
        self.settings = settings
        worker = try SimulatedWorker(
            clock: clock, disk: disk, broker: broker, tables: tables, settings: settings,
            random: Randomness(seed: seed))
    }

    /// Tells the whole story, and what comes after it until nothing is left to do.
    ///
    /// - Returns: Whether it came to rest.
    func live(_ story: Story) throws -> Bool {
        for happening in story.happenings { try perform(happening) }
        clock.set(ahead: 0)
        guard try comeToRest() else { return false }
        // With the right time, whatever it was before, no trip is deaf.
        for vehicle in 0..<4 { for _ in 0..<3 { report(vehicle, north: 0) } }
        return try comeToRest()
    }

    private func perform(_ happening: Story.Happening) throws {
        switch happening {
        case .position(let vehicle): report(vehicle, north: 0)
        case .stray(let vehicle): report(vehicle, north: 0.01)
        case .copy(let vehicle):
            if let last = lastReports[vehicle] { broker.send(topic(vehicle, "position"), last) }
        case .poison(let vehicle, let poison): self.poison(vehicle, poison)
        case .garbage(let vehicle): broker.send(topic(vehicle, "position"), "{\"lat\":1")
        case .assign(let vehicle, let withRoute): assign(vehicle, withRoute)
        case .command(let vehicle, let name):
            commands += 1
            broker.send(
                topic(vehicle, "command/\(name)"),
                "{\"command_id\":\"c\(commands)\"\(name == "avoid" ? ",\"length_m\":700" : "")}")
        case .bareCommand(let vehicle, let name):
            bareCommands["v\(vehicle) \(name)", default: 0] += 1
            broker.send(
                topic(vehicle, "command/\(name)"), name == "avoid" ? "{\"length_m\":500}" : "{}")
        case .putPlace(let place, let shape, let withID): putPlace(place, shape, withID)
        case .deletePlace(let place):
            broker.send("fleet-place/p\(place)/command/delete", "{}")
        case .turn(let stage): worker.turn(stage)
        case .pass(let seconds): clock.pass(seconds: seconds)
        case .setClock(let seconds): clock.set(ahead: seconds)
        case .cutBroker: broker.cut()
        case .setBroker(let isThere):
            broker.isThere = isThere
            if !isThere { broker.cut() }
        case .forgetAcknowledgements: broker.forgetAcknowledgements()
        case .deliverUnderNewIDs: broker.deliverUnderNewIDs()
        case .countAnew: broker.countAnew()
        case .loseKept: broker.loseKept()
        case .forbid(let part): broker.forbidden = part.map { [$0] } ?? []
        case .setDatabase(let isThere): tables.isThere = isThere
        case .setWrites(let areTaken, let isStubborn):
            tables.isReadOnly = !areTaken
            tables.isStubborn = isStubborn
        case .failCommit(let fault): tables.faults.append(fault)
        case .failDisk(let writes): disk.failingWrites = writes
        case .fillDisk(let isFull): disk.isFilled = isFull
        case .crash: try crash()
        }
    }

    private func crash() throws {
        lives += 1
        broker.cut()
        worker = try SimulatedWorker(
            clock: clock, disk: disk, broker: broker, tables: tables, settings: settings,
            random: Randomness(seed: seed &+ lives))
    }

    private func topic(_ vehicle: Int, _ rest: String) -> String { "fleet/v\(vehicle)/\(rest)" }

    /// Vehicles drive east along the equator's neighbour, each on its own latitude.
    private func report(_ vehicle: Int, north: Double) {
        clock.pass(seconds: 3)
        let east = min((places[vehicle] ?? 0) + 0.0012, 0.05)
        places[vehicle] = east
        let report =
            "{\"time\":\(clock.trueNow.microseconds / 1000),\"lat\":\(10 + Double(vehicle) + north),"
            + "\"lon\":\(20 + east)}"
        lastReports[vehicle] = report
        broker.send(topic(vehicle, "position"), report)
    }

    /// Places lie on the ways of all four vehicles; each vehicle passes two of them.
    private func putPlace(_ place: Int, _ shape: Story.PlaceShape, _ withID: Bool) {
        commands += 1
        let lat = 10 + place
        let geometry =
            switch shape {
            case .closing, .closingSoon:
                "{\"circle\":{\"center\":{\"lat\":\(lat),\"lon\":20.035},\"radius_m\":200}}"
            case .small, .limited:
                "{\"circle\":{\"center\":{\"lat\":\(lat),\"lon\":20.01},\"radius_m\":400}}"
            case .large: "{\"rectangle\":{\"south\":9,\"north\":15,\"west\":20.004,\"east\":20.02}}"
            case .elsewhere:
                "{\"polygon\":[[[20.03,\(lat - 1)],[20.04,\(lat - 1)],[20.035,\(lat + 1)],[20.03,\(lat - 1)]]]}"
            case .broken: "{\"circle\":{\"center\":{\"lat\":\(lat),\"lon\":20.01},\"radius_m\":0}}"
            }
        let id = withID ? "\"command_id\":\"p\(commands)\"," : ""
        let terms =
            switch shape {
            case .limited: ",\"speed_limit_mps\":20"
            case .closing: ",\"roadblock\":{}"
            case .closingSoon:
                ",\"roadblock\":{\"since\":\(moment(in: 20)),\"until\":\(moment(in: 80))}"
            case .small, .large, .elsewhere, .broken: ""
            }
        broker.send(
            "fleet-place/p\(place)/command/put",
            "{\(id)\"geometry\":\(geometry),\"tell\":[\"enter\",\"exit\",\"dwell\",\"pass\"],"
                + "\"dwell_s\":20\(terms)}")
    }

    /// A moment that comes after some seconds, in milliseconds.
    private func moment(in seconds: Double) -> Int64 {
        clock.trueNow.advanced(by: seconds).microseconds / 1000
    }

    private func poison(_ vehicle: Int, _ poison: Story.Poison) {
        switch poison {
        case .position:
            broker.send(
                topic(vehicle, "position"),
                "{\"time\":\(clock.trueNow.microseconds / 1000 - 900_000),"
                    + "\"lat\":\(SimulatedTables.poison),\"lon\":20}")
        case .command:
            broker.send(
                topic(vehicle, "command/nonsense"),
                "{\"command_id\":\"\(SimulatedTables.poisonText)\"}")
        case .garbage: broker.send(topic(vehicle, "position"), SimulatedTables.poisonText)
        }
    }

    private func assign(_ vehicle: Int, _ withRoute: Bool) {
        let number = (trips[vehicle] ?? 0) + 1
        trips[vehicle] = number
        places[vehicle] = 0
        let lat = 10 + vehicle
        let line =
            "\"route\":{\"coordinates\":[[20,\(lat)],[20.02,\(lat)],[20.05,\(lat)]],\"duration_s\":3600},"
        let use = ["off", "suggest", "suggest", "take"][vehicle]
        let ends =
            "\"source\":{\"lat\":\(lat),\"lon\":20},\"destination\":{\"lat\":\(lat),\"lon\":20.05},"
        broker.send(
            topic(vehicle, "command/assign"),
            "{\"trip_id\":\"t\(number)\",\(withRoute ? line : ends)"
                + "\"options\":{\"better_route\":\"\(use)\",\"better_route_interval_s\":120},"
                + "\"via_points\":[{\"lat\":\(lat),\"lon\":20.01},{\"lat\":\(lat),\"lon\":20.03}]}")
    }

    private func comeToRest() throws -> Bool {
        broker.isThere = true
        broker.forbidden = []
        tables.isThere = true
        tables.isReadOnly = false
        tables.isStubborn = false
        tables.faults = []
        disk.failingWrites = 0
        disk.isFilled = false
        for _ in 0..<2000 {
            for stage in Story.Stage.allCases { worker.turn(stage) }
            clock.pass(seconds: 0.3)
            if broker.isDrained, worker.isIdle, worker.failure == nil, worker.refused == 0,
                tables.checkpoint?.position == disk.end,
                tables.events.values.allSatisfy({ $0.publishedAt != nil })
            {
                return true
            }
            if worker.failure != nil { return false }
        }
        unrest =
            "broker drained \(broker.isDrained), worker \(worker.unrest), "
            + "checkpoint \(tables.checkpoint?.position ?? -1) of \(disk.end), unpublished "
            + "\(tables.events.values.filter { $0.publishedAt == nil }.map(\.body))"
        return false
    }
}

/// One life of the worker: its stages, driven turn by turn on one thread.
final class SimulatedWorker {
    private let shared: WorkerState
    private let intake: IntakeStage
    private let tracking: TrackingStage
    private let store: StoreStage
    private let publish: PublishStage
    private let planner: PlannerStage

    init(
        clock: SimulatedClock, disk: SimulatedDisk, broker: SimulatedBroker,
        tables: SimulatedTables, settings: FleetSettings, random: Randomness
    ) throws {
        let spool = SimulatedSpool(disk: disk)
        let quiet = Logger(
            level: .error, format: .text, journal: false, now: { .distantPast }, write: { _ in })
        shared = WorkerState(log: quiet, end: spool.end, maxOutgoing: 40)
        shared.spoolStart = spool.start
        shared.savedPosition = spool.start
        var limits = IntakeLimits()
        limits.maxBacklog = 30
        limits.trimMargin = 0
        intake = try IntakeStage(
            connection: SimulatedSubscriber(broker: broker), spool: spool, shared: shared,
            clock: clock, limits: limits, settings: settings)
        var trackingLimits = TrackingLimits()
        trackingLimits.maxChanges = 8
        tracking = TrackingStage(
            shared: shared, spool: spool, clock: clock, limits: trackingLimits)
        var storeLimits = StoreLimits()
        storeLimits.catchUpRows = 5
        storeLimits.commitInterval = 0
        store = StoreStage(
            database: SimulatedDatabase(tables: tables), shared: shared, spool: spool,
            clock: clock, limits: storeLimits,
            identity: StoreIdentity(spoolID: spool.id, settings: settings))
        publish = PublishStage(
            connection: SimulatedPublisher(broker: broker, random: random), shared: shared,
            clock: clock, statusTopic: "fleet-worker/w/status", listener: nil)
        planner = PlannerStage(
            planner: SimulatedPlanner(clock: clock, random: random), shared: shared, clock: clock)
    }

    /// Why the worker gave up; `nil` while it has not.
    var failure: String? { shared.failureReason }

    /// How many messages the broker refuses.
    var refused: Int { shared.metrics.withLock { $0.refusedBacklog } }

    /// Which stages have something left to do.
    var unrest: String {
        "tracking \(tracking.isIdle), store \(store.isIdle), publish \(publish.isIdle)"
    }

    /// Whether no stage has anything left to do.
    var isIdle: Bool { tracking.isIdle && store.isIdle && publish.isIdle }

    func turn(_ stage: Story.Stage) {
        switch stage {
        case .intake: intake.step(timeout: 0)
        case .tracking: _ = tracking.step()
        case .store: _ = store.step()
        case .publish: publish.step(timeout: 0)
        case .planner: planner.step(timeout: 0)
        }
    }
}
