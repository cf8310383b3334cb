/// Whose progress is published when: not more often than the limit, the newest within it.
struct ProgressPace {
    /// Seconds between two messages of a vehicle.
    private let interval: Double
    /// Vehicles that wait, by the tenth of a second in which their turn comes.
    private var turns: [Int: [Vehicle]] = [:]
    private var earliest = Int.max

    init(interval: Double) {
        self.interval = interval
    }

    /// Whether nobody waits.
    var isEmpty: Bool { turns.isEmpty }

    /// Notes that the vehicle has newer progress.
    mutating func add(_ vehicle: Vehicle, _ now: Double) {
        let turn = Int((max(now, vehicle.announcement.sentAt + interval) * 10).rounded(.up))
        turns[turn, default: []].append(vehicle)
        earliest = min(earliest, turn)
    }

    /// Takes the vehicles whose turn has come.
    mutating func due(_ now: Double) -> [Vehicle] {
        let current = Int((now * 10).rounded(.down))
        guard earliest <= current else { return [] }
        var due: [Vehicle] = []
        for turn in turns.keys.filter({ $0 <= current }).sorted() {
            due += turns.removeValue(forKey: turn) ?? []
        }
        earliest = turns.keys.min() ?? .max
        // An event may have published the vehicle's progress since its turn was set.
        for vehicle in due where !isAllowed(vehicle, now) { add(vehicle, now) }
        due.removeAll { !isAllowed($0, now) }
        for vehicle in due {
            vehicle.announcement.isDue = false
            vehicle.announcement.sentAt = now
        }
        return due
    }

    private func isAllowed(_ vehicle: Vehicle, _ now: Double) -> Bool {
        now >= vehicle.announcement.sentAt + interval
    }

    /// Seconds until the next turn.
    func wait(_ now: Double) -> Double {
        earliest == .max ? .infinity : max(Double(earliest) / 10 - now, 0)
    }
}
