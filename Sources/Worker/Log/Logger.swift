import FoundationEssentials
import Glibc
import Synchronization

/// Writes lines about the worker's life to standard error.
///
/// A line is a fixed message plus `key=value` fields. A warning or error that comes again within a
/// minute is counted, and told as one line. A message below the level costs a comparison: its
/// fields are not computed.
package struct Logger: Sendable {
    /// How much a line matters.
    package enum Level: String, CaseIterable, Sendable {
        /// The life of one message.
        case debug
        /// The life of the process.
        case info
        /// What heals by itself.
        case warning
        /// What needs a person.
        case error
    }

    /// How a line looks.
    package enum Format: String, CaseIterable, Sendable {
        /// A line for people.
        case text
        /// One JSON object a line.
        case json
    }

    /// What follows the message; numbers and booleans stay what they are in JSON.
    package typealias Fields = KeyValuePairs<String, any CustomStringConvertible>

    /// The least important level that is written.
    package var level: Level {
        get { threshold.level }
        nonmutating set { threshold.level = newValue }
    }

    private let threshold: Threshold
    private let style: LogLine.Style
    private let flood = FloodControl()
    private let now: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    /// Creates a logger that writes to standard error.
    ///
    /// Where standard error is the journal's, lines open with its priority and leave out the time,
    /// which the journal notes itself.
    package init(level: Level = .info, format: Format = .text) {
        self.init(
            level: level, format: format, journal: Self.standardErrorIsJournal(), now: { Date() },
            write: Self.writeToStandardError)
    }

    /// Creates a logger with its own clock and output, for tests.
    init(
        level: Level, format: Format, journal: Bool, now: @escaping @Sendable () -> Date,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.threshold = Threshold(level)
        self.style = LogLine.Style(format: format, journal: journal)
        self.now = now
        self.write = write
    }

    /// Tells about the life of one message.
    package func debug(_ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
        log(.debug, message, fields)
    }

    /// Tells about the life of the process.
    package func info(_ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
        log(.info, message, fields)
    }

    /// Tells what heals by itself; the same message again within a minute is only counted.
    ///
    /// - Parameter subject: What the message is about, where each subject counts for itself.
    package func warning(
        _ message: StaticString, about subject: String = "",
        _ fields: @autoclosure () -> Fields = [:]
    ) {
        log(.warning, message, about: subject, fields)
    }

    /// Tells what needs a person; the same message again within a minute is only counted.
    package func error(_ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
        log(.error, message, fields)
    }

    /// Writes the counts of messages that came again and were not told yet, as at the end of the
    /// process.
    package func flush() {
        report(flood.takeAll(), at: now())
    }

    private func log(
        _ level: Level, _ message: StaticString, about subject: String = "",
        _ fields: () -> Fields
    ) {
        guard level.rank >= threshold.rank else { return }
        let time = now()
        let message = "\(message)"
        report(flood.takeExpired(at: time), at: time)
        guard !level.isFlooding || flood.admits(level, message, subject, at: time) else { return }
        write(LogLine(level: level, message: message, fields: fields()).text(style, at: time))
    }

    private func report(_ repeats: [FloodControl.Repeats], at time: Date) {
        for repeats in repeats {
            let fields: Fields =
                repeats.subject.isEmpty
                ? ["repeated": repeats.count]
                : ["repeated": repeats.count, "about": repeats.subject]
            let line = LogLine(level: repeats.level, message: repeats.message, fields: fields)
            write(line.text(style, at: time))
        }
    }

    private static func writeToStandardError(_ line: String) {
        var line = line + "\n"
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            // A full pipe or an interrupted call leaves a rest; a closed standard error is nobody's
            // concern.
            while let base = rest.baseAddress, !rest.isEmpty {
                let written = Glibc.write(STDERR_FILENO, base, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
        }
    }

    /// Tells whether systemd has connected standard error to the journal: `JOURNAL_STREAM` then
    /// names its device and inode.
    private static func standardErrorIsJournal() -> Bool {
        guard let stream = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }
}

/// The level that all copies of a logger share, since it may change while they are in use.
private final class Threshold: Sendable {
    private let number: Atomic<Int>

    init(_ level: Logger.Level) {
        number = Atomic(level.rank)
    }

    var rank: Int { number.load(ordering: .relaxed) }

    var level: Logger.Level {
        get { Logger.Level.allCases[rank] }
        set { number.store(newValue.rank, ordering: .relaxed) }
    }
}

extension Logger.Level {
    /// The order of importance, from 0.
    var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    /// The journal's priority.
    var priority: Int {
        switch self {
        case .debug: 7
        case .info: 6
        case .warning: 4
        case .error: 3
        }
    }

    /// Whether the same message can come again and again, as what stays broken does.
    fileprivate var isFlooding: Bool {
        switch self {
        case .debug, .info: false
        case .warning, .error: true
        }
    }
}

/// Counts messages that come again within a minute of being told.
private final class FloodControl: Sendable {
    /// A message that came again.
    struct Repeats {
        var level: Logger.Level
        var message: String
        var subject: String
        var count: Int
    }

    private struct Told {
        var level: Logger.Level
        var since: Date
        var repeats = 0
    }

    /// What is counted together.
    private struct Key: Hashable {
        var message: String
        var subject: String
    }

    private static let pause = 60.0
    /// More subjects than these within a minute count together.
    private static let mostSubjects = 10_000

    private let told = Mutex<[Key: Told]>([:])

    /// Returns whether a message is to be told now, and counts it where not.
    func admits(
        _ level: Logger.Level, _ message: String, _ subject: String, at time: Date
    ) -> Bool {
        told.withLock { told in
            let isCrowded = told.count >= Self.mostSubjects
            let key = Key(message: message, subject: isCrowded ? "" : subject)
            guard told[key] == nil else {
                told[key]?.repeats += 1
                return false
            }
            told[key] = Told(level: level, since: time)
            return true
        }
    }

    /// Forgets the messages told more than a minute ago, and returns those that came again since.
    func takeExpired(at time: Date) -> [Repeats] {
        take { abs(time.timeIntervalSince($0.since)) >= Self.pause }
    }

    /// Forgets all messages, and returns those that came again.
    func takeAll() -> [Repeats] {
        take { _ in true }
    }

    private func take(where isOver: (Told) -> Bool) -> [Repeats] {
        told.withLock { told in
            guard !told.isEmpty else { return [] }
            let over = told.filter { isOver($0.value) }
            for key in over.keys { told[key] = nil }
            return over.filter { $0.value.repeats > 0 }
                .sorted { ($0.key.message, $0.key.subject) < ($1.key.message, $1.key.subject) }
                .map { key, told in
                    Repeats(
                        level: told.level, message: key.message, subject: key.subject,
                        count: told.repeats)
                }
        }
    }
}
