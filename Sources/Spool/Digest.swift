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
        while place + 16 <= bytes.count {
            let low = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
            let high = bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self).littleEndian
            state = mix(low ^ first, high ^ state)
            place += 16
        }
        var low: UInt64 = 0
        var high: UInt64 = 0
        for offset in place..<bytes.count {
            let byte = UInt64(bytes[offset])
            if offset - place < 8 {
                low |= byte << UInt64((offset - place) * 8)
            } else {
                high |= byte << UInt64((offset - place - 8) * 8)
            }
        }
        return mix(low ^ second, high ^ state)
    }

    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
