import Geometry

/// Writes values as bytes, for snapshots: little endian, lengths before what has one.
struct PackedWriter {
    private(set) var bytes: [UInt8] = []

    init() {
        // A trip's state is rarely longer.
        bytes.reserveCapacity(512)
    }

    mutating func write(_ byte: UInt8) { bytes.append(byte) }
    mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func write<Value: FixedWidthInteger>(_ value: Value) {
        unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func write(_ value: Int) { write(Int64(value)) }
    mutating func write(_ value: Double) { write(value.bitPattern) }
    mutating func write(_ time: Timestamp) { write(time.microseconds) }

    mutating func write(_ coordinate: Coordinate) {
        write(coordinate.latitude)
        write(coordinate.longitude)
    }

    mutating func write(_ text: String) {
        write(UInt32(text.utf8.count))
        bytes += text.utf8
    }

    mutating func write(_ block: [UInt8]) {
        write(UInt32(block.count))
        bytes += block
    }

    mutating func write<Value>(
        _ value: Value?, _ body: (inout PackedWriter, Value) -> Void
    ) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    mutating func write<Value>(
        list: [Value], _ body: (inout PackedWriter, Value) -> Void
    ) {
        write(UInt32(list.count))
        for value in list { body(&self, value) }
    }

    mutating func write(_ time: Timestamp?) { write(time) { $0.write($1) } }
    mutating func write(_ value: Double?) { write(value) { $0.write($1) } }
    mutating func write(_ text: String?) { write(text) { $0.write($1) } }
    mutating func write(_ place: Coordinate?) { write(place) { $0.write($1) } }
}
