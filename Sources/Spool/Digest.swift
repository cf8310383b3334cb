/// A fast 64-bit fingerprint, the same on every machine and in every run.
///
/// It tells messages apart that chance made similar, not those that an attacker made alike: a match
/// also needs the same packet id in the same session.
package enum Digest {
    private static let first: UInt64 = 0xa076_1d64_78bd_642f
    private static let second: UInt64 = 0xe703_7ed1_a0b4_28db

    /// Returns the fingerprint of two byte strings, each with its length.
    package static func of(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> UInt64 {
        let seed = mix(UInt64(a.count) ^ first, UInt64(b.count) ^ second)
        return mix(absorb(b, into: absorb(a, into: seed)) ^ first, second)
    }

    /// Returns the fingerprint of three numbers and a byte string.
    static func of(_ numbers: (Int64, Int64, Int64), _ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state = mix(UInt64(bytes.count) ^ first, second)
        state = mix(state ^ UInt64(bitPattern: numbers.0), first)
        state = mix(state ^ UInt64(bitPattern: numbers.1), second)
        state = mix(state ^ UInt64(bitPattern: numbers.2), first)
        return mix(absorb(bytes, into: state) ^ first, second)
    }

    private static func absorb(_ bytes: UnsafeRawBufferPointer, into seed: UInt64) -> UInt64 {
        var state = seed
        var place = 0
        while bytes.count - place > 16 {
            state = mix(word(bytes, place) ^ first, word(bytes, place + 8) ^ state)
            place += 16
        }
        // Up to sixteen bytes are left; the two loads may overlap.
        let left = bytes.count - place
        var low: UInt64 = 0
        var high: UInt64 = 0
        if left >= 8 {
            low = word(bytes, place)
            high = word(bytes, bytes.count - 8)
        } else if left >= 4 {
            low = halfWord(bytes, place)
            high = halfWord(bytes, bytes.count - 4)
        } else if left > 0 {
            low = UInt64(bytes[place]) << 8 | UInt64(bytes[place + left / 2])
            high = UInt64(bytes[bytes.count - 1])
        }
        return mix(low ^ second, high ^ state)
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
    }

    private static func halfWord(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
        UInt64(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian)
    }

    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
