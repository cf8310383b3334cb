package import Geometry

/// Why a snapshot cannot be read.
public struct SnapshotError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong with it, and where.
    public var message: String

    /// What is wrong with it, and where.
    public var description: String { message }
}

/// Reads what `PackedWriter` has written.
package struct PackedReader {
    private let bytes: [UInt8]
    private var offset = 0
    /// The version of the block, once `readVersion` has found it: members that it lacks have their defaults.
    package private(set) var version: UInt8 = 0

    /// Creates a reader at the start.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package mutating func byte() throws(SnapshotError) -> UInt8 {
        guard offset < bytes.count else { throw broken("it ends too soon") }
        defer { offset += 1 }
        return bytes[offset]
    }

    package mutating func flag() throws(SnapshotError) -> Bool { try byte() != 0 }

    package mutating func integer<Value: FixedWidthInteger>(
        _ type: Value.Type
    ) throws(SnapshotError) -> Value {
        var value: Value = 0
        for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
            value |= Value(truncatingIfNeeded: try byte()) << Value(shift)
        }
        return value
    }

    package mutating func int() throws(SnapshotError) -> Int { Int(try integer(Int64.self)) }

    package mutating func double() throws(SnapshotError) -> Double {
        Double(bitPattern: try integer(UInt64.self))
    }

    package mutating func float() throws(SnapshotError) -> Float {
        Float(bitPattern: try integer(UInt32.self))
    }

    package mutating func time() throws(SnapshotError) -> Timestamp {
        Timestamp(microseconds: try integer(Int64.self))
    }

    package mutating func coordinate() throws(SnapshotError) -> Coordinate {
        Coordinate(latitude: try double(), longitude: try double())
    }

    package mutating func text() throws(SnapshotError) -> String {
        String(decoding: try block(), as: UTF8.self)
    }

    package mutating func block() throws(SnapshotError) -> [UInt8] {
        let count = Int(try integer(UInt32.self))
        guard count <= bytes.count - offset else { throw broken("a length is too great") }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    package mutating func optional<Value>(
        _ body: (inout PackedReader) throws(SnapshotError) -> Value
    ) throws(SnapshotError) -> Value? {
        try flag() ? try body(&self) : nil
    }

    package mutating func list<Value>(
        _ body: (inout PackedReader) throws(SnapshotError) -> Value
    ) throws(SnapshotError) -> [Value] {
        let count = Int(try integer(UInt32.self))
        guard count <= bytes.count - offset else { throw broken("a length is too great") }
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try body(&self)) }
        return values
    }

    /// Reads a value that is one of an enumeration's.
    package mutating func raw<Value: RawRepresentable>(
        _ type: Value.Type
    ) throws(SnapshotError) -> Value where Value.RawValue == String {
        let text = try text()
        guard let value = Value(rawValue: text) else {
            throw broken("\(text) is no \(type)")
        }
        return value
    }

    /// Reads the first byte: a version up to the one that this release writes.
    package mutating func readVersion(
        upTo newest: UInt8, of part: String
    ) throws(SnapshotError) {
        version = try byte()
        guard (1...newest).contains(version) else {
            throw SnapshotError(
                message: "\(part) is of version \(version), and this release reads up to "
                    + "\(newest): install the one that wrote it")
        }
    }

    /// The error of bytes that cannot be what was written.
    package func broken(_ what: String) -> SnapshotError {
        SnapshotError(message: "broken snapshot: \(what) at byte \(offset)")
    }
}
