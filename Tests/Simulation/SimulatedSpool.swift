import Spool
import Worker

/// What a disk keeps of a spool, whatever becomes of the process.
final class SimulatedDisk {
    var batches: [SpoolBatch] = []
    /// Everything that was ever durable, for the replay that the run is compared with.
    var archive: [SpoolBatch] = []
    var end: Int64 = 0
    var start: Int64 = 0
    var marks: [Mark] = []
    var values: [String: [UInt8]] = [:]
    /// How many of the next writes fail.
    var failingWrites = 0
    /// Whether another program has filled the disk.
    var isFilled = false
    /// Bytes that the spool may have while nobody else has filled it.
    static let capacity: Int64 = 6000
}

/// The durable queue on a simulated disk.
final class SimulatedSpool: SpoolWriting, SpoolReading {
    let id = "simulated"
    private let disk: SimulatedDisk

    init(disk: SimulatedDisk) {
        self.disk = disk
    }

    var start: Int64 { disk.start }
    var end: Int64 { disk.end }
    var bytes: Int64 { disk.batches.reduce(0) { $0 + Int64($1.blob.count) } }
    var shortage: SpoolError? {
        // What the file has it keeps: trimming makes room again, also on a full disk.
        guard bytes >= (disk.isFilled ? 1 : SimulatedDisk.capacity) else { return nil }
        return Self.full
    }

    private static let full = SpoolError(
        reason: .diskFull, message: "simulated", isTransient: true)

    func append(
        _ blob: UnsafeRawBufferPointer, count: Int, at time: Int64, marks: [Mark], isUrgent: Bool
    ) throws(SpoolError) -> Int64 {
        guard disk.failingWrites == 0 else {
            disk.failingWrites -= 1
            throw SpoolError(reason: .io, message: "simulated", isTransient: true)
        }
        guard !disk.isFilled else { throw Self.full }
        let batch = SpoolBatch(first: disk.end, count: count, time: time, blob: Array(blob))
        disk.batches.append(batch)
        disk.archive.append(batch)
        disk.marks.append(contentsOf: marks)
        disk.end += Int64(count)
        return batch.first
    }

    func read(from position: Int64, maxBytes: Int) throws(SpoolError) -> [SpoolBatch] {
        guard position >= disk.start else {
            throw SpoolError(reason: .trimmed, message: "trimmed", isTransient: false)
        }
        var bytes = 0
        var found: [SpoolBatch] = []
        for batch in disk.batches where batch.end > position {
            found.append(batch)
            bytes += batch.blob.count
            if bytes >= maxBytes { break }
        }
        return found
    }

    func time(at position: Int64) throws(SpoolError) -> Int64? {
        disk.batches.first { $0.end > position }?.time
    }

    func trim(before position: Int64, keeping marginBytes: Int64) throws(SpoolError) {
        disk.batches.removeAll { $0.end <= position }
        disk.start = disk.batches.first?.first ?? disk.end
    }

    func marks() throws(SpoolError) -> [Mark] { disk.marks }

    func forgetMarks() throws(SpoolError) { disk.marks = [] }

    func value(_ key: String) throws(SpoolError) -> [UInt8]? { disk.values[key] }

    func setValue(_ key: String, _ value: [UInt8]?) throws(SpoolError) {
        guard !disk.isFilled else { throw Self.full }
        disk.values[key] = value
    }
}
