import Testing

@Suite("NMEA 0183")
struct NMEATests {
    /// Returns sentences with their checksums, one a line.
    private static func lines(_ bodies: String...) -> String {
        bodies.map(line).joined(separator: "\r\n")
    }

    private static func line(_ body: String) -> String {
        let sum = body.utf8.reduce(0, ^)
        let digits = String(sum, radix: 16, uppercase: true)
        return "$\(body)*\(sum < 16 ? "0" : "")\(digits)"
    }

    private static let place = "5230.0000,N,01324.0000,E"
    private static let rmc = "GPRMC,115930.00,A,\(place),10.0,084.4,010326,,,A"
    private static let gga = "GPGGA,115930.00,\(place),1,08,0.9,45.4,M,46.9,M,,"

    @Test(arguments: [
        DecodeSample("any talker", lines("YDRMC,115930,A,\(place),,,010326,,"), "{}"),
        DecodeSample("navigation status", lines("GNRMC,115930,A,\(place),,,010326,,,A,V"), "{}"),
        DecodeSample("mode N", lines("GPRMC,115930,A,\(place),,,010326,,,N"), "ignored no_fix"),
        DecodeSample(
            "Garmin's setting is no RMC", lines("PGRMC,A,10.0,100"), "ignored not_a_location"),
        DecodeSample("a ship's radio", "!AIVDM,1,1,,B,15M67F,0*7C", "ignored not_a_location"),
        DecodeSample(
            "another sentence without checksum", "$GPGSV,1,1,01", "ignored not_a_location"),
        DecodeSample(
            "another sentence, damaged", "$GPGSV,1,1,01*00", "rejected nmea_checksum_mismatch"),
        DecodeSample("half a checksum", "$\(rmc)*6", "rejected nmea_checksum_missing"),
        DecodeSample("a checksum of other letters", "$\(rmc)*6G", "rejected nmea_malformed"),
        DecodeSample("more behind the checksum", "$\(rmc)*6E1", "rejected nmea_malformed"),
        DecodeSample("cut in its address", "$GPRM", "rejected nmea_malformed"),
        DecodeSample("a dollar alone", "$", "rejected nmea_malformed"),
        DecodeSample("too few fields", lines("GPRMC,115930,A"), "rejected nmea_malformed"),
        DecodeSample(
            "no such status", lines("GPRMC,115930,X,\(place),,,010326,,"),
            "rejected nmea_malformed"),
        DecodeSample(
            "60 minutes", lines("GPRMC,115930,A,5260.0,N,01324.0,E,,,010326,,"),
            "rejected nmea_malformed"),
        DecodeSample(
            "a negative latitude", lines("GPRMC,115930,A,-5230.0,N,01324.0,E,,,010326,,"),
            "rejected nmea_malformed"),
        DecodeSample(
            "no hemisphere", lines("GPRMC,115930,A,5230.0,,01324.0,E,,,010326,,"),
            "rejected nmea_malformed"),
        DecodeSample(
            "hemispheres swapped", lines("GPRMC,115930,A,5230.0,E,01324.0,N,,,010326,,"),
            "rejected nmea_malformed"),
        DecodeSample(
            "beyond the pole", lines("GPRMC,115930,A,9100.0,N,01324.0,E,,,010326,,"),
            "rejected coordinates_out_of_range"),
        DecodeSample(
            "no place", lines("GPRMC,115930,A,,,,,,,010326,,"),
            "rejected missing_coordinates"),
        DecodeSample("no time", lines("GPRMC,,A,\(place),,,010326,,"), "rejected missing_time"),
        DecodeSample("no date", lines("GPRMC,115930,A,\(place),,,,,"), "rejected missing_time"),
        DecodeSample(
            "30 February", lines("GPRMC,115930,A,\(place),,,300226,,"),
            "rejected invalid_time"),
        DecodeSample(
            "24 o'clock", lines("GPRMC,240000,A,\(place),,,280226,,"),
            "rejected invalid_time"),
        DecodeSample(
            "a date of the last century", lines("GPRMC,115930,A,\(place),,,060180,,"),
            "rejected time_too_old"),
        DecodeSample(
            "a fraction of a second", lines("GPRMC,115930.25,A,\(place),,,010326,,"),
            #"{"time":"2026-03-01T11:59:30.250Z"}"#),
        DecodeSample("altitude in feet", lines("GPGGA,115930,\(place),1,08,0.9,45.4,F,,,,"), "{}"),
        DecodeSample(
            "no such quality", lines("GPGGA,115930,\(place),A,08,0.9,45.4,M,,,,"),
            "rejected nmea_malformed"),
    ])
    func judgesSentences(_ sample: DecodeSample) throws {
        #expect(try sample.decoded() == sample.expected)
    }

    @Test(arguments: [
        DecodeSample(
            "one moment is one fix, in any order", lines(rmc, gga),
            #"{"speed_mps":5.144444444444445,"course_deg":84.4,"altitude_m":45.4}"#),
        DecodeSample(
            "GGA's place gives way to RMC's",
            lines("GPGGA,115930.00,5231.0000,N,01324.0000,E,1,08,0.9,45.4,M,,,,", rmc),
            #"{"speed_mps":5.144444444444445,"course_deg":84.4,"altitude_m":45.4}"#),
        DecodeSample(
            "two talkers are one fix",
            lines(
                "GPRMC,115930,A,\(place),,,010326,,",
                "GNRMC,115930,A,\(place),,,010326,,"), "{}"),
        DecodeSample(
            "GGA takes the date of the RMC before it",
            lines("GPRMC,235959,A,\(place),,,240226,,", "GPGGA,000000,\(place),1,08,0.9,,M,,,,"),
            #"{"time":"2026-02-24T23:59:59.000Z"} {"time":"2026-02-25T00:00:00.000Z"}"#),
        DecodeSample(
            "or of the first behind it",
            lines("GPGGA,235958,\(place),1,08,0.9,,M,,,,", "GPRMC,235959,A,\(place),,,240226,,"),
            #"{"time":"2026-02-24T23:59:58.000Z"} {"time":"2026-02-24T23:59:59.000Z"}"#),
        DecodeSample(
            "void in one is void in the other",
            lines("GPRMC,115930.00,V,\(place),,,010326,,", gga), "ignored no_fix"),
        DecodeSample(
            "but not at another time",
            lines("GPRMC,115929,V,,,,,,,010326,,", "GPGGA,115930,\(place),1,08,0.9,,M,,,,"), "{}"),
        DecodeSample(
            "a bad RMC still dates its GGA",
            lines(
                "GPRMC,115930,A,9130.0,N,01324.0,E,,,280226,,",
                "GPGGA,115930,\(place),1,08,0.9,,M,,,,"),
            #"{"time":"2026-02-28T11:59:30.000Z"} !0 coordinates_out_of_range"#),
        DecodeSample(
            "lines that are empty do not count", "\r\n\r\n\(lines(rmc))\r\n \r\n$GPRMC,1*00\r\n",
            #"{"speed_mps":5.144444444444445,"course_deg":84.4} !1 nmea_checksum_mismatch"#),
        DecodeSample(
            "a first line that lost its beginning", "24.0000,E,10.0*6E\n\(lines(rmc))",
            #"{"speed_mps":5.144444444444445,"course_deg":84.4} !0 nmea_malformed"#),
        DecodeSample(
            "no good line", lines("GPGSV,1,1,01", "GPRMC,115930,A,,,,,,,010326,,"),
            "rejected missing_coordinates !1 missing_coordinates"),
        DecodeSample(
            "a line with two faults is rejected once, for the first",
            "\(lines(rmc))\n$GPRMC,1*00$GPRMC,1\n$GPRM",
            #"{"speed_mps":5.144444444444445,"course_deg":84.4} "#
                + "!1 nmea_checksum_mismatch !2 nmea_malformed"),
        DecodeSample(
            "other sentences and no fix", lines("GPGSV,1,1,01", "GPGGA,,,,,,0,,,,,,,,"),
            "ignored no_fix"),
        DecodeSample(
            "an invalid id", lines(rmc, gga),
            "rejected invalid_vehicle_id !0 invalid_vehicle_id !1 invalid_vehicle_id",
            on: "fleet//position"),
        DecodeSample(
            "an invalid id and no fix", lines("GPGGA,,,,,,0,,,,,,,,"), "ignored no_fix",
            on: "fleet//position"),
    ])
    func mergesSentences(_ sample: DecodeSample) throws {
        #expect(try sample.decoded() == sample.expected)
    }

    private static func tag(_ content: String) -> String {
        let sum = content.utf8.reduce(0, ^)
        let digits = String(sum, radix: 16, uppercase: true)
        return "\\\(content)*\(sum < 16 ? "0" : "")\(digits)\\"
    }

    private static let driving = #"{"speed_mps":5.144444444444445,"course_deg":84.4}"#

    @Test(arguments: [
        DecodeSample("a TAG block", tag("s:gps1,c:1772366370") + lines(rmc), driving),
        DecodeSample("two TAG blocks", tag("g:1-2-34") + tag("s:gps1") + lines(rmc), driving),
        DecodeSample("blanks around it", " " + tag("s:gps1") + " " + lines(rmc), driving),
        DecodeSample(
            "its time does not date the fix", tag("c:1700000000") + lines(rmc), driving),
        DecodeSample(
            "a TAG block that is damaged", "\\s:gps1*00\\" + lines(rmc),
            "rejected nmea_checksum_mismatch"),
        DecodeSample(
            "a TAG block without checksum", "\\s:gps1\\" + lines(rmc),
            "rejected nmea_checksum_missing"),
        DecodeSample(
            "a TAG block without an end", "\\s:gps1*6D" + lines(rmc), "rejected nmea_malformed"),
        DecodeSample("a TAG block alone", tag("s:gps1"), "ignored not_a_location"),
        DecodeSample(
            "a TAG block before a sentence that is damaged", tag("s:gps1") + "$\(rmc)*00",
            "rejected nmea_checksum_mismatch"),
        DecodeSample(
            "a damaged TAG block costs its own sentence only",
            "\\s:gps1*00\\$\(rmc)*6E\r\n" + tag("s:gps2") + lines(rmc),
            driving + " !0 nmea_checksum_mismatch"),
        DecodeSample(
            "the first line lost its beginning, and the second has a TAG block",
            "1*22\n" + tag("s:gps1") + lines(rmc), driving + " !0 nmea_malformed"),
    ])
    func readsTagBlocks(_ sample: DecodeSample) throws {
        #expect(try sample.decoded() == sample.expected)
    }

    @Test(arguments: [
        DecodeSample(
            "two sentences of one moment", line(rmc) + line(gga),
            #"{"speed_mps":5.144444444444445,"course_deg":84.4,"altitude_m":45.4}"#),
        DecodeSample(
            "blanks between them", line(rmc) + " " + line(gga) + " ",
            #"{"speed_mps":5.144444444444445,"course_deg":84.4,"altitude_m":45.4}"#),
        DecodeSample(
            "a TAG block each", tag("s:a") + line(rmc) + tag("s:b") + line(gga),
            #"{"speed_mps":5.144444444444445,"course_deg":84.4,"altitude_m":45.4}"#),
        DecodeSample("another sentence first", line("GPGSV,1,1,01") + line(rmc), driving),
        DecodeSample("a ship's radio first", "!AIVDM,1,1,,B,15M67F,0*7C" + line(rmc), driving),
        DecodeSample(
            "the first lost its end", "$\(rmc)*" + line(rmc), driving + " !0 nmea_checksum_missing"),
        DecodeSample(
            "the second is damaged, on the second line",
            line("GPGSV,1,1,01") + "\n" + line(rmc) + "$\(gga)*00",
            driving + " !1 nmea_checksum_mismatch"),
        DecodeSample(
            "no good one", "$\(rmc)*00" + line("GPGSV,1,1,01"), "rejected nmea_checksum_mismatch"),
    ])
    func takesSeveralSentencesOnALine(_ sample: DecodeSample) throws {
        #expect(try sample.decoded() == sample.expected)
    }
}
