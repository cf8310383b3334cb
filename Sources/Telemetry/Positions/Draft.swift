import Geometry
import Tracking

/// Why an element gives no position.
enum NoPosition: Error, Equatable {
    /// Something is wrong with it.
    case rejected(RejectionReason)
    /// There is none in it.
    case ignored(IgnoreReason)
}

/// What a format's reader found in an element, in SPEC's units, before required fields are checked.
struct Draft {
    /// A latitude or longitude as it was sent.
    enum Ordinate {
        case missing
        case notNumeric
        case degrees(Double)
    }

    var latitude = Ordinate.missing
    var longitude = Ordinate.missing
    var time: JSONValue?
    var accuracy: Double?
    var speed: Double?
    var course: Double?
    var altitude: Double?
    var level: JSONValue?
    var provider: JSONValue?
    var attributes: JSONValue?
    /// Whether the device says besides that it has no fix, which explains coordinates of 0, 0.
    var lacksFix = false

    /// Returns the position's place.
    ///
    /// - Throws: What is wrong with the coordinates, or that the device has no fix.
    func coordinate() throws(NoPosition) -> Coordinate {
        switch (latitude, longitude) {
        case (.missing, _), (_, .missing): throw .rejected(.missingCoordinates)
        case (.notNumeric, _), (_, .notNumeric): throw .rejected(.coordinatesNotNumeric)
        case (.degrees(let latitude), .degrees(let longitude)):
            guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
                throw .rejected(.coordinatesOutOfRange)
            }
            if latitude.magnitude < 1e-4, longitude.magnitude < 1e-4 {
                throw lacksFix ? .ignored(.noFix) : .rejected(.zeroCoordinates)
            }
            return Coordinate(latitude: latitude, longitude: longitude)
        }
    }

    /// Returns the position, its optional fields dropped where they make no sense.
    func report(
        of vehicleID: String, at coordinate: Coordinate, _ time: Timestamp
    ) -> PositionReport {
        var report = PositionReport(
            vehicleID: vehicleID, fix: Fix(time: time, coordinate: coordinate))
        report.fix.accuracy = accuracy.flatMap(Self.accuracy)
        report.fix.speed = speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        report.fix.course = course.flatMap(Self.course)
        report.altitude = altitude.flatMap { $0.isFinite ? $0 : nil }
        report.fix.level = level.flatMap(Self.level)
        report.provider = provider?.string.flatMap { $0.isEmpty ? nil : $0 }
        if let attributes, attributes.kind == .object { report.attributes = attributes.rawText }
        return report
    }

    /// 0 and 65535 are ways of saying unknown; below 0, that the position itself is invalid.
    private static func accuracy(_ value: Double) -> Double? {
        value.isFinite && value != 0 && value != 65_535 ? value : nil
    }

    private static func course(_ value: Double) -> Double? {
        guard (0...360).contains(value) else { return nil }
        return value == 360 ? 0 : value
    }

    private static func level(_ value: JSONValue) -> Level? {
        if let number = value.double { return number.isFinite ? .number(number) : nil }
        guard let name = value.string, !name.isEmpty else { return nil }
        return .text(name)
    }
}

extension Draft.Ordinate {
    /// Reads a member.
    init(_ value: JSONValue?) {
        guard let value, !value.isNull else {
            self = .missing
            return
        }
        self = value.quantity.map { .degrees($0) } ?? .notNumeric
    }

    /// Reads text; nothing counts as missing.
    init(text: UnsafeRawBufferPointer) {
        let text = text.trimmed
        if text.isEmpty {
            self = .missing
        } else {
            self = Double(plainDecimal: text).map { .degrees($0) } ?? .notNumeric
        }
    }
}

extension JSONValue {
    /// A number, or text in plain decimal form: gateways that fill in templates quote their numbers.
    var quantity: Double? {
        if let double { return double }
        return text.flatMap { Double(plainDecimal: $0.bytes.trimmed) }
    }
}
