import Testing

@Suite("waygate report, without a database") struct ReportUsageTests {
    @Test(arguments: [
        (["day", "--from", "2026-10-25"], "did you mean 'days'?"),
        (["days"], "--from TIME is missing"),
        (["days", "--from", "yesterday"], "--from must be a time"),
        (["days", "--from", "2026-10-25", "--to", "2026-10-25"], "--to must be later than --from"),
        (["days", "--from", "2026-10-25", "--tz", "Mars/X"], "--tz must be an IANA zone"),
        (["days", "--from", "2026-10-25", "--place", "p"], "--place is for stops, visits"),
        (
            ["days", "--from", "2026-10-25", "--format", "xml"],
            "--format must be text, csv or json"
        ),
        (["days", "trips", "--from", "2026-10-25"], "'trips' is too much"),
    ])
    func refuses(_ words: [String], _ message: String) throws {
        let result = try Tool(["report"] + words).finish()
        #expect(result.status == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
    }
}
