import Glibc

extension Coordinate {
    /// Whether both numbers are finite and in range.
    public var isValid: Bool {
        latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
    }

    /// Returns the length of the shortest line to another place over the ellipsoid, in metres.
    ///
    /// Right to a millionth up to 100 km, to a hundred-thousandth up to 17,000 km and to a thousandth towards
    /// the opposite side of the earth. It is the same in both directions.
    public func distance(to other: Coordinate) -> Double {
        let north = (other.latitude - latitude) * Ellipsoid.radian
        let east = Ellipsoid.turn(from: longitude, to: other.longitude) * Ellipsoid.radian
        let middle = (latitude + other.latitude) / 2 * Ellipsoid.radian
        let sine = sin(middle)
        if abs(north) < Self.close, abs(east) < Self.close {
            // A sine is its angle here, and an arc its chord, to a hundred-millionth.
            let square = 1 - Ellipsoid.eccentricity * sine * sine
            let radius = Ellipsoid.equatorialRadius / square.squareRoot()
            let up = radius * (1 - Ellipsoid.eccentricity) / square * north
            let across = radius * radius * (1 - sine * sine) * east * east
            return (up * up + across).squareRoot()
        }
        let halfNorth = sin(north / 2)
        let halfEast = sin(east / 2)
        // The product of the cosines of the latitudes, from their sum and their difference.
        let cosines = max(0, 1 - sine * sine - halfNorth * halfNorth)
        let haversine = min(1, halfNorth * halfNorth + cosines * halfEast * halfEast)
        guard haversine > Self.nearby else {
            let up = Ellipsoid.meridianRadius(sine: sine) * halfNorth
            let across = Ellipsoid.normalRadius(sine: sine) * halfEast
            let chord = 2 * (up * up + cosines * across * across).squareRoot()
            return Self.arc(ofChord: chord)
        }
        return longDistance(to: other, east: east)
    }

    /// The angle up to which a flat map will do, in radians: about 2 km.
    private static let close = 0.0003

    /// The haversine up to which a plane with the local radii of curvature will do: 100 km.
    private static let nearby = 0.0000616

    /// Returns the way over the ground where `chord` goes through it.
    static func arc(ofChord chord: Double) -> Double {
        let diameter = 2 * Ellipsoid.meanRadius
        return diameter * asin(min(1, chord / diameter))
    }

    /// Andoyer's and Lambert's formula: the sphere of reduced latitudes, corrected to first order of the flattening.
    private func longDistance(to other: Coordinate, east: Double) -> Double {
        let reduced = (Self.reduced(latitude), Self.reduced(other.latitude))
        let middle = (reduced.0 + reduced.1) / 2
        let half = (reduced.1 - reduced.0) / 2
        let halfEast = sin(east / 2)
        let haversine =
            sin(half) * sin(half) + cos(reduced.0) * cos(reduced.1) * halfEast * halfEast
        let angle = 2 * asin(min(1, haversine.squareRoot()))
        // The correction's divisor vanishes on the opposite side of the earth.
        guard angle < 179 * Ellipsoid.radian else { return Ellipsoid.meanRadius * angle }
        let sum = sin(middle) * cos(half)
        let difference = cos(middle) * sin(half)
        let x = (angle - sin(angle)) * sum * sum / (1 - haversine)
        let y = (angle + sin(angle)) * difference * difference / haversine
        return Ellipsoid.equatorialRadius * (angle - Ellipsoid.flattening / 2 * (x + y))
    }

    /// Returns the reduced latitude of a geographic one, in radians.
    private static func reduced(_ latitude: Double) -> Double {
        let angle = latitude * Ellipsoid.radian
        return atan2((1 - Ellipsoid.flattening) * sin(angle), cos(angle))
    }

    /// Returns the direction in which another place lies, in degrees clockwise from north, 0 to below 360.
    ///
    /// 0 where both are the same place.
    public func course(to other: Coordinate) -> Double {
        let east = Ellipsoid.turn(from: longitude, to: other.longitude) * Ellipsoid.radian
        let here = latitude * Ellipsoid.radian
        let there = other.latitude * Ellipsoid.radian
        let sines = (sin(here), sin(there))
        let cosines = (cos(here), cos(there))
        let radii = (
            Ellipsoid.normalRadius(sine: sines.0), Ellipsoid.normalRadius(sine: sines.1)
        )
        // The line through the earth, as components at this place.
        let outward = radii.1 * cosines.1 * cos(east) - radii.0 * cosines.0
        let upward = (1 - Ellipsoid.eccentricity) * (radii.1 * sines.1 - radii.0 * sines.0)
        return Self.course(
            north: cosines.0 * upward - sines.0 * outward, east: radii.1 * cosines.1 * sin(east))
    }

    /// Returns the direction of a vector, in degrees clockwise from north, 0 to below 360.
    static func course(north: Double, east: Double) -> Double {
        let angle = atan2(east, north) / Ellipsoid.radian
        let course = angle < 0 ? angle + 360 : angle
        return course < 360 ? course : 0
    }

    /// Returns the place that is reached by going straight on over the ellipsoid.
    ///
    /// Vincenty's direct formula, right to a millimetre.
    ///
    /// - Parameters:
    ///   - course: The direction at the start, in degrees clockwise from north.
    ///   - distance: How far to go, in metres.
    public func destination(course: Double, distance: Double) -> Coordinate {
        let sineCourse = sin(course * Ellipsoid.radian)
        let cosineCourse = cos(course * Ellipsoid.radian)
        let reduced = Self.reduced(latitude)
        let (sine, cosine) = (sin(reduced), cos(reduced))
        let start = atan2(sine, cosine * cosineCourse)
        let tilt = cosine * sineCourse
        let slope = 1 - tilt * tilt
        let flattening = Ellipsoid.flattening
        let polar = Ellipsoid.equatorialRadius * (1 - flattening)
        let u = slope * Ellipsoid.eccentricity / ((1 - flattening) * (1 - flattening))
        let a = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
        let b = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
        var angle = distance / (polar * a)
        for _ in 0..<8 {
            let middle = cos(2 * start + angle)
            let fourth = b / 4 * cos(angle) * (2 * middle * middle - 1)
            let sixth =
                b * b / 24 * middle * (4 * sin(angle) * sin(angle) - 3) * (4 * middle * middle - 3)
            angle = distance / (polar * a) + b * sin(angle) * (middle + fourth - sixth)
        }
        let middle = cos(2 * start + angle)
        let north = sine * cos(angle) + cosine * sin(angle) * cosineCourse
        let inward = sine * sin(angle) - cosine * cos(angle) * cosineCourse
        let across = (tilt * tilt + inward * inward).squareRoot()
        let turned = atan2(
            sin(angle) * sineCourse, cosine * cos(angle) - sine * sin(angle) * cosineCourse)
        let c = flattening / 16 * slope * (4 + flattening * (4 - 3 * slope))
        let arc = angle + c * sin(angle) * (middle + c * cos(angle) * (2 * middle * middle - 1))
        let east = (turned - (1 - c) * flattening * tilt * arc) / Ellipsoid.radian
        let longitude = remainder(longitude + east, 360)
        return Coordinate(
            latitude: atan2(north, (1 - flattening) * across) / Ellipsoid.radian,
            longitude: longitude)
    }
}
