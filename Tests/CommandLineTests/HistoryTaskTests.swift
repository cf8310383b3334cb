import Console
import Store
import Testing
import Tracking

@testable import waygate

@Suite("What the console asks the database for") struct HistoryTaskTests {
    private let now = Timestamp(microseconds: 1_792_972_800_000_000)  // 2026-10-26T00:00Z

    private func task(
        _ subject: HistoryQuestion.Subject, _ arguments: [String: String]
    ) throws(HistoryTask.Refusal) -> HistoryTask {
        try HistoryTask(HistoryQuestion(subject, arguments: arguments), now: now)
    }

    @Test func daysAreLocalAlsoWhereTheyHaveAnHourMore() throws {
        let asked = ["from": "2026-10-25", "to": "2026-10-26", "tz": "Europe/Vienna"]
        // From 22:00Z of the day before to 23:00Z.
        #expect(
            try task(.track(vehicleID: "v"), asked)
                == .track(
                    vehicleID: "v", from: 1_792_879_200_000_000, to: 1_792_969_200_000_000))
    }

    @Test func aReportHasItsFiltersAndEndsNow() throws {
        let asked = ["from": "2026-10-25T12:00:00Z", "vehicle": "v", "place": "depot"]
        #expect(
            try task(.report("visits"), asked)
                == .report(
                    ReportQuery(
                        name: .visits, from: 1_792_929_600_000_000, to: 1_792_972_800_000_000,
                        vehicleID: "v", placeID: "depot")))
    }

    @Test(arguments: [
        ([:], "from is missing"), (["from": "yesterday"], "from must be a time"),
        (["from": "2026-10-27"], "to must be later than from"),
        (["from": "2026-10-25", "tz": "Mars/X"], "tz must be an IANA zone"),
        (["from": "2026-10-25", "place": "p"], "place is for stops"),
        (["from": "2026-10-25", "vehicel": "v"], "there is no argument 'vehicel'"),
    ])
    func mistakesAreNamed(_ arguments: [String: String], _ message: String) throws {
        let refusal = #expect(throws: HistoryTask.Refusal.self) {
            try task(.report("days"), arguments)
        }
        guard case .mistake(let words) = refusal?.answer else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(words.contains(message))
    }

    @Test func anUnknownReportIsNotFound() throws {
        let refusal = #expect(throws: HistoryTask.Refusal.self) {
            try task(.report("nights"), ["from": "2026-10-25"])
        }
        #expect(
            refusal?.answer
                == .unknown(
                    "there is no report 'nights'; there are trips, stops, drives, visits, speedings, days, vehicles, places"
                ))
    }
}
