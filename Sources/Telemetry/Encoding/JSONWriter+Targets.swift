package import Tracking

extension JSONWriter {
    /// Writes a member that is a via point with its index, or `null`.
    package mutating func member(_ name: StaticString, _ waypoint: TripEvent.Waypoint?) {
        key(name)
        if let waypoint { self.waypoint(waypoint) } else { null() }
    }

    /// Writes a via point with its index.
    package mutating func waypoint(_ waypoint: TripEvent.Waypoint) {
        object { json in
            json.member("index", waypoint.index)
            json.members(of: waypoint.target)
        }
    }

    /// Writes a target just as it was given.
    package mutating func target(_ target: Target) {
        object { $0.members(of: target) }
    }

    /// Writes the members of a target into the object that is open; `level` and `attributes` only where given.
    private mutating func members(of target: Target) {
        members(of: target.coordinate)
        member("id", target.id)
        member("name", target.name)
        if let level = target.level { member("level", level) }
        if let attributes = target.attributes {
            key("attributes")
            raw(attributes)
        }
    }

    /// Writes a member that is what an alarm or event says of the place that it is about, or `null`.
    package mutating func member(_ name: StaticString, label place: PlaceLabel?) {
        key(name)
        guard let place else { return null() }
        object { json in
            json.member("id", place.id)
            json.member("name", place.name)
            json.member("category", place.category)
            json.member("level", place.level)
            json.member("revision", place.revision)
        }
    }
}
