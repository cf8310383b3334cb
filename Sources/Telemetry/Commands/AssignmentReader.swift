import Geometry
import Tracking

/// Reads what starts a trip.
enum AssignmentReader {
    /// Returns the assignment that the payload of `assign` describes.
    ///
    /// - Throws: A refusal that names the member that is wrong or missing.
    static func assignment(
        _ object: PayloadObject?, tripID: String?, vehicleID: String, defaults: TripOptions
    ) throws(Refusal) -> Assignment {
        guard let object, let tripID else {
            throw Refusal(
                .invalidCommand, "trip_id is missing: it must be a text of 1 to 128 bytes")
        }
        var assignment = Assignment(tripID: tripID, vehicleID: vehicleID, route: nil)
        assignment.viaPoints = try PlaceReader.places("via_points", of: object)
        if let destination = object["destination"] {
            assignment.destination = try PlaceReader.place(destination, at: "destination")
        }
        if let source = object["source"] {
            assignment.source = try PlaceReader.place(source, at: "source").coordinate
        }
        if let route = object["route"] {
            assignment.route = try RouteReader.route(route)
        } else if assignment.destination == nil {
            throw Refusal(.invalidCommand, "route or destination must be there: both are missing")
        }
        assignment.options = try options(of: object, over: defaults)
        try setProfile(of: object, in: &assignment.options)
        return assignment
    }

    /// Returns the object's options merged over the worker's.
    private static func options(
        of object: PayloadObject, over defaults: TripOptions
    ) throws(Refusal) -> TripOptions {
        guard let member = object["options"] else { return defaults }
        guard let given = member.object else {
            throw Refusal(.invalidOption, "options must be an object, not \(member.shown)")
        }
        var options = defaults
        for (name, value) in given {
            try TripOptionTable.set(
                name.string, OptionValue(value), scope: .assignment, prefix: "options.",
                in: &options)
        }
        return options
    }

    private static func setProfile(
        of object: PayloadObject, in options: inout TripOptions
    ) throws(Refusal) {
        guard let member = object["profile"] else { return }
        guard let name = member.string, let profile = TripOptions.Profile(rawValue: name) else {
            throw object.refusal(of: "profile", member, expected: TripOptions.Profile.choice)
        }
        options.profile = profile
    }
}

extension OptionValue {
    /// The value of an option in a JSON text.
    init(_ value: JSONValue) {
        if let number = value.double {
            self = .number(number)
        } else if let flag = value.bool {
            self = .flag(flag)
        } else if let text = value.string {
            self = .text(text)
        } else {
            self = .other
        }
    }
}
