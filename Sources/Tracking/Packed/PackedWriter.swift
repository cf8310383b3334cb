package import Geometry

/// Writes values as bytes, for snapshots: little endian, lengths before what has one.
package struct PackedWriter {
    /// What has been written.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty writer.
    package init() {
        // A trip's state is rarely longer.
        bytes.reserveCapacity(512)
    }

    package mutating func write(_ byte: UInt8) { bytes.append(byte) }
    package mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    package mutating func write<Value: FixedWidthInteger>(_ value: Value) {
        unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ value: Int) { write(Int64(value)) }
    package mutating func write(_ value: Double) { write(value.bitPattern) }
    package mutating func write(_ value: Float) { write(value.bitPattern) }
    package mutating func write(_ time: Timestamp) { write(time.microseconds) }

    package mutating func write(_ coordinate: Coordinate) {
        write(coordinate.latitude)
        write(coordinate.longitude)
    }

    package mutating func write(_ text: String) {
        write(UInt32(text.utf8.count))
        bytes += text.utf8
    }

    package mutating func write(_ block: [UInt8]) {
        write(UInt32(block.count))
        bytes += block
    }

    package mutating func write<Value>(
        _ value: Value?, _ body: (inout PackedWriter, Value) -> Void
    ) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    package mutating func write<Value>(
        list: [Value], _ body: (inout PackedWriter, Value) -> Void
    ) {
        write(UInt32(list.count))
        for value in list { body(&self, value) }
    }

    package mutating func write(_ time: Timestamp?) { write(time) { $0.write($1) } }
    package mutating func write(_ value: Double?) { write(value) { $0.write($1) } }
    package mutating func write(_ text: String?) { write(text) { $0.write($1) } }
    package mutating func write(_ place: Coordinate?) { write(place) { $0.write($1) } }
}
