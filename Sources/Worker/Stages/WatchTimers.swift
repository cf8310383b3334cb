import Tracking
import Watching

/// When the clock has to speak for vehicles that are silent: dwells, confirmations, stops, speed gaps, silences.
///
/// It runs on steady time, so that a step of the machine's clock ends nothing. A vehicle is looked at when its
/// earliest deadline may have come, not at each fix: most deadlines move on before they are met.
struct WatchTimers {
    /// Vehicles by the second of uptime in which to look at them.
    private var looks: [Int64: [Vehicle]] = [:]
    private var earliest = Int64.max
    /// Seconds of uptime at which the vehicles came from the tables.
    private var begun = 0.0

    /// Notes that the vehicles are as the tables and a replay gave them.
    mutating func begin(_ uptime: Double) { begun = uptime }

    /// Takes back some of a silence from before the start, as far as a step of the clock is in it.
    func shorten(_ vehicle: Vehicle, by seconds: Double) {
        guard vehicle.watchTimer.heardAt < begun else { return }
        vehicle.watchTimer.heardAt = min(vehicle.watchTimer.heardAt + seconds, begun)
    }

    /// Notes that something came from a vehicle just now, or that a place around it has changed.
    mutating func add(_ vehicle: Vehicle, _ surroundings: Surroundings, uptime: Double) {
        schedule(vehicle, surroundings, notBefore: uptime)
    }

    /// Takes the vehicles whose deadlines have come, as inputs for the spool.
    ///
    /// Each says how far its vehicle's own time has come since its last fix was received.
    mutating func due(_ surroundings: Surroundings, uptime: Double) -> [OwnEntry] {
        let current = Int64(uptime)
        guard earliest <= current else { return [] }
        var entries: [OwnEntry] = []
        for second in looks.keys.filter({ $0 <= current }).sorted() {
            for vehicle in looks.removeValue(forKey: second) ?? []
            where vehicle.watchTimer.second == second {
                vehicle.watchTimer.second = nil
                entries += look(at: vehicle, surroundings, uptime)
                // Looked at again also when it was said: a lost entry must not silence the timer.
                schedule(vehicle, surroundings, notBefore: uptime + 1)
            }
        }
        earliest = looks.keys.min() ?? .max
        return entries
    }

    /// Seconds until the next look.
    func wait(uptime: Double) -> Double {
        guard earliest != .max else { return .infinity }
        return max(Double(earliest) - uptime, 0)
    }

    private func look(
        at vehicle: Vehicle, _ surroundings: Surroundings, _ uptime: Double
    ) -> [OwnEntry] {
        guard let heard = vehicle.watch.lastReception,
            let deadline = vehicle.watch.deadline(in: surroundings),
            uptime - vehicle.watchTimer.heardAt >= deadline.elapsed(since: heard)
        else { return [] }
        let now = heard.advanced(by: uptime - vehicle.watchTimer.heardAt)
        return [.watchClock(vehicle.id, at: now)]
    }

    private mutating func schedule(
        _ vehicle: Vehicle, _ surroundings: Surroundings, notBefore: Double
    ) {
        guard let heard = vehicle.watch.lastReception,
            let deadline = vehicle.watch.deadline(in: surroundings)
        else { return }
        let moment = vehicle.watchTimer.heardAt + deadline.elapsed(since: heard)
        let second = Int64(max(moment, notBefore).rounded(.up))
        if let planned = vehicle.watchTimer.second, planned <= second { return }
        vehicle.watchTimer.second = second
        looks[second, default: []].append(vehicle)
        earliest = min(earliest, second)
    }
}
