import Tracking
import Watching

/// Reads when a place's alarms are told.
enum ActiveHoursReader {
    /// Returns the hours that an object describes.
    ///
    /// - Parameter path: What leads to it, for a person.
    /// - Throws: A refusal for `invalid_place` that names the member that is wrong.
    static func hours(
        _ value: JSONValue, _ path: String, limits: PlaceLimits
    ) throws(Refusal) -> ActiveHours {
        let object = try PayloadObject(value, at: "\(path)active", reason: .invalidPlace)
        try object.checkNames(among: ["tz", "weekly", "since", "until"])
        let zone = try object.plainText("tz", upTo: 64)
        if let zone, !isZoneName(zone) || !limits.isZone(zone) {
            throw object.refusal(
                of: "tz", object["tz"],
                expected: "the name of an IANA time zone such as \"Europe/Vienna\"")
        }
        var windows: [ActiveHours.Window] = []
        for element in try object.array("weekly").map(Array.init) ?? [] {
            let name = "\(object.path)weekly[\(windows.count)]"
            windows.append(
                try window(PayloadObject(element, at: name, reason: .invalidPlace)))
        }
        guard windows.isEmpty || zone != nil else {
            throw object.refusal(
                of: "tz", nil, expected: "the IANA time zone that weekly is in")
        }
        let (since, until) = try object.span()
        return ActiveHours(zone: zone, weekly: windows, since: since, until: until)
    }

    private static func window(_ object: PayloadObject) throws(Refusal) -> ActiveHours.Window {
        try object.checkNames(among: ["days", "from", "to"])
        let choice = "an array of mo, tu, we, th, fr, sa, su"
        guard let array = try object.array("days"), !array.isEmpty else {
            throw object.refusal(of: "days", object["days"], expected: choice)
        }
        var days: UInt8 = 0
        for (index, element) in array.enumerated() {
            guard let day = dayNames.firstIndex(where: { element.text?.equals($0) == true })
            else {
                throw Refusal(
                    .invalidPlace,
                    "\(object.path)days[\(index)] must be one of mo, tu, we, th, fr, sa, su, not \(element.shown)"
                )
            }
            days |= 1 << UInt8(day)
        }
        return ActiveHours.Window(
            days: days, from: try minutes("from", of: object, upTo: 1439),
            to: try minutes("to", of: object, upTo: 1440))
    }

    /// The days of the week as they are written, from Monday on.
    static let dayNames = ["mo", "tu", "we", "th", "fr", "sa", "su"]

    /// Returns the minutes from midnight of a time `hh:mm`.
    private static func minutes(
        _ name: StaticString, of object: PayloadObject, upTo most: Int
    ) throws(Refusal) -> UInt16 {
        let text = object[name]?.string ?? ""
        let digits = text.utf8.map { Int($0) - 48 }
        let isTime =
            digits.count == 5 && text.utf8.dropFirst(2).first == UInt8(ascii: ":")
            && [0, 1, 3, 4].allSatisfy { (0...9).contains(digits[$0]) }
        let minutes =
            isTime ? (digits[0] * 10 + digits[1]) * 60 + digits[3] * 10 + digits[4] : -1
        guard isTime, digits[3] < 6, minutes <= most else {
            throw object.refusal(
                of: name, object[name],
                expected: "a time from \"00:00\" to \"\(most == 1440 ? "24:00" : "23:59")\"")
        }
        return UInt16(minutes)
    }

    /// Whether a text has the form of a zone's name, which is also that of a file's path.
    private static func isZoneName(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        return isPlain && levels.allSatisfy { !$0.isEmpty }
    }
}
