import Geometry

import Glibc

/// Stands in for Geometry's distance and polyline codec until they are there.
enum Interim {
    static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
        let rad = Double.pi / 180
        let dLat = (b.latitude - a.latitude) * rad
        let dLon = (b.longitude - a.longitude) * rad
        let h =
            sin(dLat / 2) * sin(dLat / 2) + cos(a.latitude * rad) * cos(b.latitude * rad)
            * sin(dLon / 2) * sin(dLon / 2)
        return 2 * 6_371_008.8 * asin(min(1, h.squareRoot()))
    }

    static func decodePolyline(_ text: some Sequence<UInt8>, digits: Int) -> [Coordinate]? {
        let scale = digits == 6 ? 1e6 : 1e5
        var result: [Coordinate] = []
        var numbers = (0 as Int64, 0 as Int64)
        var isLatitude = true
        var value: Int64 = 0
        var shift: Int64 = 0
        for byte in text {
            guard byte >= 63, byte <= 126, shift < 60 else { return nil }
            let chunk = Int64(byte) - 63
            value |= (chunk & 31) << shift
            shift += 5
            if chunk >= 32 { continue }
            let delta = value & 1 == 1 ? ~(value >> 1) : value >> 1
            value = 0
            shift = 0
            if isLatitude {
                numbers.0 &+= delta
            } else {
                numbers.1 &+= delta
                result.append(
                    Coordinate(
                        latitude: Double(numbers.0) / scale, longitude: Double(numbers.1) / scale))
            }
            isLatitude.toggle()
        }
        return shift == 0 && isLatitude ? result : nil
    }
}
