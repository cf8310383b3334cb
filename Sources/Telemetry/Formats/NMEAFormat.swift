import Geometry
import Tracking

/// NMEA 0183 sentences, on lines.
///
/// Sentences of one moment make one fix: place, date, speed and course are RMC's, the altitude is GGA's.
struct NMEAFormat {
    private struct Line {
        /// The line's number among those that are not empty.
        let index: Int
        /// One of its sentences, or what is wrong there.
        let sentence: Result<NMEASentence, NoPosition>
    }

    private struct Sighting {
        let moment: Timestamp
        let coordinate: Coordinate
        let isRMC: Bool
        var draft: Draft
    }

    private let reader: ElementReader
    private var batch = BatchCollector()
    private var lines: [Line] = []
    /// How many lines are not empty.
    private var lineCount = 0
    /// The times of the day at which some sentence says that there is no fix.
    private var voidTimes: Set<TimeOfDay> = []
    private var sightings: [Sighting] = []
    /// Places in `sightings`.
    private var places: [Timestamp: Int] = [:]

    /// Returns what the lines of a payload came to.
    static func outcome(
        of text: UnsafeRawBufferPointer, _ reader: ElementReader
    ) -> DecodeOutcome {
        var format = NMEAFormat(reader: reader)
        format.read(text)
        format.judge()
        let outcome = format.batch.outcome
        guard format.lineCount == 1, case .rejected(let reason, _) = outcome else { return outcome }
        return .rejected(reason, items: [])
    }

    private init(reader: ElementReader) {
        self.reader = reader
    }

    private mutating func read(_ text: UnsafeRawBufferPointer) {
        for part in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = UnsafeRawBufferPointer(rebasing: part).trimmed
            if text.isEmpty { continue }
            read(NMEALine(text))
            lineCount += 1
        }
        for case .success(let sentence) in lines.lazy.map(\.sentence) where sentence.isVoid {
            if let time = sentence.timeOfDay { voidTimes.insert(time) }
        }
    }

    private mutating func read(_ line: NMEALine) {
        var line = line
        while true {
            do throws(NoPosition) {
                guard let sentence = try line.next() else { return }
                lines.append(Line(index: lineCount, sentence: .success(sentence)))
            } catch {
                lines.append(Line(index: lineCount, sentence: .failure(error)))
            }
        }
    }

    /// Checks the sentences, and makes fixes of those that pass.
    private mutating func judge() {
        // GGA has no date. The RMC before it tells, else the payload's first, else the reception.
        let dated = lines.map { line -> Timestamp? in
            guard case .success(let sentence) = line.sentence, sentence.isRMC, !sentence.isVoid
            else { return nil }
            return try? sentence.moment(near: reader.receivedAt)
        }
        var reference = dated.lazy.compactMap(\.self).first ?? reader.receivedAt
        var vehicleID = ""
        for (line, date) in zip(lines, dated) {
            reference = date ?? reference
            do throws(NoPosition) {
                let sentence = try line.sentence.get()
                if sentence.isVoid || sentence.timeOfDay.map(voidTimes.contains) == true {
                    throw .ignored(.noFix)
                }
                vehicleID = try reader.vehicleID(payload: nil)
                add(try sighting(sentence, near: reference))
            } catch {
                batch.note(error, at: line.index)
            }
        }
        batch.reports = sightings.map { sighting in
            sighting.draft.report(of: vehicleID, at: sighting.coordinate, sighting.moment)
        }
    }

    private func sighting(
        _ sentence: NMEASentence, near reference: Timestamp
    ) throws(NoPosition) -> Sighting {
        let coordinate = try sentence.draft.coordinate()
        do throws(RejectionReason) {
            let moment = try sentence.moment(near: reference)
            try reader.window.check(moment)
            return Sighting(
                moment: moment, coordinate: coordinate, isRMC: sentence.isRMC,
                draft: sentence.draft)
        } catch {
            throw .rejected(error)
        }
    }

    private mutating func add(_ sighting: Sighting) {
        guard let place = places[sighting.moment] else {
            places[sighting.moment] = sightings.count
            sightings.append(sighting)
            return
        }
        let known = sightings[place]
        if sighting.isRMC, !known.isRMC { sightings[place] = sighting }
        sightings[place].draft.altitude = known.draft.altitude ?? sighting.draft.altitude
    }
}

extension NMEASentence {
    /// Whether it is RMC, which knows the date.
    var isRMC: Bool {
        if case .rmc = kind { true } else { false }
    }

    /// Its time of the day; `nil` when that is missing or no clock shows it.
    var timeOfDay: TimeOfDay? {
        var reader = ByteReader(time)
        guard let hour = reader.digits(2), let minute = reader.digits(2),
            let second = reader.digits(2)
        else { return nil }
        let microsecond =
            reader.skip(UInt8(ascii: ".")) ? reader.microseconds() ?? 0 : 0
        guard reader.isAtEnd else { return nil }
        return TimeOfDay(hour: hour, minute: minute, second: second, microsecond: microsecond)
    }

    /// Returns when it was: on RMC's own date, for GGA on the day that comes within 12 hours of `reference`.
    ///
    /// - Throws: `missing_time` or `invalid_time`.
    func moment(near reference: Timestamp) throws(RejectionReason) -> Timestamp {
        if time.isEmpty { throw .missingTime }
        guard let timeOfDay else { throw .invalidTime }
        switch kind {
        case .rmc(let date):
            if date.isEmpty { throw .missingTime }
            guard let date = CivilDate(nmea: date) else { throw .invalidTime }
            return Timestamp(
                microseconds: date.daysSinceEpoch * TimeOfDay.day + timeOfDay.microseconds)
        case .gga:
            let ofDay = reference.microseconds % TimeOfDay.day
            let midnight = reference.microseconds &- (ofDay < 0 ? ofDay + TimeOfDay.day : ofDay)
            var moment = midnight &+ timeOfDay.microseconds
            if moment &- reference.microseconds > TimeOfDay.day / 2 { moment &-= TimeOfDay.day }
            if reference.microseconds &- moment > TimeOfDay.day / 2 { moment &+= TimeOfDay.day }
            return Timestamp(microseconds: moment)
        }
    }
}

extension CivilDate {
    /// Reads `ddmmyy`; years from 80 on are the twentieth century's.
    fileprivate init?(nmea bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard let day = reader.digits(2), let month = reader.digits(2),
            let year = reader.digits(2), reader.isAtEnd
        else { return nil }
        self.init(year: year + (year >= 80 ? 1900 : 2000), month: month, day: day)
    }
}
