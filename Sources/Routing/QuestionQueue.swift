/// Questions that wait for their turn, at most one a vehicle, first come first served.
struct QuestionQueue {
    /// A question and when it is too late for it.
    struct Entry {
        var question: PlannerQuestion
        var deadline: ContinuousClock.Instant
    }

    private var entries: [String: Entry] = [:]
    /// Vehicles in the order of their asking; those that left the queue stay until they are met.
    private var order: [String] = []
    private var head = 0
    /// No question is too late before it.
    private(set) var nextDeadline: ContinuousClock.Instant?

    /// How many questions wait.
    var count: Int { entries.count }

    /// How many places the order holds, stale ones too.
    var orderCount: Int { order.count - head }

    /// Appends a question; one that replaces its vehicle's older one takes its place.
    mutating func append(_ question: PlannerQuestion, deadline: ContinuousClock.Instant) {
        let entry = Entry(question: question, deadline: deadline)
        if entries.updateValue(entry, forKey: question.vehicleID) == nil {
            order.append(question.vehicleID)
        }
        nextDeadline = min(nextDeadline ?? deadline, deadline)
    }

    /// Takes out the question of a vehicle, if there is one.
    mutating func remove(vehicleID: String) {
        entries[vehicleID] = nil
        // Vehicles that ask and withdraw must not let the order grow: at most half of it is stale.
        if orderCount > 2 * entries.count + 64 {
            var seen: Set<String> = []
            order = order[head...].filter { entries[$0] != nil && seen.insert($0).inserted }
            head = 0
        }
    }

    /// Takes out the first question.
    mutating func popFirst() -> Entry? {
        while head < order.count {
            let vehicleID = order[head]
            head += 1
            if let entry = entries.removeValue(forKey: vehicleID) { return entry }
        }
        order = []
        head = 0
        return nil
    }

    /// Takes out the questions for which it is too late.
    mutating func removeExpired(at now: ContinuousClock.Instant) -> [PlannerQuestion] {
        guard let nextDeadline, nextDeadline <= now else { return [] }
        let expired = entries.values.filter { $0.deadline <= now }.map(\.question)
        for question in expired { entries[question.vehicleID] = nil }
        self.nextDeadline = entries.values.map(\.deadline).min()
        return expired
    }
}
