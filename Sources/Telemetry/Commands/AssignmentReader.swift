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
        assignment.viaPoints = try TargetReader.targets("via_points", of: object)
        if let destination = object["destination"] {
            assignment.destination = try TargetReader.target(destination, at: "destination")
        }
        if let source = object["source"] {
            assignment.source = try TargetReader.target(source, at: "source").coordinate
        }
        if let route = object["route"] {
            assignment.route = try RouteReader.route(route)
        } else if assignment.destination == nil {
            throw Refusal(.invalidCommand, "route or destination must be there: both are missing")
        }
        assignment.options =
            try object["options"].map { value throws(Refusal) in
                try OptionsReader.options(value, at: "options", over: defaults)
            } ?? defaults
        try setProfile(of: object, in: &assignment.options)
        if let vehicle = object["vehicle"] {
            assignment.vehicle = try VehicleSizeReader.size(vehicle)
        }
        return assignment
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
