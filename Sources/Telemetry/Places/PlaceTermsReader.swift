import Tracking
import Watching

/// Reads for whom and when a place counts, and how.
enum PlaceTermsReader {
    /// Returns the terms that a place's members describe.
    ///
    /// - Throws: A refusal for `invalid_place` that names the member that is wrong.
    static func terms(
        of object: PayloadObject, limits: PlaceLimits
    ) throws(Refusal) -> PlaceTerms {
        var terms = PlaceTerms()
        terms.vehicles = try vehicles(of: object)
        if let active = object["active"] {
            terms.hours = try ActiveHoursReader.hours(active, object.path, limits: limits)
        }
        terms.dwell = try object.number("dwell_s", from: 10, to: 604_800, unit: "seconds")
        terms.confirmation = try object.number("confirm_s", from: 0, to: 3600, unit: "seconds")
        terms.exitMargin = try object.number("exit_margin_m", from: 0, to: 1000, unit: "metres")
        let speeds = "a number above 0, at most 100 metres per second"
        terms.speedLimit = try object.number(
            "speed_limit_mps", in: Double.leastNonzeroMagnitude...100, expected: speeds)
        if let approach = object["approach"] {
            terms.approach = try self.approach(approach, object.path)
        }
        if let roadblock = object["roadblock"] {
            terms.roadblock = try self.roadblock(roadblock, object.path)
        }
        return terms
    }

    private static func vehicles(of object: PayloadObject) throws(Refusal) -> VehicleNames? {
        let names = try object.texts("vehicles", upTo: 1000, bytes: 1...VehicleID.longest)
        guard let names else { return nil }
        for (index, name) in names.enumerated() where !VehicleID.isValid(name) {
            throw Refusal(
                .invalidPlace,
                "\(object.path)vehicles[\(index)] must be an id, or a pattern with *, not \(name.quoted)"
            )
        }
        return VehicleNames(names)
    }

    private static func approach(
        _ value: JSONValue, _ path: String
    ) throws(Refusal) -> ApproachTerms {
        let object = try PayloadObject(value, at: "\(path)approach", reason: .invalidPlace)
        try object.checkNames(among: ["distance_m", "seconds", "on_route"])
        let distance = try object.number("distance_m", from: 10, to: 100_000, unit: "metres")
        let seconds = try object.number("seconds", from: 5, to: 7200, unit: "seconds")
        guard distance != nil || seconds != nil else {
            throw Refusal(.invalidPlace, "\(path)approach must have distance_m or seconds")
        }
        return ApproachTerms(
            distance: distance, seconds: seconds, isOnRoute: try object.flag("on_route") ?? true)
    }

    private static func roadblock(
        _ value: JSONValue, _ path: String
    ) throws(Refusal) -> Roadblock {
        let object = try PayloadObject(value, at: "\(path)roadblock", reason: .invalidPlace)
        try object.checkNames(among: ["since", "until", "profiles"])
        let (since, until) = try object.span()
        let profiles = try object.texts("profiles", upTo: 16, bytes: 1...64)
        for (index, name) in (profiles ?? []).enumerated()
        where TripOptions.Profile(rawValue: name) == nil {
            throw Refusal(
                .invalidPlace,
                "\(object.path)profiles[\(index)] must be \(TripOptions.Profile.choice), not \(name.quoted)"
            )
        }
        return Roadblock(since: since, until: until, profiles: profiles)
    }
}
