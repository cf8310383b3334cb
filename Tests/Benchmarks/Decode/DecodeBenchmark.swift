import Glibc
import Telemetry
import Tracking

/// Measures what decoding one message costs, topic to reports: `swift run -c release DecodeBenchmark`.
///
/// Names of samples may follow; all are measured otherwise.
@main
enum DecodeBenchmark {
    private struct Sample {
        let name: String
        let topic: String
        let payload: String
    }

    private static let position =
        #"{"time":"2026-03-01T11:59:30.250Z","lat":52.520008,"lon":13.404954,"speed_mps":13.9,"#
        + #""course_deg":271.5,"accuracy_m":4.5}"#

    private static let samples = [
        Sample(name: "native", topic: "fleet/truck-17/position", payload: position),
        Sample(
            name: "native with attributes", topic: "fleet/truck-17/position",
            payload: position.dropLast()
                + #","provider":"gps","level":-1,"attributes":{"fuel":81,"tags":["a","b"]}}"#),
        Sample(
            name: "native batch of 100", topic: "fleet/truck-17/position",
            payload: "[" + Array(repeating: position, count: 100).joined(separator: ",") + "]"),
        Sample(
            name: "owntracks", topic: "owntracks/demo/phone",
            payload: #"{"_type":"location","tid":"ph","lat":52.5,"lon":13.4,"tst":1772366370,"#
                + #""acc":5,"alt":167,"vel":54,"cog":271,"batt":85,"conn":"m"}"#),
        Sample(
            name: "nmea RMC", topic: "fleet/boat-2/position",
            payload: "$GPRMC,115930.00,A,5230.0000,N,01324.0000,E,10.0,084.4,010326,,,A*6E"),
    ]

    /// Prints the fastest of 100 rounds of each sample.
    static func main() throws {
        let table = try SourceTable(
            root: "fleet",
            sources: [SourceDefinition(filter: "owntracks/+/+", vehicleID: "{1}-{2}")])
        let decoder = PositionDecoder()
        let chosen = CommandLine.arguments.dropFirst()
        for sample in samples where chosen.isEmpty || chosen.contains(sample.name) {
            let topic = Array(sample.topic.utf8)
            let payload = Array(sample.payload.utf8)
            let count = 1_000_000 / payload.count
            var accepted = 0
            var best = Int.max
            for _ in 0..<100 {
                let start = nanosecondsOfThread()
                for _ in 0..<count { accepted += decode(payload, on: topic, table, decoder) }
                best = min(best, nanosecondsOfThread() - start)
            }
            precondition(accepted > 0, "\(sample.name) is not accepted")
            print("\(sample.name): \(payload.count) bytes, \(best / count) ns a message")
        }
    }

    /// What the thread has run on a processor: less disturbed by others than the time of day.
    private static func nanosecondsOfThread() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static func decode(
        _ payload: [UInt8], on topic: [UInt8], _ table: SourceTable, _ decoder: PositionDecoder
    ) -> Int {
        let match = topic.withUnsafeBytes { table.match($0) }
        guard case .position(let source) = match else { return 0 }
        let outcome = payload.withUnsafeBytes {
            decoder.decode(
                $0, source: source, receivedAt: Timestamp(microseconds: 1_772_366_400_000_000))
        }
        guard case .accepted(let reports, _) = outcome else { return 0 }
        return reports.count
    }
}
