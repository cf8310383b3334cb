import FoundationEssentials
import Synchronization
import Testing

@testable import Worker

/// A clock and an output in memory.
private final class Recorder: Sendable {
    private let state = Mutex((seconds: 1_772_366_400.0, lines: [String]()))

    var lines: [String] { state.withLock { $0.lines } }

    func advance(by seconds: Double) {
        state.withLock { $0.seconds += seconds }
    }

    func logger(
        level: Logger.Level = .info, format: Logger.Format = .text, journal: Bool = false
    ) -> Logger {
        Logger(
            level: level, format: format, journal: journal,
            now: { Date(timeIntervalSince1970: self.state.withLock { $0.seconds }) },
            write: { line in self.state.withLock { $0.lines.append(line) } })
    }
}

struct LoggerTests {
    private let recorder = Recorder()

    @Test func writesTextWithFields() {
        let logger = recorder.logger()
        logger.info("connected", ["broker": "h:1883", "attempt": 2, "note": "a b", "empty": ""])
        #expect(
            recorder.lines == [
                #"2026-03-01T12:00:00.000Z info connected broker=h:1883 attempt=2 note="a b" empty="""#
            ])
    }

    @Test func keepsStrangersTextsInOneLine() {
        recorder.logger().info("rejected", ["topic": "a\n2026 error fake=\"1\" \u{1B}[2J\u{2028}"])
        #expect(
            recorder.lines == [
                #"2026-03-01T12:00:00.000Z info rejected topic="a\n2026 error fake=\"1\" \u001b[2J\u2028""#
            ])
    }

    @Test func writesJSON() {
        recorder.logger(format: .json).error(
            "store \"away\"", ["lag_s": 1.5, "on": true, "n": 3, "x": "y"])
        #expect(
            recorder.lines == [
                #"{"time":"2026-03-01T12:00:00.000Z","level":"error","message":"store \"away\"","#
                    + #""lag_s":1.5,"on":true,"n":3,"x":"y"}"#
            ])
    }

    @Test func givesTheJournalPrioritiesAndNoTime() {
        let logger = recorder.logger(level: .debug, journal: true)
        logger.debug("a")
        logger.info("b")
        logger.warning("c")
        logger.error("d")
        #expect(recorder.lines == ["<7>debug a", "<6>info b", "<4>warning c", "<3>error d"])
    }

    @Test func computesNoFieldsBelowTheLevel() {
        let computed = Mutex(0)
        func field() -> Int {
            computed.withLock {
                $0 += 1
                return $0
            }
        }
        let logger = recorder.logger(level: .warning)
        logger.debug("a", ["n": field()])
        logger.info("a", ["n": field()])
        #expect(computed.withLock { $0 } == 0)
        logger.warning("a", ["n": field()])
        #expect(recorder.lines.count == 1)
    }

    @Test func countsTheSameWarningWithinAMinute() {
        let logger = recorder.logger(journal: true)
        logger.warning("message rejected", ["topic": "a"])
        recorder.advance(by: 30)
        logger.warning("message rejected", ["topic": "b"])
        logger.warning("message rejected", ["topic": "c"])
        logger.warning("store away")
        #expect(recorder.lines == ["<4>warning message rejected topic=a", "<4>warning store away"])
        recorder.advance(by: 30)
        logger.info("anything")
        logger.warning("message rejected", ["topic": "d"])
        #expect(
            recorder.lines.dropFirst(2) == [
                "<4>warning message rejected repeated=2", "<6>info anything",
                "<4>warning message rejected topic=d",
            ])
    }

    @Test func tellsTheRestAtTheEnd() {
        let logger = recorder.logger(journal: true)
        logger.error("disk full")
        logger.error("disk full")
        logger.flush()
        logger.flush()
        #expect(recorder.lines == ["<3>error disk full", "<3>error disk full repeated=1"])
    }
}
