import Geometry
import Telemetry
import Testing
import Tracking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One case of `Fixtures/payloads`.
struct PayloadVector: CustomTestStringConvertible, Sendable {
    /// What a fix is expected to be; a field that is absent must be absent.
    struct ExpectedFix: Sendable {
        var latitude: Double
        var longitude: Double
        var time: Timestamp
        var speed: Double?
        var course: Double?
        var accuracy: Double?
        var altitude: Double?
    }

    var testDescription: String
    var topic: String
    var payload: [UInt8]
    var receivedAt: Timestamp
    var outcome: String
    var fixes: [ExpectedFix]
    var reasons: [String]
    var vehicleID: String?
    var rejectedItems: [RejectedItem]?
    /// The case that this one is a copy of.
    var original: String?

    /// All cases, in the order of the files.
    static let all: [PayloadVector] = {
        do {
            return try read("payloads.json") + read("payloads-2.json")
        } catch {
            fatalError("the vectors cannot be read: \(error)")
        }
    }()

    /// The extra sources that the cases assume.
    static let sources = [
        SourceDefinition(filter: "owntracks/+/+/#", vehicleID: "{1}-{2}"),
        SourceDefinition(filter: "+/data", vehicleID: "{0}"),
        SourceDefinition(filter: "+/commands", vehicleID: "{0}"),
        SourceDefinition(filter: "traccar/positions", vehicleID: "{device.uniqueId}"),
    ]

    private static func read(_ file: String) throws -> [PayloadVector] {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/payloads/\(file)")
        let text = try String(contentsOf: fixture, encoding: .utf8)
        return try JSONParser().parse(text) { root in
            try #require(root.array).map { try PayloadVector($0) }
        }
    }

    private init(_ value: JSONValue) throws {
        testDescription = try #require(value["name"]?.string)
        topic = try #require(value["topic"]?.string)
        receivedAt = Timestamp(seconds: try #require(value["received_at"]?.double))
        if let text = value["payload"]?.text {
            payload = Array(text.bytes)
        } else {
            let base64 = try #require(value["payload_base64"]?.string)
            payload = Array(try #require(Data(base64Encoded: base64)))
        }
        let expect = try #require(value["expect"])
        outcome = try #require(expect["outcome"]?.string)
        vehicleID = expect["vehicle_id"]?.string
        reasons =
            expect["reason_any"]?.array?.compactMap(\.string)
            ?? expect["reason"]?.string.map { [$0] } ?? []
        fixes = try #require(expect["fixes"]?.array).map { try ExpectedFix($0) }
        rejectedItems = try expect["rejected_items"]?.array?.map { item in
            RejectedItem(
                index: Int(try #require(item["index"]?.int64)),
                reason: try #require(item["reason"]?.string.flatMap(RejectionReason.init)))
        }
        original = value["effect"]?.string == "copy" ? value["after"]?.string : nil
    }
}

extension PayloadVector.ExpectedFix {
    fileprivate init(_ value: JSONValue) throws {
        latitude = try #require(value["lat"]?.double)
        longitude = try #require(value["lon"]?.double)
        let text = try #require(value["time"]?.text)
        time = try #require(Timestamp(iso8601: text.bytes))
        speed = value["speed_mps"]?.double
        course = value["course_deg"]?.double
        accuracy = value["accuracy_m"]?.double
        altitude = value["altitude_m"]?.double
    }

    /// Tells whether a report is this fix, within the tolerances of the policy.
    func matches(_ report: PositionReport) -> Bool {
        let fix = report.fix
        return isAt(report) && Self.isClose(fix.speed, speed, within: 0.001)
            && Self.isClose(fix.course, course, within: 0.01)
            && Self.isClose(report.accuracy, accuracy, within: 0.01)
            && Self.isClose(report.altitude, altitude, within: 0.01)
    }

    /// Tells whether a report is of this fix's time and place.
    func isAt(_ report: PositionReport) -> Bool {
        let fix = report.fix
        return abs(fix.coordinate.latitude - latitude) <= 1e-7
            && abs(fix.coordinate.longitude - longitude) <= 1e-7
            && abs(fix.time.microseconds - time.microseconds) <= 1000
    }

    private static func isClose(_ value: Double?, _ expected: Double?, within: Double) -> Bool {
        guard let value, let expected else { return value == nil && expected == nil }
        return abs(value - expected) <= within
    }
}
