import Glibc

/// The durable queue: what was appended is on the disk before `append` returns.
///
/// Entries have positions that count up for ever, across trimming and restarts. One process owns a
/// spool and one thread uses this object; other threads read through a `SpoolReader` each. Damage is
/// found when the spool is opened, and what can be read is taken over into a new file.
package final class Spool {
    /// The random identity, a UUID's text, made with the spool.
    package let id: String
    /// The position that the next entry gets.
    package private(set) var end: Int64
    /// The oldest position that can be read.
    package private(set) var start: Int64
    /// What had to be repaired when the spool was opened, or `nil`.
    package let recovery: RecoveryReport?

    private let lock: SpoolLock
    private let maxBytes: Int64
    private let file: SpoolFile
    private let query: BatchQuery
    private let pageCount: Statement
    private let freeCount: Statement
    private let deleteBatches: Statement
    private let updateStart: Statement
    private var room: DiskRoom
    private var reserved: Int64
    private var index: TrimIndex
    private var markRows: MarkRows
    private var knownUsage: Usage?
    /// Whether the file grows no more, because the disk was found full.
    private var isConfined = false

    /// What the file's pages are used for, in bytes.
    private struct Usage {
        var taken: Int64 = 0
        /// Left by what was trimmed, to be used again.
        var free: Int64 = 0
    }

    /// Opens the spool of a folder, and makes it where it is missing.
    ///
    /// - Parameters:
    ///   - maxBytes: The bound of `bytes`.
    ///   - lock: The folder's lock where the caller has it already; taken here otherwise.
    /// - Throws: `locked` when another process owns the folder.
    package init(folder: String, maxBytes: Int64, lock: SpoolLock? = nil) throws(SpoolError) {
        let owned = if let lock { lock } else { try SpoolLock.tryLock(folder: folder) }
        guard let owned else {
            throw SpoolError(.locked, "\(folder): another process owns this spool")
        }
        self.lock = owned
        self.maxBytes = maxBytes
        let grain = min(max(maxBytes / 64, 1 << 14), 1 << 18)
        var room = DiskRoom(folder: folder, maxBytes: maxBytes)
        let (file, contents, recovery) = try Self.open(folder, grain: grain, &room)
        try file.database.setLogSize(room.logSize)
        room.takeBallast()
        self.room = room
        self.file = file
        self.recovery = recovery
        id = contents.id
        start = contents.start
        end = contents.end
        reserved = contents.reserved
        index = contents.index
        markRows = contents.marks
        query = try BatchQuery(file.database)
        pageCount = try file.database.prepare("PRAGMA page_count")
        freeCount = try file.database.prepare("PRAGMA freelist_count")
        deleteBatches = try file.database.prepare("DELETE FROM batches WHERE first < ?")
        updateStart = try file.database.prepare("UPDATE spool SET start = ?")
    }

    /// Opens the file; on a full disk with the room that the ballast held.
    private static func open(
        _ folder: String, grain: Int64, _ room: inout DiskRoom
    ) throws(SpoolError) -> (SpoolFile, SpoolFile.Contents, RecoveryReport?) {
        do {
            return try SpoolFile.openOrRecover(folder: folder, grain: grain)
        } catch  where error.reason == .diskFull {
            room.giveUpBallast()
            return try SpoolFile.openOrRecover(folder: folder, grain: grain)
        }
    }

    /// How many bytes the batches occupy on the disk, those kept as a margin included.
    package var bytes: Int64 { usage.taken }

    private var usage: Usage {
        if let knownUsage { return knownUsage }
        defer {
            pageCount.reset()
            freeCount.reset()
        }
        guard let isCounted = try? pageCount.step() && freeCount.step(), isCounted else {
            return Usage()
        }
        let free = freeCount.integer(0) * SpoolFile.pageSize
        let usage = Usage(taken: pageCount.integer(0) * SpoolFile.pageSize - free, free: free)
        knownUsage = usage
        return usage
    }

    /// Why nothing should be taken in before something is trimmed or the disk has room again, `atBound` or
    /// `diskFull`; `nil` while there is room.
    package var shortage: SpoolError? {
        guard bytes < maxBytes else {
            return SpoolError(
                .atBound, "the spool holds \(bytes) bytes, its bound is \(maxBytes)")
        }
        return lack
    }

    /// Why the disk cannot take another batch; `nil` when it can.
    private var lack: SpoolError? {
        let left = usage.free + (isConfined ? 0 : max(room.spare, 0))
        guard left < DiskRoom.append else { return nil }
        return SpoolError(
            .diskFull, "\(file.database.path): the disk is full, \(room.free) bytes are left on it")
    }

    /// Appends entries as one batch; returns the position of the first, once all are on the disk.
    ///
    /// - Parameters:
    ///   - blob: The entries as `read` is to return them.
    ///   - count: How many entries they are, at least one.
    ///   - time: The time of reception, in microseconds since 1970.
    ///   - marks: What to recognise the batch's QoS 1 messages by; the last 65,535 are kept.
    ///   - isUrgent: Appends beyond the bound, and into what is kept free, too: for what was read while there
    ///     was room, and for the worker's own small inputs.
    /// - Throws: `atBound`, `diskFull` and `io` having appended nothing.
    @discardableResult
    package func append(
        _ blob: UnsafeRawBufferPointer, count: Int, at time: Int64, marks: [Mark],
        isUrgent: Bool = false
    ) throws(SpoolError) -> Int64 {
        if !isUrgent, let shortage { throw shortage }
        let first = end
        let next = first + Int64(count)
        let reservation = next > reserved ? next + SpoolFile.reserve : reserved
        let obsolete = marks.isEmpty ? nil : markRows.obsolete(adding: marks.count)
        knownUsage = nil
        let write = { [file, reserved] () throws(SpoolError) in
            try file.database.transaction { () throws(SpoolError) in
                if reservation != reserved { try file.setReserved(reservation) }
                try file.insert(first: first, count: count, time: time, blob: blob)
                guard !marks.isEmpty else { return }
                try file.insert(marks, first: first, obsolete: obsolete)
            }
        }
        do {
            try write()
        } catch  where error.reason == .diskFull {
            confine()
            try write()
        }
        end = next
        reserved = reservation
        index.append(first: first, end: next, bytes: Int64(blob.count))
        if !marks.isEmpty { markRows.append(first: first, count: marks.count) }
        if let obsolete { markRows.deleted(upTo: obsolete) }
        return first
    }

    /// Returns batches from the one that holds `position` on, at least one if there is any.
    ///
    /// The first may begin before `position`. Positions that were lost to damage are left out.
    /// - Parameter maxBytes: Stops after the batch with which this many bytes are reached.
    /// - Throws: `trimmed` when `position` is before `start`.
    package func read(from position: Int64, maxBytes: Int) throws(SpoolError) -> [SpoolBatch] {
        try query.read(from: position, maxBytes: maxBytes)
    }

    /// Returns when the batch was appended that holds `position` or comes next; `nil` at the end.
    package func time(at position: Int64) throws(SpoolError) -> Int64? {
        try query.time(at: position)
    }

    /// Deletes batches that lie wholly before `position`, and lets their space be used again; also notices
    /// that a full disk has room again.
    ///
    /// Deletes about two megabytes a call, so that it never takes long; call it again and again.
    /// - Parameter marginBytes: How much before `position` to keep as well, while the disk has room for it.
    package func trim(before position: Int64, keeping marginBytes: Int64) throws(SpoolError) {
        try relax()
        let margin = lack == nil ? marginBytes : 0
        let cut = index.cut(before: position, keeping: margin, most: 8)
        guard let cut, cut > start else { return }
        do {
            try delete(before: cut)
        } catch  where error.reason == .diskFull {
            confine()
            try delete(before: cut)
        }
        start = cut
        index.trimmed(before: cut)
        knownUsage = nil
    }

    /// Has the file grow no more, since the disk is full: space comes from trimming now.
    ///
    /// Moving the log into the file may make that grow one last time, for which the ballast is.
    private func confine() {
        if !isConfined { room.giveUpBallast() }
        try? file.database.checkpoint()
        // SQLite takes no less than what there is.
        isConfined = (try? file.database.execute("PRAGMA max_page_count = 1")) != nil
        room.takeBallast()
    }

    /// Lets the file grow again once the disk has room.
    private func relax() throws(SpoolError) {
        guard room.spare >= DiskRoom.append else { return }
        room.takeBallast()
        guard isConfined else { return }
        try file.database.execute("PRAGMA max_page_count = 4294967294")
        isConfined = false
    }

    private func delete(before cut: Int64) throws(SpoolError) {
        // The next append syncs what this writes; until then a crash may undo it, which is no harm.
        try file.database.execute("PRAGMA synchronous = NORMAL")
        let result = Result { () throws(SpoolError) in
            try file.database.transaction { () throws(SpoolError) in
                deleteBatches.bind(1, cut)
                try deleteBatches.run()
                updateStart.bind(1, cut)
                try updateStart.run()
            }
        }
        try file.database.execute("PRAGMA synchronous = FULL")
        try result.get()
    }
}

extension Spool {
    /// Returns the marks of the last 65,535 QoS 1 messages, the oldest first.
    package func marks() throws(SpoolError) -> [Mark] {
        let select = try file.database.prepare("SELECT marks FROM marks ORDER BY first")
        var marks: [Mark] = []
        while try select.step() { marks += MarkRows.decode(select.bytes(0)) }
        return marks.suffix(MarkRows.most)
    }

    /// Forgets all marks: the session in which their packet ids meant something is gone.
    package func forgetMarks() throws(SpoolError) {
        try file.database.execute("DELETE FROM marks")
        markRows = MarkRows()
    }

    /// Keeps a small value under a name, or forgets it.
    package func setValue(_ key: String, _ value: [UInt8]?) throws(SpoolError) {
        guard let value else {
            let delete = try file.database.prepare("DELETE FROM details WHERE key = ?")
            delete.bind(1, key)
            return try delete.run()
        }
        let insert = try file.database.prepare("INSERT OR REPLACE INTO details VALUES (?, ?)")
        insert.bind(1, key)
        let result = value.withUnsafeBytes { bytes in
            insert.bind(2, bytes)
            return Result { () throws(SpoolError) in try insert.run() }
        }
        try result.get()
    }

    /// Returns the value kept under a name, or `nil`.
    package func value(_ key: String) throws(SpoolError) -> [UInt8]? {
        let select = try file.database.prepare("SELECT value FROM details WHERE key = ?")
        select.bind(1, key)
        return try select.step() ? Array(select.bytes(0)) : nil
    }
}
