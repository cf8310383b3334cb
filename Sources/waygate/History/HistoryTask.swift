import Console
import Store
import Tracking
import Worker

/// What the database is asked for by a client of the console.
enum HistoryTask: Equatable {
    /// Where a vehicle was, from a moment until another, itself left out.
    case track(vehicleID: String, from: Microseconds, to: Microseconds)
    case report(ReportQuery)

    /// What is wrong with a question.
    struct Refusal: Error, Equatable {
        var answer: HistoryAnswer

        fileprivate static func mistake(_ message: String) -> Refusal {
            Refusal(answer: .mistake(message))
        }
    }

    /// Reads a question.
    ///
    /// - Parameter now: What a window without an end ends with.
    init(_ question: HistoryQuestion, now: Timestamp) throws(Refusal) {
        let arguments = question.arguments
        let known: Set<String>
        switch question.subject {
        case .track: known = ["from", "to", "tz"]
        case .report: known = ["from", "to", "tz", "vehicle", "place"]
        }
        if let stranger = arguments.keys.filter({ !known.contains($0) }).min() {
            throw .mistake(
                "there is no argument '\(stranger)'; there are \(known.sorted().joined(separator: ", "))"
            )
        }
        let zoneName = arguments["tz"] ?? "UTC"
        guard let zone = SystemZone(named: zoneName) else {
            throw .mistake("tz must be an IANA zone, as Europe/Vienna, not '\(zoneName)'")
        }
        guard let from = try Self.moment("from", arguments, zone) else {
            throw .mistake("from is missing: since when?")
        }
        let to = try Self.moment("to", arguments, zone) ?? now
        guard to > from else { throw .mistake("to must be later than from") }
        switch question.subject {
        case .track(let vehicleID):
            self = .track(vehicleID: vehicleID, from: from.microseconds, to: to.microseconds)
        case .report(let name):
            guard let report = ReportName(rawValue: name) else {
                let names = ReportName.allCases.map(\.rawValue).joined(separator: ", ")
                throw Refusal(answer: .unknown("there is no report '\(name)'; there are \(names)"))
            }
            let query = ReportQuery(
                name: report, from: from.microseconds, to: to.microseconds, zone: zoneName,
                vehicleID: arguments["vehicle"], placeID: arguments["place"])
            guard query.placeID == nil || query.hasPlaces else {
                throw .mistake("place is for stops, visits, speedings and places")
            }
            self = .report(query)
        }
    }

    private static func moment(
        _ name: String, _ arguments: [String: String], _ zone: SystemZone
    ) throws(Refusal) -> Timestamp? {
        guard let text = arguments[name] else { return nil }
        guard let moment = Timestamp(midnightOf: text, in: zone) ?? Timestamp(written: text[...])
        else {
            throw .mistake(
                "\(name) must be a time, as 2026-12-01T06:00Z or 2026-12-01, not '\(text)'")
        }
        return moment
    }
}
