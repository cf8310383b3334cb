import Geometry
import Glibc
import Telemetry
import Tracking

/// A message that the fleet, or the dispatcher that goes with it, wants published.
struct FleetMessage: Equatable {
    /// The topic below the root.
    var topic: String
    /// The payload.
    var payload: [UInt8]
}

/// A simulated fleet with its dispatcher: what it publishes as time passes, and what it does on
/// hearing from the worker.
///
/// It knows no broker and no clock; with the same seed, moments and messages it drives the same way
/// again.
struct SimulatedFleet {
    /// What the fleet has done so far.
    struct Tally: Equatable {
        var positions = 0
        var arrivals = 0
        var viaPoints = 0
        var reroutes = 0
        var rejections = 0
        var alarms = 0
    }

    private struct Member {
        let id: String
        var vehicle: SimulatedVehicle
        var trip: PlannedTrip
        var tripID = ""
        var tripCount = 0
        var isAssigned = false
        var isOver = false
        var nextReport: Double
        var lastMove: Double
        var proceedAt: Double?
        var random: SeededGenerator
    }

    /// What has been done so far.
    private(set) var tally = Tally()

    private let plan: FleetPlan
    private let name: String
    private var members: [Member] = []
    private var places: [String: Int] = [:]
    private let parser = JSONParser()

    /// Creates a fleet.
    ///
    /// - Parameters:
    ///   - lines: What to drive along, one after the other; vehicles beyond them start over.
    ///   - name: Ends the trips' names, which must never have been used before.
    ///   - start: The first moment, in seconds since 1970.
    init(_ plan: FleetPlan, lines: [RouteLine], name: String, start: Double) {
        self.plan = plan
        self.name = name
        let count = lines.isEmpty ? 0 : plan.vehicles ?? lines.count
        let digits = "\(count)".count
        for index in 0..<count {
            var random = SeededGenerator(seed: plan.seed, stream: index)
            let number = "\(index + 1)"
            let zeros = String(repeating: "0", count: digits - number.count)
            let trip = PlannedTrip(
                line: lines[index % lines.count], viaPoints: plan.assigns ? plan.viaPoints : 0,
                random: &random)
            let stray =
                index < plan.strays
                ? trip.stray(distance: plan.strayDistance, random: &random) : nil
            // Spread over the interval, so that the broker has an even load.
            let due = start + plan.interval * Double(index) / Double(count)
            members.append(
                Member(
                    id: plan.prefix + zeros + number,
                    vehicle: Self.vehicle(trip, speed: plan.speed, stray: stray), trip: trip,
                    nextReport: due, lastMove: due, random: random))
            places[members[index].id] = index
        }
    }

    /// The vehicles' ids.
    var vehicleIDs: [String] { members.map(\.id) }

    /// Whether every trip has ended.
    var isDone: Bool { members.allSatisfy(\.isOver) }

    /// The next moment at which there is something to do.
    var nextMoment: Double {
        members.lazy.map { min($0.nextReport, $0.proceedAt ?? .infinity) }.min() ?? .infinity
    }

    /// Does what is due at a moment, and returns what is to be published.
    mutating func step(at now: Double) -> [FleetMessage] {
        var messages: [FleetMessage] = []
        for index in members.indices {
            if let due = members[index].proceedAt, due <= now {
                members[index].proceedAt = nil
                messages.append(command(.proceed, for: members[index]) { _ in })
            }
            guard members[index].nextReport <= now else { continue }
            messages += report(index, at: now)
        }
        return messages
    }

    /// Takes a message from the broker, and returns what is to be published on it.
    ///
    /// - Parameter topic: The topic below the root.
    mutating func hear(_ topic: String, _ payload: [UInt8], at now: Double) -> [FleetMessage] {
        let levels = topic.split(separator: "/")
        guard levels.count >= 2, let index = places[String(levels[0])], !payload.isEmpty else {
            return []
        }
        if levels[1] == "alarm" {
            tally.alarms += 1
            return []
        }
        let parser = parser
        let value = try? payload.withUnsafeBytes { bytes throws(JSONError) in
            try parser.parse(bytes)
        }
        guard let value else { return [] }
        if levels[1] == "route" {
            follow(value, index)
            return []
        }
        guard levels.count == 3, value["trip_id"]?.string == members[index].tripID else {
            return []
        }
        return hear(event: String(levels[2]), value, index, at: now)
    }

    // MARK: Vehicles

    private static func vehicle(
        _ trip: PlannedTrip, speed: Double, stray: SimulatedVehicle.Stray? = nil
    ) -> SimulatedVehicle {
        let stops = trip.stops.enumerated().map { index, offset in
            SimulatedVehicle.Stop(index: index, offset: offset)
        }
        return SimulatedVehicle(line: trip.line, stops: stops, speed: speed, stray: stray)
    }

    private mutating func report(_ index: Int, at now: Double) -> [FleetMessage] {
        var messages: [FleetMessage] = []
        let member = members[index]
        members[index].nextReport = max(member.nextReport + plan.interval, now)
        members[index].vehicle.advance(by: now - member.lastMove)
        members[index].lastMove = now
        if !member.isAssigned {
            members[index].isAssigned = true
            if plan.assigns {
                messages.append(assign(index))
            } else {
                members[index].vehicle.begin()
            }
        }
        messages.append(position(index, at: now))
        tally.positions += 1
        // Without a trip, nobody tells the vehicle that it has arrived.
        if !plan.assigns, members[index].vehicle.activity == .done { end(index) }
        return messages
    }

    private mutating func position(_ index: Int, at now: Double) -> FleetMessage {
        let place = members[index].vehicle.motion.coordinate
        let north = plan.noise * Self.gaussian(&members[index].random)
        let east = plan.noise * Self.gaussian(&members[index].random)
        let reported =
            plan.noise == 0
            ? place
            : place.destination(course: 0, distance: north).destination(course: 90, distance: east)
        let vehicle = members[index].vehicle
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.member("time", Timestamp(seconds: now))
            json.member("lat", reported.latitude, decimals: 7)
            json.member("lon", reported.longitude, decimals: 7)
            json.member("accuracy_m", max(3, plan.noise * 2), decimals: 1)
            json.member("speed_mps", vehicle.speed, decimals: 2)
            if let course = vehicle.course { json.member("course_deg", course, decimals: 1) }
            json.member("provider", "simulation")
        }
        return FleetMessage(topic: "\(members[index].id)/position", payload: json.bytes)
    }

    /// Returns a normally distributed number (Box and Muller).
    private static func gaussian(_ random: inout SeededGenerator) -> Double {
        let radius = (-2 * log(Double.random(in: 0x1p-53...1, using: &random))).squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
    }

    /// Has a vehicle drive the way back, as a new trip.
    private mutating func turnBack(_ index: Int) {
        guard let line = RouteLine(members[index].trip.line.coordinates.reversed()) else { return }
        let trip = PlannedTrip(
            line: line, viaPoints: plan.assigns ? plan.viaPoints : 0, random: &members[index].random
        )
        members[index].trip = trip
        members[index].vehicle = Self.vehicle(trip, speed: plan.speed)
        members[index].isAssigned = false
        members[index].proceedAt = nil
    }

    // MARK: Dispatcher

    private mutating func assign(_ index: Int) -> FleetMessage {
        members[index].tripCount += 1
        let member = members[index]
        members[index].tripID = "\(member.id)-\(name)-\(member.tripCount)"
        let tripID = members[index].tripID
        return command(.assign, for: member) { json in
            json.member("trip_id", tripID)
            json.route(member.trip.line.coordinates)
            json.key("via_points")
            json.array { json in
                for place in member.trip.viaPoints { json.target(place) }
            }
            guard !plan.options.isEmpty else { return }
            json.key("options")
            json.object { json in
                for option in plan.options {
                    json.key(text: option.name)
                    json.option(option.value)
                }
            }
        }
    }

    private func command(
        _ name: Command.Name, for member: Member, _ members: (inout JSONWriter) -> Void
    ) -> FleetMessage {
        let request = CommandRequest(name, vehicleID: member.id, members: members)
        return FleetMessage(
            topic: "\(member.id)/command/\(name.rawValue)", payload: request.payload)
    }

    // MARK: The worker's messages

    private mutating func hear(
        event type: String, _ event: JSONValue, _ index: Int, at now: Double
    ) -> [FleetMessage] {
        let waypoint = event["waypoint"]?["index"]?.int64.map { Int($0) }
        switch type {
        case "trip_assigned":
            members[index].vehicle.begin()
            members[index].lastMove = now
        case "waypoint_reached":
            guard let waypoint else { return [] }
            tally.viaPoints += 1
            if event["held"]?.bool == true {
                members[index].proceedAt = plan.proceedsAfter.map { now + $0 }
            } else {
                members[index].vehicle.release(waypoint)
            }
        case "waypoint_resumed":
            members[index].proceedAt = nil
            members[index].lastMove = max(members[index].lastMove, now)
            if let waypoint { members[index].vehicle.release(waypoint) }
        case "waypoint_skipped":
            if let waypoint { members[index].vehicle.release(waypoint) }
        case "will_reroute":
            if plan.plansRoutes, let request = event["request"] {
                return answer(request, index).map { [$0] } ?? []
            }
        case "rerouted":
            tally.reroutes += 1
        case "arrived":
            tally.arrivals += 1
            end(index)
        case "trip_stopped": end(index)
        case "command_rejected": tally.rejections += 1
        default: break
        }
        return []
    }

    private mutating func end(_ index: Int) {
        members[index].vehicle.finish()
        members[index].proceedAt = nil
        if plan.repeats { turnBack(index) } else { members[index].isOver = true }
    }

    /// Answers a request for a route as a planner without a map would: straight from place to
    /// place.
    private func answer(_ request: JSONValue, _ index: Int) -> FleetMessage? {
        guard let number = request["number"]?.int64 else { return nil }
        let viaPoints = request["via_points"]?.array.map { $0.map(Self.place) } ?? []
        let places =
            [Self.place(request["from"])] + viaPoints + [Self.place(request["destination"])]
        return command(.route, for: members[index]) { json in
            json.member("trip_id", members[index].tripID)
            json.member("request", Int(number))
            json.route(places.compactMap(\.self))
        }
    }

    /// Takes a route from the retained topic, which shows the part still ahead and the via points.
    private mutating func follow(_ drawing: JSONValue, _ index: Int) {
        let properties = drawing["properties"]
        guard properties?["trip_id"]?.string == members[index].tripID,
            let revision = properties?["route_revision"]?.int64,
            let features = drawing["features"]?.array
        else { return }
        var line: [Coordinate] = []
        var viaPoints: [(index: Int, place: Coordinate)] = []
        for feature in features {
            let properties = feature["properties"]
            let coordinates = feature["geometry"]?["coordinates"]
            switch properties?["kind"]?.string {
            case "remaining":
                line = coordinates?.array.map { $0.compactMap(Self.position) } ?? []
            case "via_point" where properties?["status"]?.string == "pending":
                guard let number = properties?["index"]?.int64, let coordinates,
                    let place = Self.position(coordinates)
                else { continue }
                viaPoints.append((Int(number), place))
            default: continue
            }
        }
        members[index].vehicle.follow(line, viaPoints: viaPoints, revision: Int(revision))
    }

    private static func place(_ value: JSONValue?) -> Coordinate? {
        guard let latitude = value?["lat"]?.double, let longitude = value?["lon"]?.double else {
            return nil
        }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func position(_ value: JSONValue) -> Coordinate? {
        let numbers = value.array.map { $0.prefix(2).compactMap(\.double) } ?? []
        return numbers.count == 2 ? Coordinate(latitude: numbers[1], longitude: numbers[0]) : nil
    }
}
