import Console
import Foundation
import Synchronization

/// A fleet that drives around a made-up town, in place of a worker.
final class Fleet: ConsoleSource {
    private struct State {
        var vehicles: [Vehicle]
        var indexes: [String: Int]
        var random: SplitMix
        var lastTime: [Date]
        var sequence = 0
        var commands = 0
    }

    let streets: Streets
    private let state: Mutex<State>

    /// Creates a fleet; every `holdEvery`th vehicle waits for `proceed` at its stops.
    init(count: Int, holdEvery: Int, seed: UInt64) {
        var random = SplitMix(state: seed)
        streets = Streets(size: max(12, Int(Double(count).squareRoot()) + 8), seed: seed)
        var vehicles = (0..<count).map {
            Vehicle(index: $0, holds: $0 % holdEvery == 0, random: &random)
        }
        for index in vehicles.indices {
            let way = streets.way(turns: 24, random: &random)
            _ = vehicles[index].start(way, random: &random)
        }
        let ids = vehicles.enumerated().map { ($1.id, $0) }
        state = Mutex(
            State(
                vehicles: vehicles, indexes: Dictionary(uniqueKeysWithValues: ids), random: random,
                lastTime: Array(repeating: Date(), count: count)))
    }

    /// Lets every `parts`th vehicle from `part` on drive up to now; returns what the stream has to tell.
    func drive(part: Int, of parts: Int) -> [StreamEvent] {
        state.withLock { state in
            let now = Date()
            var told: [StreamEvent] = []
            for index in stride(from: part, to: state.vehicles.count, by: parts) {
                let seconds = now.timeIntervalSince(state.lastTime[index])
                state.lastTime[index] = now
                var happened = state.vehicles[index].drive(
                    seconds, at: now, random: &state.random)
                if state.vehicles[index].isWaiting {
                    let way = streets.way(turns: 24, random: &state.random)
                    happened += state.vehicles[index].start(way, random: &state.random)
                }
                told += tell(happened, of: index, at: now, elapsed: seconds, commandID: nil, &state)
            }
            return told
        }
    }

    /// Returns the progress and the events of one vehicle as messages.
    private func tell(
        _ happened: [String], of index: Int, at now: Date, elapsed: Double, commandID: String?,
        _ state: inout State
    ) -> [StreamEvent] {
        let vehicle = state.vehicles[index]
        var told = happened.map { members in
            state.sequence += 1
            let json = """
                {"id":"e-\(state.sequence)","sequence":\(state.sequence),\(members),\
                "vehicle_id":"\(vehicle.id)","trip_id":\(quoted(vehicle.tripID)),\
                "time":"\(text(now))","command_id":\(quoted(commandID)),\
                "remaining_distance_m":\(vehicle.length - vehicle.travelled)}
                """
            return StreamEvent(kind: .event, subjectID: vehicle.id, json: Array(json.utf8))
        }
        let json = progress(vehicle, at: now, elapsed: elapsed)
        told.append(StreamEvent(kind: .progress, subjectID: vehicle.id, json: Array(json.utf8)))
        return told
    }

    func metrics() -> [UInt8] { [] }

    func readiness() -> [ReadinessPart] {
        [ReadinessPart(part: "broker", ok: true, detail: "connected")]
    }

    func vehicles() -> [UInt8] {
        let now = Date()
        let features = state.withLock { state in
            state.vehicles.map {
                "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":"
                    + "\(position($0.location))},\"properties\":\(progress($0, at: now, elapsed: 1))}"
            }
        }
        let list = features.joined(separator: ",")
        return Array("{\"type\":\"FeatureCollection\",\"features\":[\(list)]}".utf8)
    }

    func route(vehicleID: String) -> [UInt8]? {
        let vehicle = state.withLock { state in
            state.indexes[vehicleID].map { state.vehicles[$0] }
        }
        guard let vehicle, vehicle.tripID != nil, vehicle.state != "stopped" else { return nil }
        let parts = vehicle.parts
        let ends = [
            vehicle.parts.remaining[vehicle.parts.remaining.count - 1], vehicle.destination,
        ]
        var features = [
            line("travelled", parts.travelled), line("remaining", parts.remaining),
            line("connector", ends),
        ]
        for (index, stop) in vehicle.stops.enumerated() {
            let reached = quoted(stop.reachedAt.map { text($0) })
            features.append(
                point(
                    vehicle.stopPlace(index),
                    "\"kind\":\"via_point\",\"index\":\(index),\"status\":\"\(stop.status)\","
                        + "\"id\":null,\"name\":\"\(stop.name)\",\"reached_at\":\(reached)"))
        }
        features.append(point(vehicle.destination, "\"kind\":\"destination\",\"name\":\"Yard\""))
        let json = """
            {"type":"FeatureCollection","properties":{"trip_id":\(quoted(vehicle.tripID)),\
            "vehicle_id":"\(vehicle.id)","route_revision":\(vehicle.revision),\
            "length_m":\(vehicle.length)},"features":[\(features.joined(separator: ","))]}
            """
        return Array(json.utf8)
    }

    func refused(command: String, for subject: CommandSubject, because reason: String) {
        print("turned \(command) for \(subject.id) away: \(reason)")
    }

    func send(command: String, to subject: CommandSubject, body: [UInt8]) -> CommandReceipt {
        state.withLock { state in
            state.commands += 1
            let id = "c-\(state.commands)"
            guard let index = state.indexes[subject.id] else { return .sent(commandID: id) }
            let happened = state.vehicles[index].obey(command)
            let told = tell(
                happened, of: index, at: Date(), elapsed: 0.4, commandID: id, &state)
            answers.withLock { $0 += told }
            return .sent(commandID: id)
        }
    }

    /// What commands led to, to be told with the next step.
    private let answers = Mutex<[StreamEvent]>([])

    /// Returns what commands led to since the last call.
    func takeAnswers() -> [StreamEvent] {
        answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }

    private func progress(_ vehicle: Vehicle, at now: Date, elapsed: Double) -> String {
        let remaining = vehicle.length - vehicle.travelled
        let active = vehicle.active.map { "{" + vehicle.waypoint($0).dropFirst(12) } ?? "null"
        let eta =
            vehicle.currentSpeed > 0
            ? quoted(text(now.addingTimeInterval(remaining / vehicle.currentSpeed))) : "null"
        let location = place(vehicle.location)
        return """
            {"trip_id":\(quoted(vehicle.tripID)),"vehicle_id":"\(vehicle.id)",\
            "state":"\(vehicle.state)","time":"\(text(now))","location":\(location),\
            "reported":\(place(vehicle.reported)),"deviation_m":\(vehicle.deviation),\
            "travelled_distance_m":\(vehicle.travelled),"remaining_distance_m":\(remaining),\
            "fraction":\(vehicle.travelled / max(1, vehicle.length)),"eta":\(eta),\
            "speed_mps":\(vehicle.currentSpeed),"course_deg":null,"level":\(quoted(vehicle.level)),\
            "active_waypoint":\(active),\
            "remaining_waypoints":\(vehicle.stops.filter { $0.status == "pending" }.count),\
            "waiting_at_waypoint":\(vehicle.state == "held"),"route_revision":\(vehicle.revision),\
            "animation_ms":\(Int(elapsed * 1000))}
            """
    }

    private func line(_ kind: String, _ places: [Streets.Place]) -> String {
        "{\"type\":\"Feature\",\"properties\":{\"kind\":\"\(kind)\"},\"geometry\":"
            + "{\"type\":\"LineString\",\"coordinates\":["
            + places.map { position($0) }.joined(separator: ",") + "]}}"
    }

    private func point(_ place: Streets.Place, _ members: String) -> String {
        "{\"type\":\"Feature\",\"properties\":{\(members)},\"geometry\":"
            + "{\"type\":\"Point\",\"coordinates\":\(position(place))}}"
    }

    private func position(_ place: Streets.Place) -> String {
        "[\(place.longitude),\(place.latitude)]"
    }

    private func place(_ place: Streets.Place) -> String {
        "{\"lat\":\(place.latitude),\"lon\":\(place.longitude)}"
    }

    private func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }

    /// Returns a time in ISO 8601; Foundation's own way takes ten times as long, for each of 20,000.
    private func text(_ time: Date) -> String {
        var seconds = time_t(time.timeIntervalSince1970)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var bytes = [CChar](repeating: 0, count: 24)
        let count = strftime(&bytes, bytes.count, "%Y-%m-%dT%H:%M:%S", &parts)
        let text = String(
            decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let milliseconds = Int((time.timeIntervalSince1970 - Double(seconds)) * 1000)
        return text + "." + String(1000 + milliseconds).dropFirst() + "Z"
    }
}
