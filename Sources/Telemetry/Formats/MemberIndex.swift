/// Where the members stand that tell native JSON, and tell formats apart: one pass over an object.
///
/// Of a repeated key the first counts.
struct MemberIndex {
    /// Places on the tape, 0 for absent members.
    private(set) var latitude = 0
    private(set) var longitude = 0
    private(set) var time = 0
    private(set) var accuracy = 0
    private(set) var speed = 0
    private(set) var course = 0
    private(set) var altitude = 0
    private(set) var level = 0
    private(set) var provider = 0
    private(set) var attributes = 0
    private var underscoreType = 0
    private var type = 0
    private var position = 0
    private var event = 0
    private var state = 0
    private var ident = 0
    private var timestamp = 0
    private var hasReply = false
    private var hasDottedKeys = false

    private let object: JSONValue

    /// Looks through an object.
    init(_ value: JSONValue, _ members: JSONObject) {
        object = value
        for (key, member) in members { note(key, member.index) }
    }

    private mutating func note(_ key: JSONText, _ index: Int) {
        switch key.count {
        case 3:
            if key == "lat" { Self.keep(index, in: &latitude) }
            if key == "lon" { Self.keep(index, in: &longitude) }
            if key == "RSP" || key == "CMD" { hasReply = true }
        case 4:
            if key == "time" { Self.keep(index, in: &time) }
            if key == "type" { Self.keep(index, in: &type) }
        case 5:
            if key == "level" { Self.keep(index, in: &level) }
            if key == "_type" { Self.keep(index, in: &underscoreType) }
            if key == "event" { Self.keep(index, in: &event) }
            if key == "state" { Self.keep(index, in: &state) }
            if key == "ident" { Self.keep(index, in: &ident) }
        case 8:
            if key == "provider" { Self.keep(index, in: &provider) }
            if key == "position" { Self.keep(index, in: &position) }
        case 9:
            if key == "speed_mps" { Self.keep(index, in: &speed) }
            if key == "timestamp" { Self.keep(index, in: &timestamp) }
        case 10:
            if key == "course_deg" { Self.keep(index, in: &course) }
            if key == "accuracy_m" { Self.keep(index, in: &accuracy) }
            if key == "altitude_m" { Self.keep(index, in: &altitude) }
            if key == "attributes" { Self.keep(index, in: &attributes) }
        default:
            if key.hasPrefix("position.") || key == "server.timestamp" { hasDottedKeys = true }
        }
    }

    private static func keep(_ index: Int, in place: inout Int) {
        if place == 0 { place = index }
    }

    /// Returns the member at a place; `nil` when it is absent.
    subscript(place: Int) -> JSONValue? { place == 0 ? nil : object.sibling(at: place) }

    /// The format that the members are of; `nil` when no format has such.
    ///
    /// OwnTracks comes first, for it has native JSON's `lat` and `lon`; and what has these is none of the others.
    var format: PositionFormat? {
        if self[underscoreType]?.kind == .string { return .owntracks }
        if latitude != 0 || longitude != 0 { return .native }
        if let type = self[type]?.text, type == "Feature" || type == "FeatureCollection" {
            return .geojson
        }
        if isObject(position) || isObject(event) { return .traccar }
        if hasReply || isObject(state) { return .teltonika }
        if hasDottedKeys || (ident != 0 && timestamp != 0) { return .flespi }
        let rest = time | accuracy | speed | course | altitude | level | provider | attributes
        return rest == 0 ? nil : .native
    }

    private func isObject(_ place: Int) -> Bool { self[place]?.kind == .object }
}
