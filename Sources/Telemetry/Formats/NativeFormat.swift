/// SPEC's own JSON.
enum NativeFormat {
    /// Returns what an object says of a position.
    static func draft(_ members: MemberIndex) -> Draft {
        var draft = Draft()
        draft.latitude = Draft.Ordinate(members[members.latitude])
        draft.longitude = Draft.Ordinate(members[members.longitude])
        draft.time = members[members.time]
        draft.accuracy = members[members.accuracy]?.quantity
        draft.speed = members[members.speed]?.quantity
        draft.course = members[members.course]?.quantity
        draft.altitude = members[members.altitude]?.quantity
        draft.level = members[members.level]
        draft.provider = members[members.provider]
        draft.attributes = members[members.attributes]
        return draft
    }
}

/// GeoJSON (RFC 7946): a `Feature` with a `Point`, its properties named as native JSON's members.
enum GeoJSONFormat {
    /// Returns what an object says of a position.
    ///
    /// - Throws: `unsupported_format` for anything but a point, `no_fix` for a feature without a place.
    static func draft(_ value: JSONValue) throws(NoPosition) -> Draft {
        guard let type = value["type"]?.text, type == "Feature" else {
            throw .rejected(.unsupportedFormat)
        }
        guard let geometry = value["geometry"] else { throw .rejected(.missingCoordinates) }
        if geometry.isNull { throw .ignored(.noFix) }
        guard let type = geometry["type"]?.text, type == "Point" else {
            throw .rejected(.unsupportedFormat)
        }
        var draft = Draft()
        if let properties = value["properties"], let members = properties.object {
            draft = NativeFormat.draft(MemberIndex(properties, members))
        }
        draft.latitude = .missing
        draft.longitude = .missing
        guard let coordinates = geometry["coordinates"], !coordinates.isNull else { return draft }
        guard let elements = coordinates.array else {
            draft.latitude = .notNumeric
            draft.longitude = .notNumeric
            return draft
        }
        if elements.isEmpty { throw .ignored(.noFix) }
        var iterator = elements.makeIterator()
        draft.longitude = Draft.Ordinate(iterator.next())
        draft.latitude = Draft.Ordinate(iterator.next())
        draft.altitude = iterator.next()?.quantity ?? draft.altitude
        return draft
    }
}
