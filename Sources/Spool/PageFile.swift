import Glibc

/// The pages of a damaged SQLite file, read without SQLite.
///
/// SQLite finds rows through trees of pages; one bad page hides all that hang on it. Rows can be
/// recognised on their own pages instead, since each batch carries a checksum. The file format is
/// described at sqlite.org/fileformat2.html.
final class PageFile {
    /// The spool's one row about itself.
    struct State {
        var id: String
        var start: Int64
        var reserved: Int64
    }

    private let file: Int32
    private let log: Int32
    private let size = Int(SpoolFile.pageSize)
    private var newest: [Int: off_t] = [:]
    private let count: Int

    /// The numbers of all pages, from 1.
    var numbers: ClosedRange<Int> { 1...max(1, count, newest.keys.max() ?? 1) }

    /// Opens the file, and the log beside it for as far as that was committed.
    init(path: String) {
        file = open(path, O_RDONLY | O_CLOEXEC)
        log = open(path + "-wal", O_RDONLY | O_CLOEXEC)
        count = file >= 0 ? Int(lseek(file, 0, Int32(SEEK_END))) / size : 0
        readLog()
    }

    deinit {
        if file >= 0 { close(file) }
        if log >= 0 { close(log) }
    }

    /// Returns the batches on one page whose checksums are right.
    func batches(on number: Int) -> [SpoolBatch] {
        records(on: number).compactMap { rowID, record in
            guard record.columns.count == 5, record.columns[0].type == 0,
                let count = record.integer(1), let time = record.integer(2),
                let checksum = record.integer(3), let blob = record.blob(4),
                count > 0, let small = Int(exactly: count), rowID >= 0
            else { return nil }
            let actual = blob.withUnsafeBytes { Digest.of((rowID, count, time), $0) }
            guard actual == UInt64(bitPattern: checksum) else { return nil }
            return SpoolBatch(first: rowID, count: small, time: time, blob: blob)
        }
    }

    /// Returns the newest of the spool's rows about itself that can be found.
    func state(identity: String?) -> State? {
        var found: State?
        for number in numbers {
            for (rowID, record) in records(on: number) {
                guard rowID == 1, record.columns.count == 5, let id = record.text(1),
                    id.utf8.count == 36, identity == nil || identity == id,
                    let start = record.integer(2), let reserved = record.integer(3),
                    reserved >= found?.reserved ?? 0, start >= found?.start ?? 0
                else { continue }
                found = State(id: id, start: start, reserved: reserved)
            }
        }
        return found
    }

    private func records(on number: Int) -> [(Int64, Record)] {
        guard let page = page(number) else { return [] }
        let header = number == 1 ? 100 : 0
        // 13 is a leaf of a table.
        guard page[header] == 13 else { return [] }
        let cells = page.big16(header + 3)
        return (0..<cells).compactMap { index in
            let pointer = header + 8 + 2 * index
            guard pointer + 2 <= size else { return nil }
            return record(at: page.big16(pointer), of: page)
        }
    }

    private func record(at place: Int, of page: [UInt8]) -> (Int64, Record)? {
        var place = place
        guard let length = page.varint(&place), let rowID = page.varint(&place),
            length > 0, length < 1 << 31
        else { return nil }
        let total = Int(length)
        // How much of a long row stays on the page is fixed by the file format.
        let most = size - 35
        let least = (size - 12) * 32 / 255 - 23
        let part = least + (total - least) % (size - 4)
        let local = total <= most ? total : part <= most ? part : least
        guard place + local + (local < total ? 4 : 0) <= size else { return nil }
        var payload = Array(page[place..<place + local])
        var next = local < total ? page.big32(place + local) : 0
        while payload.count < total {
            guard next > 0, let page = self.page(next) else { return nil }
            payload += page[4..<min(size, 4 + total - payload.count)]
            next = page.big32(0)
        }
        return Record(payload).map { (rowID, $0) }
    }

    private func page(_ number: Int) -> [UInt8]? {
        var page = [UInt8](repeating: 0, count: size)
        if let place = newest[number] {
            return pread(log, &page, size, place) == size ? page : nil
        }
        return pread(file, &page, size, off_t((number - 1) * size)) == size ? page : nil
    }

    private func readLog() {
        var header = [UInt8](repeating: 0, count: 32)
        guard log >= 0, pread(log, &header, 32, 0) == 32 else { return }
        var frame = [UInt8](repeating: 0, count: 24)
        var pending: [Int: off_t] = [:]
        var place: off_t = 32
        // Frames of an earlier round of the log have another salt.
        while pread(log, &frame, 24, place) == 24, frame[8..<16] == header[16..<24] {
            pending[frame.big32(0)] = place + 24
            if frame.big32(4) != 0 {
                newest.merge(pending) { $1 }
                pending = [:]
            }
            place += 24 + off_t(size)
        }
    }
}

/// One row as SQLite stores it: the columns' types, then their values.
struct Record {
    struct Column {
        var type: Int64
        var place: Int
        var length: Int
    }

    private let payload: [UInt8]
    let columns: [Column]

    /// Reads the types of a row; `nil` when they do not fit the bytes.
    init?(_ payload: [UInt8]) {
        var place = 0
        guard let header = payload.varint(&place), header <= payload.count else { return nil }
        var columns: [Column] = []
        var value = Int(header)
        while place < Int(header) {
            guard let type = payload.varint(&place), let length = Self.length(of: type),
                value + length <= payload.count
            else { return nil }
            columns.append(Column(type: type, place: value, length: length))
            value += length
        }
        self.payload = payload
        self.columns = columns
    }

    func integer(_ index: Int) -> Int64? {
        let column = columns[index]
        switch column.type {
        case 8: return 0
        case 9: return 1
        case 1...6:
            let first = Int64(Int8(bitPattern: payload[column.place]))
            return payload[column.place + 1..<column.place + column.length].reduce(first) {
                $0 << 8 | Int64($1)
            }
        default: return nil
        }
    }

    func blob(_ index: Int) -> [UInt8]? {
        let column = columns[index]
        guard column.type >= 12, column.type % 2 == 0 else { return nil }
        return Array(payload[column.place..<column.place + column.length])
    }

    func text(_ index: Int) -> String? {
        let column = columns[index]
        guard column.type >= 13, column.type % 2 == 1 else { return nil }
        let bytes = payload[column.place..<column.place + column.length]
        return String(validating: bytes, as: UTF8.self)
    }

    private static func length(of type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 12...(1 << 32): Int((type - 12) / 2)
        default: nil
        }
    }
}

extension [UInt8] {
    fileprivate func big16(_ place: Int) -> Int {
        Int(self[place]) << 8 | Int(self[place + 1])
    }

    fileprivate func big32(_ place: Int) -> Int {
        big16(place) << 16 | big16(place + 2)
    }

    /// Reads SQLite's variable-length integer; `nil` beyond the end.
    fileprivate func varint(_ place: inout Int) -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard place < count else { return nil }
            let byte = self[place]
            place += 1
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return Int64(bitPattern: value) }
        }
        return nil
    }
}
