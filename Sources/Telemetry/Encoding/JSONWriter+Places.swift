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
            json.members(of: waypoint.place)
        }
    }

    /// Writes a place just as it was given.
    package mutating func place(_ place: Place) {
        object { $0.members(of: place) }
    }

    /// Writes the members of a place into the object that is open; `level` and `attributes` only where given.
    private mutating func members(of place: Place) {
        members(of: place.coordinate)
        member("id", place.id)
        member("name", place.name)
        if let level = place.level { member("level", level) }
        if let attributes = place.attributes {
            key("attributes")
            raw(attributes)
        }
    }
}
