import Geometry
import Telemetry
import Testing
import Tracking

@Suite("Hostile payloads")
struct HostilePayloadTests {
    private let table: SourceTable
    private let decoder = PositionDecoder()

    init() throws {
        table = try SourceTable(root: "fleet", sources: PayloadVector.sources)
    }

    /// Decodes, and checks what must be true of every outcome.
    private func decode(
        _ payload: some Collection<UInt8>, on topic: String,
        at receivedAt: Timestamp = DecodeSample.receivedAt
    ) -> DecodeOutcome {
        guard case .position(let source) = table.match(topic) else {
            Issue.record("\(topic) is not matched")
            return .ignored(.notALocation)
        }
        let outcome = Array(payload).withUnsafeBytes {
            decoder.decode($0, source: source, receivedAt: receivedAt)
        }
        if case .accepted(let reports, _) = outcome {
            for report in reports {
                #expect((-90...90).contains(report.fix.coordinate.latitude))
                #expect((-180...180).contains(report.fix.coordinate.longitude))
                #expect(report.fix.speed.map { $0 >= 0 } ?? true)
                #expect(report.fix.course.map { (0..<360).contains($0) } ?? true)
            }
        }
        return outcome
    }

    @Test(
        "a vector cut anywhere is judged, and never half a number taken",
        arguments: PayloadVector.all)
    func isCut(_ vector: PayloadVector) {
        for end in vector.payload.indices {
            let outcome = decode(
                vector.payload[..<end], on: vector.topic, at: vector.receivedAt)
            guard case .accepted(let reports, _) = outcome else { continue }
            // Only whole lines, or a text whose end is blank, can still be good.
            for report in reports {
                #expect(vector.fixes.contains { $0.isAt(report) }, "cut at \(end)")
            }
        }
    }

    @Test("random changes do no harm", arguments: [1, 2, 3, 4])
    func isChanged(seed: UInt64) {
        var generator = SplitMix(state: seed)
        for vector in PayloadVector.all where !vector.payload.isEmpty {
            for _ in 0..<25 {
                var payload = vector.payload
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    Self.change(&payload, using: &generator)
                }
                _ = decode(payload, on: vector.topic)
            }
        }
    }

    private static func change(_ payload: inout [UInt8], using generator: inout SplitMix) {
        let place = Int.random(in: 0...payload.count, using: &generator)
        let marks = Array("{}[],:\"\\-+.eE0189$*\u{0}\u{FFFD} ".utf8)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: payload.insert(marks.randomElement(using: &generator) ?? 0, at: place)
        case 1: payload.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        case 2 where place < payload.count: payload.remove(at: place)
        case 3 where place < payload.count:
            payload[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        default: payload.insert(contentsOf: payload[place...].prefix(40), at: place)
        }
    }

    /// A generator whose numbers follow from its seed.
    struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    @Test("a batch of 5,000 keeps its good elements and names its bad ones")
    func isLarge() {
        let elements = (0..<5000).map { index in
            index % 1000 == 999
                ? #"{"lat":91,"lon":1,"time":1}"#
                : #"{"time":\#(1_772_361_400 + index),"lat":52.5,"lon":13.4}"#
        }
        let payload = Array("[\(elements.joined(separator: ","))]".utf8)
        guard
            case .accepted(let reports, let rejected) = decode(payload, on: "fleet/a/position")
        else {
            Issue.record("the batch is not accepted")
            return
        }
        #expect(reports.count == 4995)
        #expect(rejected.map(\.index) == [999, 1999, 2999, 3999, 4999])
        #expect(Set(rejected.map(\.reason)) == [.coordinatesOutOfRange])
        let times = reports.map(\.fix.time)
        #expect(times == times.sorted())
    }

    @Test(
        "the largest payloads of one thing are read in linear time", .timeLimit(.minutes(5)),
        arguments: [
            "[", "{\"a\":", "\"", "\\", "[1,", "$\n", "$GPGGA,1*00\n", "[99999999999999999999,",
        ])
    func isMonotonous(_ piece: String) {
        let count = 262_144 / piece.utf8.count
        let payload = Array(String(repeating: piece, count: count).utf8)
        guard case .rejected = decode(payload, on: "fleet/a/position") else {
            Issue.record("it is not rejected")
            return
        }
    }

    @Test(
        "as many fixes at one time of the day as fit are read in linear time",
        .timeLimit(.minutes(5)))
    func hasManySentences() {
        let place = "5230.0,N,01324.0,E"
        let lines = (0..<5000).map { index in
            let body = "GPRMC,\(100_000 + index % 60).\(index / 60),A,\(place),,,010326,,"
            let sum = String(body.utf8.reduce(0, ^), radix: 16)
            return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\n"
        }
        guard
            case .accepted(let reports, let rejected) = decode(
                Array(lines.joined().utf8), on: "fleet/a/position")
        else {
            Issue.record("the burst is not accepted")
            return
        }
        #expect(rejected.isEmpty && reports.count > 1000)
    }
}
