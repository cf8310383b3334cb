/// How a route is kept as bytes.
///
/// The version, 1; the number of vertices; then for each the difference of latitude and of longitude to the vertex
/// before it, zigzagged. All but the version are integers in groups of seven bits, the lowest first, with the
/// highest bit set on all groups but the last.
extension RouteLine {
    private static let version: UInt8 = 1

    /// Its bytes.
    public var packed: [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes)
        return bytes
    }

    /// Appends its bytes to others.
    public func encode(into bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + 11 + 4 * vertices.count)
        bytes.append(Self.version)
        Self.append(UInt64(vertices.count), to: &bytes)
        var last = SIMD2<Int32>.zero
        for vertex in vertices {
            Self.append(Int64(vertex.x) - Int64(last.x), to: &bytes)
            Self.append(Int64(vertex.y) - Int64(last.y), to: &bytes)
            last = vertex
        }
    }

    /// Reads a line from its bytes, or returns `nil` when they are not those of a line, whole and with nothing after
    /// it.
    public convenience init?(decoding bytes: [UInt8]) {
        self.init(decoding: bytes[...])
    }

    /// Reads a line from its bytes, or returns `nil` when they are not those of a line, whole and with nothing after
    /// it.
    public convenience init?(decoding bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard rest.popFirst() == Self.version, let count = Self.readNumber(&rest),
            // A vertex takes two bytes or more, so that a wrong count reserves no memory.
            count >= 2, count <= UInt64(rest.count / 2)
        else { return nil }
        var vertices: [SIMD2<Int32>] = []
        vertices.reserveCapacity(Int(count))
        var latitude: Int64 = 0
        var longitude: Int64 = 0
        for _ in 0..<count {
            guard let north = Self.readDifference(&rest), let east = Self.readDifference(&rest)
            else { return nil }
            latitude += north
            longitude += east
            guard abs(latitude) <= 900_000_000, abs(longitude) <= 1_800_000_000 else { return nil }
            vertices.append(SIMD2(Int32(latitude), Int32(longitude)))
        }
        guard rest.isEmpty else { return nil }
        self.init(vertices: vertices)
    }

    private static func append(_ difference: Int64, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: difference << 1 ^ difference >> 63), to: &bytes)
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func readDifference(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        guard let number = readNumber(&bytes) else { return nil }
        return Int64(number >> 1) ^ -Int64(number & 1)
    }

    /// Reads an integer of up to 35 bits, which every difference and count fits in.
    private static func readNumber(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 35, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }
}
