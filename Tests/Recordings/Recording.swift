import Foundation
package import Geometry

/// Real movement: where a vehicle was, second by second of its own.
package struct Recording: Sendable {
    /// A place and the seconds since the recording began.
    package struct Point: Sendable {
        package var seconds: Double
        package var coordinate: Coordinate
    }

    package let name: String
    package let points: [Point]

    /// All recordings of the fixtures that move.
    package static func all() throws -> [Recording] {
        let names = [
            "around-visnjan-with-car.gpx", "cerknicko-jezero.gpx", "sample_trace_1.csv",
            "sample_trace_3.csv", "nl2008u.log", "bundg_zeus_9.log",
        ]
        let single = try names.map { name in
            let text = try text(of: name)
            let points =
                name.hasSuffix(".gpx") ? gpx(text) : name.hasSuffix(".log") ? nmea(text) : csv(text)
            return Recording(name: name, points: rising(points))
        }
        return try single + fleet(text(of: "liechtenstein-12veh-2s.csv"))
    }

    private static func text(of name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/traces")
        // Receiver logs hold broken bytes.
        let data = try Data(contentsOf: folder.appending(path: name))
        return String(decoding: data, as: UTF8.self)
    }

    /// Leaves out points that are not after the one before, and counts from the first.
    private static func rising(_ points: [Point]) -> [Point] {
        var rising: [Point] = []
        for point in points where point.seconds > (rising.last?.seconds ?? -.infinity) {
            rising.append(point)
        }
        let start = rising.first?.seconds ?? 0
        return rising.map { Point(seconds: $0.seconds - start, coordinate: $0.coordinate) }
    }

    private static func gpx(_ text: String) -> [Point] {
        text.components(separatedBy: "<trkpt ").dropFirst().compactMap { part in
            let quoted = part.components(separatedBy: "\"")
            let time = part.components(separatedBy: "<time>").dropFirst().first?.prefix(20)
            guard quoted.count > 3, let latitude = Double(quoted[1]),
                let longitude = Double(quoted[3]), let time,
                let date = try? Date(String(time), strategy: .iso8601)
            else { return nil }
            return Point(
                seconds: date.timeIntervalSince1970,
                coordinate: Coordinate(latitude: latitude, longitude: longitude))
        }
    }

    /// Places without times, one a second.
    private static func csv(_ text: String) -> [Point] {
        text.split(whereSeparator: \.isNewline).dropFirst().enumerated().compactMap { index, row in
            let values = row.split(separator: ",").compactMap { Double($0) }
            guard values.count == 2 else { return nil }
            return Point(
                seconds: Double(index),
                coordinate: Coordinate(latitude: values[0], longitude: values[1]))
        }
    }

    /// The valid RMC sentences of one day.
    private static func nmea(_ text: String) -> [Point] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let parts = line.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count > 6, parts[0].hasPrefix("$"), parts[0].hasSuffix("RMC"),
                parts[2] == "A",
                let clock = Double(parts[1]), let north = Double(parts[3]),
                let east = Double(parts[5])
            else { return nil }
            return Point(
                seconds: daySeconds(clock),
                coordinate: Coordinate(
                    latitude: degrees(north) * (parts[4] == "S" ? -1 : 1),
                    longitude: degrees(east) * (parts[6] == "W" ? -1 : 1)))
        }
    }

    /// Seconds of the day of a clock like 143308.5.
    private static func daySeconds(_ clock: Double) -> Double {
        let minutes = (clock / 100).rounded(.down)
        let hours = (minutes / 100).rounded(.down)
        return hours * 3600 + (minutes - hours * 100) * 60 + clock - minutes * 100
    }

    private static func degrees(_ value: Double) -> Double {
        (value / 100).rounded(.down) + value.truncatingRemainder(dividingBy: 100) / 60
    }

    private static func fleet(_ text: String) -> [Recording] {
        var vehicles: [Int: [Point]] = [:]
        for row in text.split(whereSeparator: \.isNewline).dropFirst() {
            let values = row.split(separator: ",").compactMap { Double($0) }
            guard values.count == 6 else { continue }
            vehicles[Int(values[1]), default: []].append(
                Point(
                    seconds: values[0],
                    coordinate: Coordinate(latitude: values[2], longitude: values[3])))
        }
        return vehicles.keys.sorted().map { vehicle in
            Recording(name: "simulated vehicle \(vehicle)", points: rising(vehicles[vehicle] ?? []))
        }
    }
}

extension Recording {
    /// A route along the recording: its places that are 15 m or more apart.
    package func route() -> [Coordinate] {
        var line: [Coordinate] = []
        for point in points {
            if let last = line.last, last.distance(to: point.coordinate) < 15 { continue }
            line.append(point.coordinate)
        }
        if let end = points.last?.coordinate { line.append(end) }
        return line
    }

    /// Where the vehicle was every `interval` seconds, between two points on the straight line; at the end it
    /// stands.
    package func samples(every interval: Double, standing count: Int) -> [Point] {
        guard let end = points.last else { return [] }
        var samples: [Point] = []
        var index = 0
        for seconds in stride(from: 0, to: end.seconds, by: interval) {
            while points[index + 1].seconds < seconds { index += 1 }
            let (from, to) = (points[index], points[index + 1])
            let share = (seconds - from.seconds) / (to.seconds - from.seconds)
            let distance = from.coordinate.distance(to: to.coordinate) * share
            let course = from.coordinate.course(to: to.coordinate)
            samples.append(
                Point(
                    seconds: seconds,
                    coordinate: from.coordinate.destination(course: course, distance: distance)))
        }
        let last = samples.last?.seconds ?? 0
        return samples
            + (1...count).map {
                Point(seconds: last + Double($0) * interval, coordinate: end.coordinate)
            }
    }
}
