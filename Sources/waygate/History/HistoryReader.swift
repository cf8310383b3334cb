import Console
import Store
import Worker

/// Reads the past over a connection of its own, for one thread.
final class HistoryReader {
    /// What stands in each fix of a track.
    private static let columns =
        #"["time_ms","lat","lon","speed_mps","course_deg","accuracy_m","tracked"]"#

    private let settings: StoreSettings
    /// The most rows of an answer.
    private let rows: Int
    private let log: Logger
    private var connection: StoreConnection?

    /// Creates a reader that connects with the first question.
    init(_ settings: StoreSettings, rows: Int, log: Logger) {
        self.settings = settings
        self.rows = rows
        self.log = log
    }

    /// Gives the connection up until the next question.
    func close() {
        connection = nil
    }

    /// Answers a question; waits for the database.
    func answer(_ task: HistoryTask) -> HistoryAnswer {
        let isFresh = connection == nil
        do throws(StoreError) {
            return try read(task)
        } catch {
            if connection?.isAlive != true { connection = nil }
            // What broke while nobody asked is made anew, once.
            guard !isFresh, connection == nil, error.reason == .unreachable else {
                return failure(error)
            }
        }
        do throws(StoreError) {
            return try read(task)
        } catch {
            if connection?.isAlive != true { connection = nil }
            return failure(error)
        }
    }

    private func read(_ task: HistoryTask) throws(StoreError) -> HistoryAnswer {
        let store: StoreConnection
        if let connection {
            store = connection
        } else {
            store = try StoreConnection(settings)
            connection = store
        }
        var list = JSONList(limit: rows)
        switch task {
        case .track(let vehicleID, let from, let to):
            // One more than is told, so that it is known whether there are more.
            try store.track(of: vehicleID, from: from, to: to, atMost: rows + 1) { list.add($0) }
            return .json(list.object(#""columns":\#(Self.columns),"fixes""#))
        case .report(let query):
            try store.report(query, atMost: rows + 1) { list.add($0) }
            return .json(list.object(#""report":"\#(query.name.rawValue)","rows""#))
        }
    }

    private func failure(_ error: StoreError) -> HistoryAnswer {
        if error.tookTooLong {
            return .tooMuch(
                "the database took longer than \(Int(settings.statementTimeout)) s: ask for a shorter time"
            )
        }
        log.warning(
            "cannot read the past from the database", about: error.reason.rawValue,
            ["reason": error.reason.rawValue, "error": error.message])
        return .unavailable(
            error.isTransient
                ? "the database is away" : "the database refuses: see the worker's log")
    }
}

/// Values of JSON that become a list of an object, up to a limit.
private struct JSONList {
    let limit: Int
    private var text: [UInt8] = []
    private var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func add(_ value: String) {
        count += 1
        guard count <= limit else { return }
        if count > 1 { text.append(UInt8(ascii: ",")) }
        text.append(contentsOf: value.utf8)
    }

    /// The object: `members`, of which the last has the list as its value, and whether some are left out.
    func object(_ members: String) -> [UInt8] {
        Array("{\(members):[".utf8) + text + Array("],\"truncated\":\(count > limit)}\n".utf8)
    }
}
