/// One entry of `sources` in the settings: topics on which positions come, besides the native one.
package struct SourceDefinition: Equatable, Sendable {
    /// An MQTT topic filter, `+` and `#` allowed.
    package var filter: String
    /// The name of the only format to be understood; `nil` to recognise it by content.
    package var format: String?
    /// Names the vehicle: `{n}` stands for the n-th level of the topic from 0, `{device.uniqueId}` for
    /// what the payload holds at that path, anything else for itself.
    package var vehicleID: String

    /// Creates a definition, not yet checked.
    package init(filter: String, format: String? = nil, vehicleID: String) {
        self.filter = filter
        self.format = format
        self.vehicleID = vehicleID
    }
}

/// What is wrong with the topic root or with sources, all of it together.
package struct SourceError: Error, Equatable, Sendable {
    /// One thing that is wrong.
    package struct Mistake: Equatable, Sendable {
        /// The setting: `topic_root`, or such as `sources[0].filter`.
        package var key: String
        /// What is wrong with it, for a person.
        package var message: String
    }

    /// What is wrong, in the order of the settings; never empty.
    package var mistakes: [Mistake]
}

/// What is wrong with a part of a definition.
struct SourceFault: Error {
    /// For a person.
    let message: String
}

/// A payload format that positions can come in.
package enum PositionFormat: String, CaseIterable, Sendable {
    /// SPEC's own JSON.
    case native
    case owntracks, traccar, flespi, teltonika, geojson, nmea

    /// Returns the format of that name; `own_json` is another name of the native one.
    package static func named(_ name: String) -> PositionFormat? {
        name == "own_json" ? .native : PositionFormat(rawValue: name)
    }
}

/// What a topic is for.
package enum TopicMatch: Equatable, Sendable {
    /// Positions come on it.
    case position(MatchedSource)
    /// Operations tell a vehicle's trip what to do on it.
    case command(vehicleID: String, name: String)
    /// Operations make, change or delete a place on it.
    case placeCommand(placeID: String, name: String)
    /// A command's topic whose vehicle or place level breaks the rules of ids.
    case invalidVehicleID
    /// Nothing that the worker reads.
    case nothing
}

/// How to read what comes on a topic.
package struct MatchedSource: Equatable, Sendable {
    /// Who sent what came on the topic.
    enum Identity: Equatable, Sendable {
        /// This vehicle.
        case known(String)
        /// Nobody: the topic's level or the id made of it breaks the rules of vehicle ids.
        case invalid
        /// Whom the payload names; the topic's part in the template is filled in.
        case inPayload(VehicleIDTemplate)
    }

    /// The only format to be understood; `nil` to recognise it by content.
    package var format: PositionFormat?
    let identity: Identity

    /// Creates the source of a vehicle's own positions, in any format.
    package init(vehicleID: String) {
        self.init(format: nil, identity: .known(vehicleID))
    }

    /// Creates a source.
    init(format: PositionFormat?, identity: Identity) {
        self.format = format
        self.identity = identity
    }

    /// The vehicle that the topic names; `nil` when it names none, or the payload does.
    package var vehicleID: String? {
        guard case .known(let vehicleID) = identity else { return nil }
        return vehicleID
    }
}
