import Geometry

/// The speed limits of a route's segments, in a byte each: routes have many segments and few limits.
struct SegmentLimits: Equatable, Sendable {
    /// The limits that occur, in metres per second.
    let values: [Double]
    /// For each segment one more than the index of its limit; 0 where that is unknown.
    let codes: [UInt8]

    /// Keeps limits in metres per second, one a segment and 0 where unknown; `nil` where all are unknown.
    ///
    /// Where more than 255 different ones occur, those to the left of the point are kept.
    init?(_ limits: [Double]) {
        guard let encoded = Self.encode(limits) ?? Self.encode(limits.map { $0.rounded() }),
            !encoded.values.isEmpty
        else { return nil }
        self = encoded
    }

    init(values: [Double], codes: [UInt8]) {
        self.values = values
        self.codes = codes
    }

    /// The limit on a segment, in metres per second; `nil` where it is unknown.
    subscript(segment: Int) -> Double? {
        let code = Int(codes[segment])
        return code == 0 ? nil : values[code - 1]
    }

    private static func encode(_ limits: [Double]) -> SegmentLimits? {
        var values: [Double] = []
        var known: [Double: UInt8] = [:]
        var codes: [UInt8] = []
        codes.reserveCapacity(limits.count)
        for limit in limits {
            // Faster than anything on a road is none.
            guard limit > 0, limit <= 200 else {
                codes.append(0)
                continue
            }
            if let code = known[limit] {
                codes.append(code)
                continue
            }
            guard values.count < Int(UInt8.max) else { return nil }
            values.append(limit)
            known[limit] = UInt8(values.count)
            codes.append(UInt8(values.count))
        }
        return SegmentLimits(values: values, codes: codes)
    }
}
