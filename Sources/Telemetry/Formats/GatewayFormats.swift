import Tracking

/// Traccar's position forwarding in JSON.
enum TraccarFormat {
    /// Returns what an object says of a position.
    ///
    /// - Throws: `not_a_location` for a forwarded event, which repeats a position; `no_fix` where Traccar
    ///   repeats the place of an earlier message.
    static func draft(_ value: JSONValue) throws(NoPosition) -> Draft {
        if value["event"]?.kind == .object { throw .ignored(.notALocation) }
        guard let position = value["position"], position.kind == .object else {
            throw .rejected(.unsupportedFormat)
        }
        if position["valid"]?.bool == false || position["outdated"]?.bool == true {
            throw .ignored(.noFix)
        }
        var draft = Draft()
        draft.latitude = Draft.Ordinate(position["latitude"])
        draft.longitude = Draft.Ordinate(position["longitude"])
        draft.time = position["fixTime"]
        draft.accuracy = position["accuracy"]?.quantity
        draft.speed = position["speed"]?.quantity.map { $0 * Unit.knot }
        draft.course = position["course"]?.quantity
        draft.altitude = position["altitude"]?.quantity
        draft.attributes = position["attributes"]
        return draft
    }
}

/// flespi's flat JSON.
enum FlespiFormat {
    /// Returns what an object says of a position.
    ///
    /// - Throws: `no_fix` for telemetry without a position, and where flespi says that there is none.
    static func draft(_ value: JSONValue) throws(NoPosition) -> Draft {
        guard let members = value.object, members.contains(where: { Self.isOwn($0.key) }) else {
            throw .rejected(.unsupportedFormat)
        }
        if value["position.valid"]?.bool == false { throw .ignored(.noFix) }
        var draft = Draft()
        draft.latitude = Draft.Ordinate(value["position.latitude"])
        draft.longitude = Draft.Ordinate(value["position.longitude"])
        if case (.missing, .missing) = (draft.latitude, draft.longitude) { throw .ignored(.noFix) }
        draft.lacksFix = value["position.satellites"]?.quantity == 0
        draft.time = fixTime(value)
        draft.speed = value["position.speed"]?.quantity.map { $0 / Unit.kilometresPerHour }
        draft.course = value["position.direction"]?.quantity
        draft.altitude = value["position.altitude"]?.quantity
        return draft
    }

    private static func isOwn(_ key: JSONText) -> Bool {
        key == "ident" || key == "timestamp" || key == "server.timestamp"
            || key.hasPrefix("position.")
    }

    /// `timestamp` dates the message; where it is there and can be read, `position.timestamp` the fix.
    private static func fixTime(_ value: JSONValue) -> JSONValue? {
        if let time = value["position.timestamp"], (try? Timestamp(reported: time)) != nil {
            return time
        }
        return value["timestamp"]
    }
}

/// Teltonika's gateway JSON (Codec JSON).
enum TeltonikaFormat {
    /// Returns what an object says of a position.
    ///
    /// - Throws: `not_a_location` for commands and their answers; `no_fix` for a report of other things than
    ///   a place, and without satellites, when the coordinates are 0, 0 or the last known ones.
    static func draft(_ value: JSONValue) throws(NoPosition) -> Draft {
        guard let reported = value["state"]?["reported"], reported.kind == .object else {
            let isReply = value["RSP"] != nil || value["CMD"] != nil
            throw isReply ? .ignored(.notALocation) : .rejected(.unsupportedFormat)
        }
        guard let place = reported["latlng"], !place.isNull, reported["sat"]?.quantity != 0 else {
            throw .ignored(.noFix)
        }
        var draft = Draft()
        readPlace(place, into: &draft)
        draft.time = reported["ts"]
        draft.speed = reported["sp"]?.quantity.map { $0 / Unit.kilometresPerHour }
        draft.course = reported["ang"]?.quantity
        draft.altitude = reported["alt"]?.quantity
        return draft
    }

    /// Reads `"52.5,13.4"`; a comma more is a decimal comma's.
    private static func readPlace(_ value: JSONValue, into draft: inout Draft) {
        let comma = UInt8(ascii: ",")
        guard let text = value.text?.bytes, text.part(2, separatedBy: comma) == nil else {
            draft.latitude = .notNumeric
            draft.longitude = .notNumeric
            return
        }
        if let part = text.part(0, separatedBy: comma) {
            draft.latitude = Draft.Ordinate(text: part)
        }
        if let part = text.part(1, separatedBy: comma) {
            draft.longitude = Draft.Ordinate(text: part)
        }
    }
}
