import Foundation
import Spool

/// A folder of its own, removed with the last reference.
final class Folder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "waygate-spool-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func open(maxBytes: Int64 = 1 << 30) throws -> Spool {
        try Spool(folder: path + "/spool", maxBytes: maxBytes)
    }

    var file: String { path + "/spool/spool.db" }
}

/// Returns the bytes that stand for a batch in these tests, different for each position.
func content(_ position: Int64, bytes: Int = 100) -> [UInt8] {
    var state = UInt64(bitPattern: position) &* 0x9E37_79B9_7F4A_7C15 | 1
    return [UInt8](unsafeUninitializedCapacity: bytes + 8) { buffer, count in
        var place = 0
        while place < bytes {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            UnsafeMutableRawBufferPointer(buffer)
                .storeBytes(of: state, toByteOffset: place, as: UInt64.self)
            place += 8
        }
        count = bytes
    }
}

extension Spool {
    /// Appends `batches` of `count` entries each, whose bytes follow from their positions.
    func fill(_ batches: Int, count: Int = 1, bytes: Int = 100, marks: Bool = false) throws {
        for _ in 0..<batches {
            let first = end
            let marked = (0..<count).map { index in
                let number = first + Int64(index)
                return Mark(
                    packetID: UInt16(number % 65535 + 1), digest: UInt64(bitPattern: number))
            }
            try content(first, bytes: bytes).withUnsafeBytes {
                _ = try append($0, count: count, at: first * 1000, marks: marks ? marked : [])
            }
        }
    }

    /// Returns all batches from a position on.
    func all(from position: Int64) throws -> [SpoolBatch] {
        var batches: [SpoolBatch] = []
        var next = position
        while case let more = try read(from: next, maxBytes: 1 << 16), let last = more.last {
            batches += more
            next = last.end
        }
        return batches
    }
}

/// Tells whether each batch is what was appended at its position.
func isIntact(_ batches: [SpoolBatch], bytes: Int = 100) -> Bool {
    batches.allSatisfy {
        $0.blob == content($0.first, bytes: bytes) && $0.time == $0.first * 1000
    }
}
