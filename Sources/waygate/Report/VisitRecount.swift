import Geometry
import Store
import Telemetry
import Tracking
import Watching
import Worker

/// Works visits out again from stored positions, those that came late in their place.
///
/// The tables hold what was known at the time, and never change afterwards: a position that came after newer ones is stored and
/// judged no more. Here it is judged as if it had come before them.
struct VisitRecount {
    let places: [Place]
    let alarms: AlarmSettings

    /// Prints the visits of a report, vehicle by vehicle.
    func run(
        _ query: ReportQuery, in store: StoreConnection, now: Timestamp, to writer: ReportWriter
    ) throws {
        let vehicles = try query.vehicleID.map { [$0] } ?? store.vehicleIDs()
        for vehicleID in vehicles {
            let start = try store.recountStart(of: vehicleID, at: query.from)
            var steps = try steps(of: vehicleID, from: start, to: query.to, in: store)
            guard !steps.isEmpty else { continue }
            Self.takeLateOnesInTime(&steps)
            let end = min(Timestamp(microseconds: query.to), now)
            let rows = try rows(of: vehicleID, steps, until: end)
            try store.report(query, ofRecounted: rows) { writer.add($0) }
        }
    }

    private func steps(
        of vehicleID: String, from start: Microseconds, to end: Microseconds,
        in store: StoreConnection
    ) throws -> [Scenario.Step] {
        let ignition = IgnitionReader()
        ignition.path = IgnitionPath(alarms.ignition)
        var steps: [Scenario.Step] = []
        try store.positions(of: vehicleID, from: start, to: end) { position in
            steps.append(
                Scenario.Step(
                    Fix(position), ignition: ignition.isOn(position.attributes),
                    receivedAt: Timestamp(microseconds: position.receivedAt)))
        }
        return steps
    }

    /// Lets each position be received before those that follow it in time.
    static func takeLateOnesInTime(_ steps: inout [Scenario.Step]) {
        guard var earliest = steps.last?.receivedAt else { return }
        for index in steps.indices.reversed() {
            guard case .positions(let positions, _) = steps[index].input, let own = positions.first
            else { continue }
            earliest = min(earliest, own.receivedAt)
            steps[index] = Scenario.Step(
                own.fix, ignition: own.ignition, receivedAt: earliest)
        }
    }

    /// Returns what the tables would hold, with the clock's entries among the positions and until `end`.
    private func rows(
        of vehicleID: String, _ steps: [Scenario.Step], until end: Timestamp
    ) throws(CommandFailure) -> String {
        var scenario = Scenario(vehicleID: vehicleID, steps: steps)
        scenario.places = places
        scenario.alarms = alarms
        var replay: Replay
        do throws(Refusal) {
            replay = try Replay(scenario, planner: .none, zones: { SystemZone(named: $0) })
        } catch {
            throw CommandFailure("\(error.reason.rawValue): \(error.detail)")
        }
        var json = JSONWriter(capacity: 4096)
        var clock = ReplayClock()
        for step in steps {
            while let entry = clock.entry(of: replay, before: step.receivedAt) {
                json.reset()
                replay.take(entry, into: &json)
            }
            json.reset()
            replay.take(step, into: &json)
        }
        while let entry = clock.entry(of: replay, before: end) {
            json.reset()
            replay.take(entry, into: &json)
        }
        json.reset()
        replay.rows.encode(into: &json)
        return json.text
    }
}

extension Fix {
    /// What a stored position tells.
    init(_ position: PositionRow) {
        self.init(
            time: position.time,
            coordinate: Coordinate(latitude: position.latitude, longitude: position.longitude),
            accuracy: position.accuracy, speed: position.speed, course: position.course,
            level: position.level.flatMap(Level.init(json:)))
    }
}
