import Geometry
package import Tracking
package import Watching

/// Reads what a `put` says of a place, and definitions as they are published and stored.
package enum PlaceReader {
    /// Returns the content that the payload of a `put` describes.
    ///
    /// - Throws: A refusal that names the member that is wrong or missing: for `invalid_geometry` inside of `geometry`,
    ///   else for `invalid_place`.
    package static func content(
        of value: JSONValue, limits: PlaceLimits
    ) throws(Refusal) -> PlaceContent {
        try content(of: PayloadObject(value, at: nil, reason: .invalidPlace), limits: limits)
    }

    static func content(
        of object: PayloadObject?, limits: PlaceLimits
    ) throws(Refusal) -> PlaceContent {
        guard let object, let geometry = object["geometry"] else {
            throw Refusal(.invalidPlace, "geometry is missing: it must be \(ShapeReader.choice)")
        }
        let own = PayloadObject(object.value, under: object.path, reason: .invalidPlace)
        try own.checkNames(among: members + ["command_id", "geometry"])
        let shape = try ShapeReader.shape(geometry, maxVertices: limits.maxVertices)
        return try content(of: own, area: ShapeReader.area(shape), limits: limits)
    }

    /// Returns the place that a definition describes.
    ///
    /// - Parameter id: The place's id.
    /// - Throws: A refusal that says why this version cannot read it.
    package static func place(
        ofDefinition value: JSONValue, id: String, limits: PlaceLimits
    ) throws(Refusal) -> Place {
        let (properties, content) = try feature(value, limits: limits)
        guard let revision = try properties.count("revision", from: 1) else {
            throw properties.refusal(of: "revision", nil, expected: "a whole number")
        }
        guard let putAt = try properties.moment("put_at") else {
            throw properties.refusal(of: "put_at", nil, expected: "a time")
        }
        return Place(id: id, revision: revision, putAt: putAt, content: content)
    }

    private static func feature(
        _ value: JSONValue, limits: PlaceLimits
    ) throws(Refusal) -> (properties: PayloadObject, content: PlaceContent) {
        let feature = try PayloadObject(value, at: nil, reason: .invalidPlace)
        guard let member = feature["properties"] else {
            throw feature.refusal(of: "properties", nil, expected: "an object")
        }
        let properties = try PayloadObject(member, at: "properties", reason: .invalidPlace)
        let shape = try ShapeReader.shape(
            ofFeature: feature, properties, maxVertices: limits.maxVertices)
        try properties.checkNames(
            among: members + [
                "id", "revision", "put_at", "area_m2", "radius_m", "width_m", "rectangle",
            ])
        let content = try content(
            of: properties, area: ShapeReader.area(shape), limits: limits)
        return (properties, content)
    }

    /// Returns the place that the JSON text of a definition describes.
    ///
    /// - Throws: A refusal, or a `JSONError` where it is no JSON.
    package static func place(
        ofDefinition json: [UInt8], id: String, limits: PlaceLimits
    ) throws -> Place {
        let parser = JSONParser()
        return try json.withUnsafeBytes { bytes in
            try place(ofDefinition: try parser.parse(bytes), id: id, limits: limits)
        }
    }

    /// The members that a `put` and the properties of a definition have in common.
    private static let members: [StaticString] = [
        "name", "category", "labels", "level", "parent", "description", "color", "rank",
        "vehicles", "active", "tell", "dwell_s", "confirm_s", "exit_margin_m", "speed_limit_mps",
        "approach", "roadblock", "attributes",
    ]

    /// The names of the members that a `put` may have, but for `geometry` and `command_id`.
    package static let memberNames = Set(members.map(\.description))

    private static func content(
        of object: PayloadObject, area: Area, limits: PlaceLimits
    ) throws(Refusal) -> PlaceContent {
        var content = PlaceContent(area: area)
        content.name = try object.plainText("name", upTo: 256)
        content.category = try category(of: object)
        content.level = try level(of: object)
        let profile = try PlaceProfileReader.profile(of: object)
        content.profile = profile.isEmpty ? nil : profile
        content.terms = try PlaceTermsReader.terms(of: object, limits: limits)
        if let tells = try tells(of: object) { content.tells = tells }
        if content.tells.contains(.dwell), content.terms.dwell == nil {
            throw Refusal(
                .invalidPlace, "tell has \"dwell\", which needs dwell_s: how long is that?")
        }
        if !area.hasInside { try checkGate(content, object) }
        return content
    }

    /// Checks a place without an inside, in which nobody can be.
    private static func checkGate(
        _ content: PlaceContent, _ object: PayloadObject
    ) throws(Refusal) {
        let kind = "a point or a line of width 0, which has no inside"
        if !content.tells.isSubset(of: [.pass]) {
            throw Refusal(.invalidPlace, "tell can only have \"pass\" for \(kind)")
        }
        if content.terms.speedLimit != nil {
            throw Refusal(.invalidPlace, "speed_limit_mps cannot be for \(kind)")
        }
    }

    private static func category(of object: PayloadObject) throws(Refusal) -> String? {
        guard let category = try object.plainText("category", upTo: 256) else { return nil }
        let levels = category.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.allSatisfy({ !$0.isEmpty }) else {
            throw object.refusal(
                of: "category", object["category"],
                expected: "levels divided by /, none of them empty")
        }
        return category
    }

    private static func level(of object: PayloadObject) throws(Refusal) -> Level? {
        guard object["level"]?.kind == .string else { return try TargetReader.level(of: object) }
        return try object.plainText("level", upTo: 64).map { .text($0) }
    }

    private static func tells(of object: PayloadObject) throws(Refusal) -> PlaceAlarmSet? {
        guard let names = try object.array("tell") else { return nil }
        var tells: PlaceAlarmSet = []
        for (index, element) in names.enumerated() {
            guard
                let kind = PlaceAlarmSet.names.first(where: {
                    element.text?.equals($0.name) == true
                })
            else {
                throw Refusal(
                    .invalidPlace,
                    "\(object.path)tell[\(index)] must be enter, exit, pass or dwell, not \(element.shown)"
                )
            }
            tells.insert(kind.alarm)
        }
        return tells
    }
}

extension PlaceAlarmSet {
    /// Each kind of alarm with its name.
    package static let names: [(alarm: PlaceAlarmSet, name: String)] = [
        (.enter, "enter"), (.exit, "exit"), (.pass, "pass"), (.dwell, "dwell"),
    ]
}
