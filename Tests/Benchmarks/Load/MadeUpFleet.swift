import Geometry
import Glibc

/// Vehicles with a route each, the same on every run; all that they say.
struct MadeUpFleet {
    /// The first level of their topics.
    let root: String
    /// How many there are.
    let vehicles: Int
    /// How many vertices a route has, 30 m apart.
    let vertices: Int

    private static let spacing = 30.0
    /// Metres a second.
    private static let speed = 15.0
    /// The vertex of the via point.
    private static let viaVertex = 5
    /// Seconds before now at which drives start; a trip takes no fix from longer before its assignment.
    private static let past = 240.0

    func name(_ vehicle: Int) -> String { "truck-\(vehicle)" }

    /// The command that gives a vehicle its trip.
    func assignment(of vehicle: Int) -> Outgoing {
        let line = route(of: vehicle)
        let via = line[min(Self.viaVertex, line.count - 1)]
        // Backslashes are the only characters of a polyline that JSON escapes.
        let polyline = Polyline.encode(line, precision: 5).split(
            separator: "\\", omittingEmptySubsequences: false
        ).joined(separator: #"\\"#)
        let text =
            #"{"trip_id":"\#(root)-\#(vehicle)","route":{"polyline":"\#(polyline)","precision":5},"#
            + #""via_points":[{"lat":\#(via.latitude),"lon":\#(via.longitude),"id":"stop-1"}],"#
            + #""options":{"wait_at_waypoints":false}}"#
        return Outgoing(
            topic: "\(root)/\(name(vehicle))/command/assign", payload: Array(text.utf8))
    }

    /// Messages with positions along the routes, the vehicles in turn.
    ///
    /// - Parameters:
    ///   - batch: How many positions a message has.
    ///   - now: The time by the system's clock, in seconds.
    func drive(messages: Int, batch: Int, now: Int) -> [Outgoing] {
        let turns = (messages + vehicles - 1) / vehicles
        let interval = min(1, Self.past / Double(turns * batch))
        let routes = (0..<vehicles).map(route)
        let times = (0..<turns * batch).map { index in
            timestamp(Double(now) - Self.past + Double(index) * interval)
        }
        return (0..<messages).map { message in
            let vehicle = message % vehicles
            let first = message / vehicles * batch
            let fixes = (first..<first + batch).map { index in
                fix(
                    on: routes[vehicle], at: Double(index) * interval * Self.speed,
                    time: times[index])
            }
            let payload = batch == 1 ? fixes[0] : "[\(fixes.joined(separator: ","))]"
            return Outgoing(
                topic: "\(root)/\(name(vehicle))/position", payload: Array(payload.utf8))
        }
    }

    /// The message with which a vehicle is at its via point.
    func visit(of vehicle: Int, now: Int) -> Outgoing {
        let offset = Double(Self.viaVertex) * Self.spacing
        let payload = fix(on: route(of: vehicle), at: offset, time: timestamp(Double(now)))
        return Outgoing(topic: "\(root)/\(name(vehicle))/position", payload: Array(payload.utf8))
    }

    /// A road that winds its way through a field of its own.
    private func route(of vehicle: Int) -> [Coordinate] {
        var place = Coordinate(
            latitude: 40 + Double(vehicle % 1000) * 0.02, longitude: Double(vehicle / 1000) * 0.1)
        var line = [place]
        var state = UInt64(vehicle) &* 2_862_933_555_777_941_757 &+ 1
        var course = 30.0
        for _ in 1..<vertices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            course += Double(state >> 40) / Double(1 << 24) * 40 - 20
            place = place.destination(course: course, distance: Self.spacing)
            line.append(place)
        }
        return line
    }

    private func fix(on line: [Coordinate], at offset: Double, time: String) -> String {
        let position = min(offset / Self.spacing, Double(line.count - 2))
        let vertex = Int(position)
        let share = position - Double(vertex)
        let (start, end) = (line[vertex], line[vertex + 1])
        let latitude = start.latitude + (end.latitude - start.latitude) * share
        let longitude = start.longitude + (end.longitude - start.longitude) * share
        return #"{"time":"\#(time)","lat":\#(rounded(latitude)),"lon":\#(rounded(longitude)),"#
            + #""speed_mps":15.0,"course_deg":\#(Int(start.course(to: end))).5,"accuracy_m":4.5}"#
    }

    private func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }

    private func timestamp(_ seconds: Double) -> String {
        var whole = time_t(seconds)
        var parts = tm()
        gmtime_r(&whole, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, 32, "%Y-%m-%dT%H:%M:%S", &parts)
        let thousandths = String(Int((seconds - seconds.rounded(.down)) * 1000) + 1000).dropFirst()
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            + ".\(thousandths)Z"
    }
}
