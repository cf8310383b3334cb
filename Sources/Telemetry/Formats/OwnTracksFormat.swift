/// OwnTracks JSON; what a message is tells its `_type`, not its topic.
enum OwnTracksFormat {
    /// Returns what an object says of a position.
    ///
    /// - Throws: `not_a_location` for other types, though a `transition` or `waypoint` has coordinates too;
    ///   `encrypted_payload` for what only a key opens.
    static func draft(_ value: JSONValue) throws(NoPosition) -> Draft {
        guard let type = value["_type"]?.text else { throw .rejected(.unsupportedFormat) }
        if type == "encrypted" { throw .rejected(.encryptedPayload) }
        guard type == "location" else { throw .ignored(.notALocation) }
        var draft = Draft()
        draft.latitude = Draft.Ordinate(value["lat"])
        draft.longitude = Draft.Ordinate(value["lon"])
        draft.time = value["tst"]
        draft.accuracy = value["acc"]?.quantity
        draft.speed = value["vel"]?.quantity.map { $0 / Unit.kilometresPerHour }
        draft.course = value["cog"]?.quantity
        draft.altitude = value["alt"]?.quantity
        return draft
    }
}

/// Units of speed that devices use.
enum Unit {
    /// How many km/h are 1 m/s.
    static let kilometresPerHour = 3.6
    /// How many m/s are 1 knot: a nautical mile has 1,852 m.
    static let knot = 1852.0 / 3600
}
