import Foundation

/// A vehicle that drives a route with stops, as far as the page can tell.
struct Vehicle {
    /// A via point.
    struct Stop {
        var along: Double
        var name: String
        var status = "pending"
        var reachedAt: Date?
    }

    let id: String
    let level: String?
    private(set) var trip = 1
    private(set) var revision = 1
    private(set) var state = "tracking"
    private(set) var stops: [Stop] = []
    private(set) var travelled = 0.0
    private var way: [Streets.Place] = []
    private var along: [Double] = []
    private var speed = 12.0
    /// Metres beside the route, and where that is heading.
    private var aside = 0.0
    private var patience = 0
    private let holds: Bool

    init(index: Int, holds: Bool, random: inout SplitMix) {
        id = (index % 3 == 0 ? "truck-" : index % 3 == 1 ? "van-" : "bus-") + String(index)
        level = index % 25 == 0 ? ["-1", "0", "2"][index / 25 % 3] : nil
        self.holds = holds
        speed = random.next(in: 7...19)
    }

    var tripID: String? { state == "idle" ? nil : "T-\(id)-\(trip)" }
    var length: Double { along.last ?? 0 }
    var active: Int? {
        stops.firstIndex { $0.status == "reached" } ?? stops.firstIndex { $0.status == "pending" }
    }

    /// Starts a trip on a new way, some of it already driven.
    mutating func start(_ way: [Streets.Place], random: inout SplitMix) -> [String] {
        self.way = way
        along = [0]
        for (before, after) in zip(way, way.dropFirst()) {
            along.append(along[along.count - 1] + before.distance(to: after))
        }
        revision = 1
        state = "tracking"
        travelled = trip == 1 && !holds ? random.next(in: 0...0.3) * length : 0
        let names = ["Depot", "Market", "Harbour", "Station", "Mill", "School"]
        stops = (1...3).map { n in
            let share = Double(n) * 0.25 + random.next(in: -0.06...0.06)
            return Stop(along: share * length, name: names[Int(random.next(in: 0...5.99))])
        }
        for index in stops.indices where stops[index].along < travelled {
            stops[index].status = "visited"
        }
        // Who waits for a person does so from the start, and is first in the list.
        if holds, trip == 1 { travelled = max(0, stops[0].along - 2 * speed) }
        return ["\"type\":\"trip_assigned\",\"route_revision\":1"]
    }

    /// Drives for some seconds; returns what happened, as members of events.
    mutating func drive(_ seconds: Double, at now: Date, random: inout SplitMix) -> [String] {
        switch state {
        case "tracking": return advance(seconds, at: now, random: &random)
        case "rerouting":
            aside += speed * seconds * 0.6
            patience -= 1
            guard patience <= 0 else { return [] }
            return takeNewRoute(reason: "deviation")
        case "held":
            patience -= 1
            guard patience == 0, !holds else { return [] }
            return resume()
        case "arrived":
            patience -= 1
            if patience <= 0 {
                trip += 1
                state = "idle"
                patience = 20
            }
            return []
        default:
            patience -= 1
            return []
        }
    }

    /// Whether it wants a new way.
    var isWaiting: Bool { way.isEmpty || (state == "idle" || state == "stopped") && patience <= 0 }

    private mutating func advance(
        _ seconds: Double, at now: Date, random: inout SplitMix
    ) -> [String] {
        travelled += speed * seconds * random.next(in: 0.8...1.1)
        aside = max(0, aside - 40 * seconds)
        if let next = stops.firstIndex(where: { $0.status == "pending" }),
            travelled >= stops[next].along
        {
            travelled = stops[next].along
            stops[next].status = "reached"
            stops[next].reachedAt = now
            state = "held"
            patience = Int(random.next(in: 8...25))
            return [
                "\"type\":\"waypoint_reached\",\"held\":true,\"distance_m\":12.4," + waypoint(next)
            ]
        }
        if travelled >= length {
            travelled = length
            state = "arrived"
            patience = 15
            return ["\"type\":\"arrived\",\"destination\":{\"lat\":0,\"lon\":0,\"name\":\"Yard\"}"]
        }
        guard random.next(in: 0...1) < 0.0015 else { return [] }
        return ask(reason: "deviation")
    }

    private mutating func ask(reason: String) -> [String] {
        state = "rerouting"
        patience = 12
        return ["\"type\":\"will_reroute\",\"reason\":\"\(reason)\",\"deviation_m\":512.0"]
    }

    private mutating func takeNewRoute(reason: String) -> [String] {
        let back = place(at: min(length, travelled + 500))
        way = [reported, back] + zip(way, along).filter { $1 > travelled + 500 }.map(\.0)
        let driven = travelled
        along = [0]
        for (before, after) in zip(way, way.dropFirst()) {
            along.append(along[along.count - 1] + before.distance(to: after))
        }
        for index in stops.indices {
            stops[index].along = max(0, stops[index].along - driven)
        }
        travelled = 0
        aside = 0
        revision += 1
        state = "tracking"
        return ["\"type\":\"rerouted\",\"route_revision\":\(revision),\"reason\":\"\(reason)\""]
    }

    private mutating func resume() -> [String] {
        guard let held = stops.firstIndex(where: { $0.status == "reached" }) else { return [] }
        stops[held].status = "visited"
        state = "tracking"
        return ["\"type\":\"waypoint_resumed\"," + waypoint(held)]
    }

    /// Carries out a command; returns the event that answers it.
    mutating func obey(_ command: String) -> [String] {
        switch command {
        case "proceed" where state == "held": return resume()
        case "skip":
            guard let next = stops.firstIndex(where: { $0.status == "pending" }) else { break }
            stops[next].status = "skipped"
            return ["\"type\":\"waypoint_skipped\"," + waypoint(next)]
        case "reroute" where state == "tracking": return ask(reason: "requested")
        case "stop" where state != "idle":
            state = "stopped"
            patience = 20
            return ["\"type\":\"trip_stopped\",\"reason\":\"stopped\""]
        default: break
        }
        return [
            "\"type\":\"command_rejected\",\"command\":\"\(command)\",\"reason\":\"not_held\","
                + "\"detail\":\"the vehicle is not held\""
        ]
    }

    /// Where it is on its way.
    var location: Streets.Place { place(at: travelled) }

    /// Where its device says it is.
    var reported: Streets.Place {
        var place = location
        place.latitude += aside / 111_320
        return place
    }

    var deviation: Double { aside }

    private func place(at distance: Double) -> Streets.Place {
        guard let next = along.firstIndex(where: { $0 > distance }), next > 0 else {
            return distance <= 0 ? way[0] : way[way.count - 1]
        }
        let share = (distance - along[next - 1]) / (along[next] - along[next - 1])
        return way[next - 1].moved(to: way[next], by: share)
    }

    func waypoint(_ index: Int) -> String {
        let place = place(at: stops[index].along)
        return "\"waypoint\":{\"index\":\(index),\"lat\":\(place.latitude),"
            + "\"lon\":\(place.longitude),\"id\":null,\"name\":\"\(stops[index].name)\"}"
    }

    /// The way's parts before and after the vehicle.
    var parts: (travelled: [Streets.Place], remaining: [Streets.Place]) {
        let passed = along.firstIndex { $0 > travelled } ?? along.count
        return (way.prefix(passed) + [location], [location] + way.suffix(from: passed))
    }

    func stopPlace(_ index: Int) -> Streets.Place { place(at: stops[index].along) }

    /// The exact destination, a little off the road.
    var destination: Streets.Place {
        var place = way[way.count - 1]
        place.longitude += 0.0004
        return place
    }

    /// Metres a second.
    var currentSpeed: Double { state == "tracking" || state == "rerouting" ? speed : 0 }
}
