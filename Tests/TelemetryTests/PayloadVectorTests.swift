import Telemetry
import Testing
import Tracking

@Suite("Payload vectors")
struct PayloadVectorTests {
    private let table: SourceTable
    private let decoder = PositionDecoder()

    init() throws {
        table = try SourceTable(root: "fleet", sources: PayloadVector.sources)
    }

    private func decode(_ vector: PayloadVector) throws -> (MatchedSource, DecodeOutcome) {
        guard case .position(let source) = table.match(vector.topic) else {
            throw Unmatched(topic: vector.topic)
        }
        let outcome = vector.payload.withUnsafeBytes {
            decoder.decode($0, source: source, receivedAt: vector.receivedAt)
        }
        return (source, outcome)
    }

    private struct Unmatched: Error {
        let topic: String
    }

    @Test("there are as many cases as ever")
    func areAllThere() {
        #expect(PayloadVector.all.count == 154)
    }

    @Test(arguments: PayloadVector.all)
    func comesToWhatIsExpected(_ vector: PayloadVector) throws {
        let (source, outcome) = try decode(vector)
        switch outcome {
        case .accepted(let reports, let rejected):
            #expect(vector.outcome == "accepted")
            for fix in vector.fixes {
                #expect(reports.contains { fix.matches($0) }, "\(fix) is not among \(reports)")
            }
            for report in reports {
                #expect(vector.fixes.contains { $0.matches(report) }, "\(report) is not expected")
                #expect(report.vehicleID == vector.vehicleID ?? source.vehicleID)
            }
            #expect(rejected == vector.rejectedItems ?? [])
        case .rejected(let reason, let items):
            #expect(vector.outcome == "rejected")
            #expect(vector.reasons.contains(reason.rawValue), "\(reason)")
            if let expected = vector.rejectedItems { #expect(items == expected) }
        case .ignored(let reason):
            #expect(vector.outcome == "ignored")
            #expect(vector.reasons.contains(reason.rawValue), "\(reason)")
        }
    }

    @Test("a copy decodes to the same time and place", arguments: PayloadVector.all)
    func copies(_ vector: PayloadVector) throws {
        guard let original = vector.original else { return }
        let first = try #require(PayloadVector.all.first { $0.testDescription == original })
        #expect(try decode(vector).1 == decode(first).1)
    }

    @Test("the command line's object says the same", arguments: PayloadVector.all)
    func isPrinted(_ vector: PayloadVector) throws {
        let (source, outcome) = try decode(vector)
        try JSONParser().parse(outcome.json(source: source)) { json in
            #expect(json["outcome"]?.string == vector.outcome)
            if vector.outcome != "accepted" {
                #expect(vector.reasons.contains(json["reason"]?.string ?? ""))
            }
            if let vehicleID = vector.vehicleID { #expect(json["vehicle_id"]?.string == vehicleID) }
            #expect((json["fixes"]?.array?.isEmpty ?? true) == vector.fixes.isEmpty)
        }
    }
}
