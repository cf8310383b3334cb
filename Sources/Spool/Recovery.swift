import Glibc

/// What was wrong with a spool when it was opened, and what has become of it.
package struct RecoveryReport: Equatable, Sendable {
    /// SQLite's words about the damage, or the spool's own.
    package var cause: String
    /// The damaged file, kept for a person to look at; delete it when done.
    package var setAside: String
    /// How many batches and entries could be read.
    package var batches: Int
    package var entries: Int64
    /// Positions known to be lost; beyond the last batch that could be read, more may be.
    package var lost: [Range<Int64>]
    /// Tells that marks were lost: what a broker delivers again may not be recognised.
    package var lostMarks: Bool
    /// Tells that not even the identity could be read, so that this is a new spool.
    package var isNewSpool: Bool
}

/// Sets a damaged file aside and takes over what can be read of it.
///
/// The new file is complete before the damaged one is touched, and each step can be repeated: a
/// crash in between loses nothing more.
struct Recovery {
    let folder: String

    private var current: String { SpoolFile.path(in: folder) }
    private var growing: String { folder + "/recovering.db" }
    private var complete: String { folder + "/recovered.db" }
    private var identityPath: String { folder + "/identity" }

    /// The identity as written beside the file; `nil` for a new spool.
    var identity: String? {
        guard let file = fopen(identityPath, "re") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = fread(&buffer, 1, buffer.count, file)
        let text = String(decoding: buffer[..<count].prefix { $0 > 32 }, as: UTF8.self)
        return text.utf8.count == 36 ? text : nil
    }

    /// Writes the identity beside the file, to be found when that is unreadable.
    func remember(identity: String) throws(SpoolError) {
        guard identity != self.identity else { return }
        guard let file = fopen(identityPath, "we") else { throw systemError(identityPath) }
        defer { fclose(file) }
        guard fputs(identity + "\n", file) >= 0, fflush(file) == 0, fsync(fileno(file)) == 0
        else { throw systemError(identityPath) }
    }

    /// Puts a complete new file in the damaged one's place, if there is one.
    @discardableResult
    func install() throws(SpoolError) -> String? {
        guard access(complete, F_OK) == 0 else { return nil }
        let aside = folder + "/damaged-\(timestamp()).db"
        for suffix in ["", "-wal"] where access(current + suffix, F_OK) == 0 {
            guard link(current + suffix, aside + suffix) == 0 || errno == EEXIST
            else { throw systemError(aside + suffix) }
        }
        // With the old log beside it, SQLite would write old pages into the new file.
        for suffix in ["-wal", "-shm"] { unlink(current + suffix) }
        guard rename(complete, current) == 0 else { throw systemError(current) }
        return aside
    }

    /// Makes a new file from what can be read, and puts it in the damaged one's place.
    func run(cause: SpoolError) throws(SpoolError) -> RecoveryReport {
        for suffix in ["", "-wal", "-shm"] { unlink(growing + suffix) }
        var report = try build(cause: cause)
        guard rename(growing, complete) == 0 else { throw systemError(complete) }
        report.setAside = try install() ?? ""
        return report
    }

    private func build(cause: SpoolError) throws(SpoolError) -> RecoveryReport {
        var report = RecoveryReport(
            cause: cause.message, setAside: "", batches: 0, entries: 0, lost: [], lostMarks: false,
            isNewSpool: false)
        let damaged = try? Database(path: current)
        let pages = PageFile(path: current)
        let state = pages.state(identity: identity)
        let id = state?.id ?? identity ?? SpoolFile.makeIdentity()
        let file = try SpoolFile(path: growing, newID: id, isExpected: false)
        try fill(file, from: pages, start: state?.start, &report)
        report.lostMarks = !copy(from: damaged, into: file.database, "marks", columns: 2)
        _ = copy(from: damaged, into: file.database, "details", columns: 2)
        try settle(file, state, &report)
        // One file without a log can be put in place in one step.
        try file.database.execute("PRAGMA journal_mode = DELETE")
        return report
    }

    private func fill(
        _ file: SpoolFile, from pages: PageFile, start: Int64?, _ report: inout RecoveryReport
    ) throws(SpoolError) {
        try file.database.transaction { () throws(SpoolError) in
            for number in pages.numbers {
                for batch in pages.batches(on: number) where batch.first >= start ?? 0 {
                    let result = batch.blob.withUnsafeBytes { blob in
                        Result { () throws(SpoolError) in
                            try file.insert(
                                first: batch.first, count: batch.count, time: batch.time,
                                blob: blob, ifAbsent: true)
                        }
                    }
                    try result.get()
                }
            }
        }
        let rows = try file.database.prepare("SELECT first, count FROM batches ORDER BY first")
        var next = start
        var stale: [Int64] = []
        while try rows.step() {
            let (first, count) = (rows.integer(0), rows.integer(1))
            if let next, first < next {
                stale.append(first)
                continue
            }
            if let next, first > next { report.lost.append(next..<first) }
            next = first + count
            report.batches += 1
            report.entries += count
        }
        rows.reset()
        for first in stale {
            try file.database.execute("DELETE FROM batches WHERE first = \(first)")
        }
    }

    /// Decides on the new file's positions: none that may have been given out is given out again.
    private func settle(
        _ file: SpoolFile, _ state: PageFile.State?, _ report: inout RecoveryReport
    ) throws(SpoolError) {
        let last = try file.database.number("SELECT coalesce(max(first + count), -1) FROM batches")
        let first = try file.database.number("SELECT coalesce(min(first), 0) FROM batches")
        if let state, state.reserved >= last {
            try file.database.execute(
                "UPDATE spool SET start = \(state.start), reserved = \(state.reserved)")
            try file.skip(to: state.reserved)
        } else if last >= 0 {
            try file.database.execute("UPDATE spool SET start = \(first)")
            // More entries than any spool can hold may have followed.
            try file.skip(to: last + 1_000_000_000)
        } else {
            report.isNewSpool = true
            try file.database.execute("UPDATE spool SET id = '\(SpoolFile.makeIdentity())'")
        }
    }

    /// Copies a small table as far as it can be read; returns whether that was all of it.
    private func copy(
        from source: Database?, into target: Database, _ table: String, columns: Int
    ) -> Bool {
        guard let rows = try? source?.prepare("SELECT * FROM \(table)") else { return false }
        let places = [String](repeating: "?", count: columns).joined(separator: ", ")
        do {
            let insert = try target.prepare("INSERT INTO \(table) VALUES (\(places))")
            try target.execute("BEGIN")
            defer { try? target.execute("COMMIT") }
            while try rows.step() {
                for column in 0..<Int32(columns) { insert.bind(column + 1, rows, column) }
                try insert.run()
            }
            return true
        } catch {
            return false
        }
    }

    private func systemError(_ path: String) -> SpoolError {
        let code = errno
        let reason: SpoolError.Reason = code == ENOSPC || code == EDQUOT ? .diskFull : .io
        return SpoolError(reason, "\(path): \(String(cString: strerror(code)))")
    }

    private func timestamp() -> String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [UInt8](repeating: 0, count: 32)
        let count = text.withUnsafeMutableBytes { buffer in
            strftime(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count,
                "%Y%m%dT%H%M%SZ", &parts)
        }
        return String(decoding: text[..<count], as: UTF8.self)
    }
}
