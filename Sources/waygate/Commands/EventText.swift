import Telemetry

/// An event or alarm from a topic, as far as a person wants to know.
struct WatchedEvent {
    /// Its type, the last level of the topic.
    var type: String
    /// The vehicle, from the topic.
    var vehicleID: String
    /// What happened, as the end of a sentence that opens with the vehicle.
    var sentence: String
    /// The time of day in UTC, `12:00:05`; empty when the event has none.
    var clock: String
    /// Where the vehicle is held from now on; `nil` when it is not.
    var heldAt: String?

    /// Reads an event or alarm; `nil` when the topic is neither's, or the payload no object.
    init?(_ message: BrokerMessage, root: String, parser: JSONParser) {
        guard message.topic.hasPrefix("\(root)/") else { return nil }
        let levels = message.topic.dropFirst(root.count + 1).split(separator: "/")
        guard levels.count == 3, levels[1] == "event" || levels[1] == "alarm" else { return nil }
        let event = try? message.payload.withUnsafeBytes { bytes throws(JSONError) in
            try parser.parse(bytes)
        }
        guard let event, event.kind == .object else { return nil }
        type = String(levels[2])
        vehicleID = String(levels[0]).printable
        clock = String((event["time"]?.string ?? "").dropFirst(11).prefix(8)).printable
        sentence =
            levels[1] == "alarm"
            ? AlarmText.sentence(type, event) : Self.sentence(type, event)
        let isHeld = type == "waypoint_reached" && event["held"]?.bool == true
        heldAt = isHeld ? Self.waypoint(event) : nil
    }

    /// Whether the vehicle, if it was held, no longer is.
    var endsHold: Bool {
        ["waypoint_resumed", "arrived", "trip_stopped", "trip_assigned"].contains(type)
    }

    private static func sentence(_ type: String, _ event: JSONValue) -> String {
        switch type {
        case "trip_assigned":
            return "starts trip \(text(event, "trip_id"))"
                + (event["request"] == nil ? ahead(event) : ", without a route yet")
        case "waypoint_reached":
            let verb = event["held"]?.bool == true ? "is held at" : "passes"
            return
                "\(verb) \(waypoint(event)) (\(metres(event, "distance_m")) from it)\(ahead(event))"
        case "waypoint_resumed": return "goes on from \(waypoint(event))\(ahead(event))"
        case "waypoint_skipped": return "skips \(waypoint(event))\(ahead(event))"
        case "will_reroute":
            switch event["reason"]?.string {
            case "deviation": return "has left its route by \(metres(event, "deviation_m"))"
            case "roadblock": return "is to get a way around \(roadblocks(event) ?? "a roadblock")"
            case "avoid": return "is to get a way around a closed piece of its route"
            default: return "is to get a new route"
            }
        case "rerouted":
            let length = metres(event, "length_m")
            let through = roadblocks(event).map { ", which drives on \($0)" } ?? ""
            return "has a new route (\(text(event, "reason"))) of \(length)\(through)"
        case "reroute_failed": return "gets no new route: \(text(event, "error"))"
        case "reroute_cancelled": return "is back on its route"
        case "arrived": return "has arrived at \(place(event["destination"]) ?? "its destination")"
        case "trip_stopped": return "ends its trip: \(text(event, "reason"))"
        case "waypoint_approached":
            let goal = event["waypoint"] == nil ? "its destination" : waypoint(event)
            return "comes near \(goal) (\(metres(event, "distance_m")) to go)"
        case "skip_suggested":
            return "drives on without \(waypoint(event)): skip it?"
        case "hold_breached":
            return "strays from its hold at \(waypoint(event)) by \(metres(event, "distance_m"))"
        case "roadblock_ahead":
            let name = place(event["place"]) ?? "a roadblock"
            return "drives towards \(name), \(metres(event, "distance_m")) ahead: no way around"
        case "better_route_found":
            let gain = event["gain_s"]?.double.map { "\(Int(($0 / 60).rounded())) min faster" }
            return
                "could go \(gain ?? "without a roadblock"), branching off in "
                + "\(metres(event, "branch_distance_m")): accept \(number(event, "proposal"))?"
        case "better_route_gone":
            return "has no better route on offer any more: \(text(event, "reason"))"
        case "command_rejected":
            return "refuses \(text(event, "command")): \(text(event, "detail"))"
        default: return type.printable
        }
    }

    /// What is still ahead, as a clause; empty when nothing is known.
    private static func ahead(_ event: JSONValue) -> String {
        guard event["remaining_distance_m"]?.double != nil else { return "" }
        let stops =
            switch event["remaining_waypoints"]?.int64 {
            case nil, 0: ""
            case 1: " and 1 via point"
            case .some(let count): " and \(count) via points"
            }
        return ", \(metres(event, "remaining_distance_m"))\(stops) to go"
    }

    private static func waypoint(_ event: JSONValue) -> String {
        let waypoint = event["waypoint"]
        let index = waypoint?["index"]?.int64.map { "via point \($0)" }
        return place(waypoint) ?? index ?? "a via point"
    }

    /// Returns what people call a place; `nil` where it has neither name nor id.
    static func place(_ value: JSONValue?) -> String? {
        (value?["name"]?.string ?? value?["id"]?.string)?.printable
    }

    /// Returns the ids of the roadblocks that an event names; `nil` where it names none.
    private static func roadblocks(_ event: JSONValue) -> String? {
        let ids = event["roadblocks"]?.array?.compactMap { $0.string?.printable } ?? []
        return ids.isEmpty ? nil : ids.joined(separator: ", ")
    }

    private static func number(_ event: JSONValue, _ name: StaticString) -> String {
        event[name]?.int64.map(String.init) ?? "?"
    }

    private static func text(_ event: JSONValue, _ name: StaticString) -> String {
        event[name]?.string?.printable ?? "?"
    }

    /// Returns a member that is a distance.
    static func metres(_ event: JSONValue, _ name: StaticString) -> String {
        guard let metres = event[name]?.double, abs(metres) < 1e9 else { return "?" }
        guard metres >= 1000 else { return "\(Int(metres.rounded())) m" }
        let hundreds = Int((metres / 100).rounded())
        return "\(hundreds / 10).\(hundreds % 10) km"
    }
}

extension String {
    /// The text without what a terminal would act on: ids and names are strangers' texts.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
                        ? "\u{FFFD}" : scalar
                }))
    }
}
