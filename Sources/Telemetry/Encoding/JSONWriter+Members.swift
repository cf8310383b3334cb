package import Geometry
package import Tracking

extension JSONWriter {
    /// Writes a member that is a text, or `null`.
    package mutating func member(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }

    /// Writes a member that is an array of texts.
    mutating func member(_ name: StaticString, _ texts: [String]) {
        key(name)
        array { json in
            for text in texts { json.string(text) }
        }
    }

    /// Writes a member that is an integer, or `null`.
    package mutating func member(_ name: StaticString, _ value: Int?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    /// Writes a member that is `true` or `false`.
    package mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// Writes a member that is a moment, or `null`.
    package mutating func member(_ name: StaticString, _ moment: Timestamp?) {
        key(name)
        if let moment { time(moment) } else { null() }
    }

    /// Writes a member that is a number with all its digits, or `null`.
    package mutating func member(_ name: StaticString, exact value: Double?) {
        key(name)
        if let value { number(value) } else { null() }
    }

    /// Writes a member that is a number rounded to `decimals` digits after the point, or `null`.
    package mutating func member(_ name: StaticString, _ value: Double?, decimals: Int) {
        key(name)
        if let value { number(value, decimals: decimals) } else { null() }
    }

    /// Writes a member that is a distance in metres, to the centimetre, or `null`.
    package mutating func member(_ name: StaticString, metres: Double?) {
        member(name, metres, decimals: 2)
    }

    /// Writes a member that is a computed place, to the centimetre, or `null`.
    package mutating func member(_ name: StaticString, computed place: Coordinate?) {
        key(name)
        guard let place else { return null() }
        object { json in
            json.member("lat", place.latitude, decimals: 7)
            json.member("lon", place.longitude, decimals: 7)
        }
    }

    /// Writes a member that is a place just as it was given, or `null`.
    package mutating func member(_ name: StaticString, given place: Coordinate?) {
        key(name)
        guard let place else { return null() }
        object { $0.members(of: place) }
    }

    /// Writes `lat` and `lon` with all their digits into the object that is open.
    package mutating func members(of coordinate: Coordinate) {
        member("lat", exact: coordinate.latitude)
        member("lon", exact: coordinate.longitude)
    }

    /// Writes a member that is a floor, or `null`.
    package mutating func member(_ name: StaticString, _ level: Level?) {
        key(name)
        switch level {
        case nil: null()
        case .number(let floor): number(floor)
        case .text(let floor): string(floor)
        }
    }

    /// Writes an element `[lon, lat]`, as GeoJSON orders them, with at most 7 decimals.
    package mutating func position(_ coordinate: Coordinate) {
        array { json in
            json.number(coordinate.longitude, decimals: 7)
            json.number(coordinate.latitude, decimals: 7)
        }
    }

    /// Writes an array of `[lon, lat]`.
    package mutating func positions(_ line: some Sequence<Coordinate>) {
        array { json in
            for coordinate in line { json.position(coordinate) }
        }
    }
}
