import MQTT
import Routing
import Spool
import Store
import Synchronization
import Telemetry
import Tracking

/// The running worker: one thread a stage, from the lock on the spool to the last goodbye.
package final class WorkerProcess {
    private var configuration: Configuration
    private let options: RunOptions
    private let log: Logger
    private let clock = SystemClock()
    private var signals = StopSignals()
    private var manager = ServiceManager()

    /// Prepares a run; nothing is opened yet.
    package init(configuration: Configuration, options: RunOptions, log: Logger) {
        self.configuration = configuration
        self.options = options
        self.log = log
    }

    /// Runs until a signal or a failure that waiting cannot heal.
    ///
    /// - Parameter attend: Called once the stages run, with what may be asked of them; what it returns
    ///   hears of everything published. Kept until the end.
    /// - Parameter reread: Reads the settings again, on SIGHUP.
    /// - Parameter renew: Called with settings of which some have changed, for what this module has not.
    /// - Throws: `WorkerFailure`, with one line that says what to do.
    package func run(
        attend: (WorkerView) throws -> (any PublicationListener)?,
        reread: () throws(ConfigurationError) -> Configuration,
        renew: (Configuration) -> Void
    ) throws(WorkerFailure) {
        guard let lock = try waitForLock() else { return }
        guard let spool = try openSpool(lock) else { return }
        let settings = FleetSettings(configuration)
        let shared = WorkerState(log: log, end: spool.end)
        shared.savedPosition = spool.start
        let view = WorkerView(shared: shared, clock: clock, configuration: configuration)
        let listener: (any PublicationListener)?
        do {
            listener = try attend(view)
        } catch {
            throw WorkerFailure("\(error)")
        }
        let stages = try Stages(
            configuration: configuration, options: options, settings: settings, spool: spool,
            shared: shared, clock: clock, listener: listener)
        let threads = stages.start()
        manager.ready()
        watch(shared, stages.moving, view) {
            reload(stages.database, reread, renew)
        }
        manager.stopping()
        manager.say("stopping")
        drain(shared, threads)
        log.flush()
        if let reason = shared.failureReason { throw WorkerFailure(reason) }
    }

    /// Waits until the spool is ours, as a hot standby; `nil` when told to stop before.
    private func waitForLock() throws(WorkerFailure) -> SpoolLock? {
        var hasSaid = false
        do throws(SpoolError) {
            while true {
                if let lock = try SpoolLock.tryLock(folder: configuration.spool.folder) {
                    return lock
                }
                if !hasSaid {
                    log.info(
                        "standing by: another worker owns the spool",
                        ["spool": configuration.spool.folder])
                    hasSaid = true
                    // For systemd that is a start that went well.
                    manager.ready()
                    manager.say("standing by: another worker owns the spool")
                }
                manager.feedWatchdog(at: clock.uptime) { true }
                if let signal = signals.wait(seconds: 0.5), signal != StopSignals.reload {
                    return nil
                }
            }
        } catch {
            throw WorkerFailure(
                "cannot use the spool folder \(configuration.spool.folder): \(error.message)")
        }
    }

    /// Opens the spool, and waits while a full disk does not allow it; `nil` when told to stop before.
    private func openSpool(_ lock: SpoolLock) throws(WorkerFailure) -> Spool? {
        let folder = configuration.spool.folder
        while true {
            do throws(SpoolError) {
                let spool = try Spool(
                    folder: folder, maxBytes: Int64(configuration.spool.maxBytes), lock: lock)
                report(spool)
                return spool
            } catch  where error.reason == .diskFull {
                log.error("cannot open the spool; waiting for room", ["error": error.message])
                manager.say("waiting for room on the disk of the spool")
                manager.feedWatchdog(at: clock.uptime) { true }
                if let signal = signals.wait(seconds: 1), signal != StopSignals.reload {
                    return nil
                }
            } catch {
                throw WorkerFailure("cannot open the spool in \(folder): \(error.message)")
            }
        }
    }

    private func report(_ spool: Spool) {
        if let recovery = spool.recovery {
            log.error(
                "the spool was damaged; what could be read of it was kept",
                [
                    "cause": recovery.cause, "set_aside": recovery.setAside,
                    "entries": recovery.entries, "lost": "\(recovery.lost)",
                ])
        }
        let limit = configuration.spool.maxBytes
        if let room = SpoolVolume(of: configuration.spool.folder)?.available, room < limit {
            log.warning(
                "the disk has less room than spool.max_bytes; the intake pauses when it is full",
                ["available": room, "max_bytes": limit])
        }
    }

    private func watch(
        _ shared: WorkerState, _ stages: [Pulse.Stage], _ view: WorkerView, reload: () -> Void
    ) {
        while !shared.isStopping {
            manager.feedWatchdog(at: clock.uptime) { shared.pulse.takeTurn(of: stages) }
            if manager.isThere { manager.say(view.summary) }
            // A failure stops the worker too; it is looked for between two waits.
            guard let signal = signals.wait(seconds: 0.2) else { continue }
            if signal == StopSignals.reload {
                reload()
            } else {
                log.info("stopping; a second signal ends at once")
                shared.stop()
            }
        }
    }

    /// Takes over what can be taken over of settings that have changed, and names the rest.
    private func reload(
        _ database: PostgresDatabase, _ reread: () throws(ConfigurationError) -> Configuration,
        _ renew: (Configuration) -> Void
    ) {
        manager.reloading(at: clock.uptime)
        defer { manager.ready() }
        let new: Configuration
        do {
            new = try reread()
        } catch {
            let mistakes = error.mistakes.joined(separator: "; ")
            return log.error("the settings are not right; nothing is changed", ["why": mistakes])
        }
        let reload = Reload(from: configuration, to: new)
        configuration = configuration.taking(liveOf: new)
        log.level = configuration.log.level
        database.renew(configuration.storeSettings.retention)
        renew(configuration)
        let taken = reload.taken.isEmpty ? "nothing" : reload.taken.joined(separator: ", ")
        log.info("read the settings again", ["in_force": taken])
        guard !reload.waiting.isEmpty else { return }
        log.warning(
            "these changes wait for a restart", about: reload.waiting.joined(),
            ["keys": reload.waiting.joined(separator: ", ")])
    }

    /// Gives every stage a bounded time to finish, in the order of the pipeline.
    private func drain(_ shared: WorkerState, _ threads: [StageThread]) {
        signals.letThrough()
        let deadline = clock.uptime + 10
        for thread in threads { _ = thread.join(within: max(deadline - clock.uptime, 0.1)) }
        let waiting = shared.tail.end - shared.savedPosition
        log.info("stopped", ["left_in_spool": max(waiting, 0)])
    }
}

/// How a run differs from what the settings say.
package struct RunOptions: Sendable {
    /// Take the database over from another worker.
    package var takesOver = false
    /// Go on where entries between the database and the spool are lost.
    package var acceptsGap = false

    package init() {}
}

/// Why the worker ended, in one line that says what to do.
package struct WorkerFailure: Error, CustomStringConvertible, Sendable {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
