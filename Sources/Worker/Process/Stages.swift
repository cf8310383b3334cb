import MQTT
import Routing
import Spool
import Store
import Telemetry

/// The stages of one run, made from the settings, each on its way to a thread of its own.
struct Stages {
    private let shared: WorkerState
    private let clock: SystemClock
    private let intake: IntakeStage
    private let tracking: TrackingStage
    private let store: StoreStage
    private let publish: PublishStage
    private let planner: PlannerStage?
    /// Where the store's sessions come from.
    let database: PostgresDatabase

    init(
        configuration: Configuration, options: RunOptions, settings: FleetSettings, spool: Spool,
        shared: WorkerState, clock: SystemClock, listener: (any PublicationListener)?
    ) throws(WorkerFailure) {
        self.shared = shared
        self.clock = clock
        do {
            let mqtt = try configuration.mqttSettings()
            let status = "\(configuration.topicRoot)-worker/\(configuration.workerID)/status"
            intake = try Self.intake(configuration, mqtt, settings, spool, shared, clock)
            tracking = TrackingStage(
                shared: shared, spool: try SpoolReader(folder: configuration.spool.folder),
                clock: clock, limits: TrackingLimits(configuration))
            shared.spoolStart = spool.start
            database = PostgresDatabase(settings: configuration.storeSettings)
            store = StoreStage(
                database: database, shared: shared,
                spool: try SpoolReader(folder: configuration.spool.folder),
                clock: clock, limits: StoreLimits(),
                identity: StoreIdentity(
                    spoolID: spool.id, settings: settings,
                    takesOver: options.takesOver, acceptsGap: options.acceptsGap))
            publish = PublishStage(
                connection: Publisher(
                    clientID: "\(configuration.workerID)-pub", settings: mqtt,
                    will: Will(
                        topic: status, payload: WorkerStatus.offline.payload, qos: 1,
                        isRetained: true)),
                shared: shared, clock: clock, statusTopic: status, listener: listener)
            planner =
                settings.planner == .engine
                ? PlannerStage(
                    planner: try PlannerClient(settings: configuration.plannerSettings),
                    shared: shared, clock: clock) : nil
        } catch let error as SpoolError {
            throw WorkerFailure("cannot use the spool: \(error.message)")
        } catch let error as SourceError {
            throw WorkerFailure(
                error.mistakes.map { "\($0.key): \($0.message)" }.joined(separator: "; "))
        } catch let error as MQTTError {
            throw WorkerFailure("mqtt.url: \(error.message)")
        } catch let error as PlannerError {
            throw WorkerFailure("planner.url: \(error.message)")
        } catch {
            throw WorkerFailure("\(error)")
        }
    }

    private static func intake(
        _ configuration: Configuration, _ mqtt: MQTTSettings, _ settings: FleetSettings,
        _ spool: Spool, _ shared: WorkerState, _ clock: SystemClock
    ) throws -> IntakeStage {
        let filters = try settings.sourceTable().subscriptions
        let stored = try spool.value("filters").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let former = stored.split(separator: "\n").map(String.init)
        let subscriber = Subscriber(
            clientID: configuration.workerID, settings: mqtt, filters: filters,
            formerFilters: former)
        if filters != former {
            try spool.setValue("filters", Array(filters.joined(separator: "\n").utf8))
        }
        var limits = IntakeLimits()
        limits.maxPayloadBytes = configuration.limits.maxPayloadBytes
        limits.maxPause = Double(configuration.mqtt.keepAlive) / 2
        limits.trimMargin = Int64(configuration.spool.maxBytes) / 8
        return try IntakeStage(
            connection: subscriber, spool: spool, shared: shared, clock: clock, limits: limits,
            settings: settings)
    }

    /// Starts the threads; returns them in the order in which they finish.
    func start() -> [StageThread] {
        // Each stage goes over to its thread, and is touched by no other from here on.
        nonisolated(unsafe) let stages = self
        let store = StageThread("store") { stages.runStore() }
        // A database that refuses this worker should do so before the broker hears of it.
        shared.waitForStore(seconds: 5, clock)
        let intake = StageThread("intake") { stages.runIntake() }
        let tracking = StageThread("tracking") { stages.runTracking() }
        let planner = planner == nil ? nil : StageThread("planner") { stages.runPlanner() }
        let publish = StageThread("publish") { stages.runPublish() }
        return [intake, tracking, planner, publish, store].compactMap { $0 }
    }

    /// The stages that have to move.
    var moving: [Pulse.Stage] { Pulse.Stage.allCases.filter { $0 != .planner || planner != nil } }

    private func runIntake() {
        while !shared.isStopping {
            intake.step(timeout: 1000)
            shared.pulse.beat(.intake)
        }
        intake.stop()
        shared.finish(.intake)
    }

    private func runPlanner() {
        while !shared.isStopping {
            planner?.step(timeout: 1000)
            shared.pulse.beat(.planner)
        }
    }

    private func runTracking() {
        var patience = Patience(seconds: 8)
        repeat {
            let wait = tracking.step()
            shared.pulse.beat(.tracking)
            if wait > 0 { shared.tracking.wait(seconds: shared.isStopping ? 0.02 : wait) }
        } while !(shared.hasFinished(.intake) && tracking.isIdle
            || patience.isOver(shared, clock))
        shared.finish(.tracking)
    }

    private func runPublish() {
        var patience = Patience(seconds: 9)
        repeat {
            publish.step(timeout: shared.isStopping ? 20 : 500)
            shared.pulse.beat(.publish)
        } while !(shared.hasFinished(.tracking) && publish.isIdle
            || patience.isOver(shared, clock))
        publish.stop()
        shared.finish(.publish)
    }

    private func runStore() {
        var patience = Patience(seconds: 10)
        repeat {
            let wait = store.step()
            shared.pulse.beat(.store)
            if wait > 0 { shared.store.wait(seconds: shared.isStopping ? 0.02 : wait) }
        } while !(shared.hasFinished(.publish) && store.isIdle
            || patience.isOver(shared, clock))
        store.stop()
    }

    /// How long a stage goes on after the worker was told to stop.
    private struct Patience {
        let seconds: Double
        private var deadline: Double?

        init(seconds: Double) {
            self.seconds = seconds
        }

        mutating func isOver(_ shared: WorkerState, _ clock: SystemClock) -> Bool {
            guard shared.isStopping else { return false }
            if shared.failureReason != nil { return true }
            let end = deadline ?? clock.uptime + seconds
            deadline = end
            return clock.uptime > end
        }
    }
}
