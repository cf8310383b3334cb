import Geometry
import Tracking

/// Reads targets (via points, destinations) from commands and scenarios.
enum TargetReader {
    /// The two ways of writing a target.
    enum Form {
        /// `{"lat","lon",…}`, as in commands.
        case object
        /// The same, or `[lon, lat]`, as in scenarios.
        case objectOrArray
    }

    /// Returns a target with all that is said of it.
    ///
    /// - Parameter path: Its name, for a person.
    /// - Throws: A refusal that names the member that is wrong.
    static func target(
        _ value: JSONValue, at path: String, form: Form = .object
    ) throws(Refusal) -> Target {
        if form == .objectOrArray, value.kind == .array {
            return Target(
                coordinate: try position(value, at: path, reason: .invalidCommand))
        }
        let object = try PayloadObject(value, at: path, reason: .invalidCommand)
        var target = Target(coordinate: try coordinate(of: object))
        target.id = try id(of: object)
        target.name = try object.text("name")
        target.level = try level(of: object)
        if let attributes = object["attributes"] {
            guard attributes.kind == .object else {
                throw object.refusal(of: "attributes", attributes, expected: "an object")
            }
            target.attributes = attributes.rawText
        }
        return target
    }

    /// Returns the targets of an array; none when the member is absent.
    static func targets(
        _ name: StaticString, of object: PayloadObject, form: Form = .object
    ) throws(Refusal) -> [Target] {
        var targets: [Target] = []
        guard let array = try object.array(name) else { return targets }
        for element in array {
            let path = "\(object.path)\(name)[\(targets.count)]"
            targets.append(try target(element, at: path, form: form))
        }
        return targets
    }

    /// Returns the line of an array of `[lon, lat]`; further numbers, such as heights, are left out.
    static func line(
        _ array: JSONArray, at path: String, reason: Refusal.Reason
    ) throws(Refusal) -> [Coordinate] {
        var line: [Coordinate] = []
        line.reserveCapacity(array.count)
        for element in array {
            if let coordinate = coordinate(element) {
                line.append(coordinate)
            } else {
                line.append(
                    try position(element, at: "\(path)[\(line.count)]", reason: reason))
            }
        }
        return line
    }

    /// Returns `[lon, lat]`.
    static func position(
        _ value: JSONValue, at path: String, reason: Refusal.Reason
    ) throws(Refusal) -> Coordinate {
        guard let coordinate = coordinate(value) else {
            let shown = value.kind == .array ? value.rawText.prefix(60) : value.shown[...]
            throw Refusal(
                reason,
                "\(path) must be [lon, lat] with lon from -180 to 180 and lat from -90 to 90, not \(shown)"
            )
        }
        return coordinate
    }

    /// Returns `[lon, lat]`, or `nil` where it is not that.
    static func coordinate(_ value: JSONValue) -> Coordinate? {
        guard var elements = value.array?.makeIterator(),
            let longitude = elements.next()?.double, let latitude = elements.next()?.double,
            (-180...180).contains(longitude), (-90...90).contains(latitude)
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func coordinate(of object: PayloadObject) throws(Refusal) -> Coordinate {
        let latitudes = "a number from -90 to 90"
        let longitudes = "a number from -180 to 180"
        guard let latitude = try object.number("lat", in: -90...90, expected: latitudes) else {
            throw object.refusal(of: "lat", nil, expected: latitudes)
        }
        guard let longitude = try object.number("lon", in: -180...180, expected: longitudes)
        else {
            throw object.refusal(of: "lon", nil, expected: longitudes)
        }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Returns the sender's key, a text or a whole number.
    private static func id(of object: PayloadObject) throws(Refusal) -> String? {
        guard let id = object["id"] else { return nil }
        if let text = id.string { return text }
        guard let number = id.int64 else {
            throw object.refusal(of: "id", id, expected: "a text")
        }
        return String(number)
    }

    /// Returns the member `level`, a floor by number or name.
    static func level(of object: PayloadObject) throws(Refusal) -> Level? {
        guard let level = object["level"] else { return nil }
        if let text = level.string { return .text(text) }
        guard let number = level.double, number.isFinite else {
            throw object.refusal(of: "level", level, expected: "a number or a text")
        }
        return .number(number)
    }
}
