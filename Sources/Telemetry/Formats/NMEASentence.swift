import Geometry
import Tracking

/// One NMEA 0183 sentence that tells a position: RMC or GGA.
struct NMEASentence {
    /// Which sentence it is, and what only that one tells.
    enum Kind {
        /// Recommended minimum data, with the date as `ddmmyy`.
        case rmc(date: UnsafeRawBufferPointer)
        /// Fix data; it has no date.
        case gga
    }

    let kind: Kind
    /// The time of the day as sent: `hhmmss.ss`; empty when unknown.
    let time: UnsafeRawBufferPointer
    /// Whether the receiver says that it has no fix: status V, mode N, quality 0.
    let isVoid: Bool
    /// The position; its `time` is not set.
    let draft: Draft

    /// Reads one sentence.
    ///
    /// - Throws: What is wrong with it, or `not_a_location` for other sentences.
    init(_ text: UnsafeRawBufferPointer) throws(NoPosition) {
        if text.first == UInt8(ascii: "!") { throw .ignored(.notALocation) }
        guard text.first == UInt8(ascii: "$") else { throw .rejected(.nmeaMalformed) }
        let content = text[1...]
        let star = content.firstIndex(of: UInt8(ascii: "*")) ?? content.endIndex
        let body = UnsafeRawBufferPointer(rebasing: content[..<star])
        let isPosition = try Self.isPosition(body)
        let fault = Self.fault(
            of: body, checksum: content[star...].dropFirst(), isCompulsory: isPosition)
        if let fault { throw .rejected(fault) }
        guard isPosition else { throw .ignored(.notALocation) }
        let fields = Fields(body: body)
        if body[2] == UInt8(ascii: "R") {
            try self.init(rmc: fields)
        } else {
            try self.init(gga: fields)
        }
    }

    /// Tells by its address whether a sentence is RMC or GGA, of any talker.
    ///
    /// A proprietary sentence begins with P: Garmin's `PGRMC` is a setting.
    private static func isPosition(_ body: UnsafeRawBufferPointer) throws(NoPosition) -> Bool {
        let address = body.prefix(while: { $0 != UInt8(ascii: ",") })
        if address.first == UInt8(ascii: "P") { return false }
        guard address.count == 5 else { throw .rejected(.nmeaMalformed) }
        let type = UnsafeRawBufferPointer(rebasing: address[2...])
        return type.equals("RMC") || type.equals("GGA")
    }

    /// Returns what is wrong with a TAG block (NMEA 0183 version 4), given without its backslashes.
    static func fault(ofTagBlock block: UnsafeRawBufferPointer) -> RejectionReason? {
        let star = block.place(of: UInt8(ascii: "*"))
        return fault(
            of: UnsafeRawBufferPointer(rebasing: block[..<star]),
            checksum: block[star...].dropFirst(), isCompulsory: true)
    }

    /// Holds the XOR of all bytes before `*` against the two digits behind it.
    private static func fault(
        of body: UnsafeRawBufferPointer, checksum: Slice<UnsafeRawBufferPointer>, isCompulsory: Bool
    ) -> RejectionReason? {
        guard checksum.count >= 2 else { return isCompulsory ? .nmeaChecksumMissing : nil }
        guard checksum.count == 2, let high = hexValue(checksum[checksum.startIndex]),
            let low = hexValue(checksum[checksum.startIndex + 1])
        else { return .nmeaMalformed }
        return body.reduce(0, ^) == high << 4 | low ? nil : .nmeaChecksumMismatch
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private init(rmc fields: Fields) throws(NoPosition) {
        guard let status = fields[2], let date = fields[9], let time = fields[1] else {
            throw .rejected(.nmeaMalformed)
        }
        kind = .rmc(date: date)
        self.time = time
        isVoid = status.equals("V") || fields[12]?.equals("N") == true
        var draft = Draft()
        if !isVoid {
            guard status.equals("A") else { throw .rejected(.nmeaMalformed) }
            draft.latitude = try fields.ordinate(3, south: "S", north: "N")
            draft.longitude = try fields.ordinate(5, south: "W", north: "E")
            draft.speed = fields.number(7).map { $0 * Unit.knot }
            draft.course = fields.number(8)
        }
        self.draft = draft
    }

    private init(gga fields: Fields) throws(NoPosition) {
        guard let quality = fields[6], let time = fields[1] else {
            throw .rejected(.nmeaMalformed)
        }
        kind = .gga
        self.time = time
        isVoid = quality.equals("0")
        var draft = Draft()
        if !isVoid {
            guard quality.count == 1, (49...57).contains(quality[0]) else {
                throw .rejected(.nmeaMalformed)
            }
            draft.latitude = try fields.ordinate(2, south: "S", north: "N")
            draft.longitude = try fields.ordinate(4, south: "W", north: "E")
            if fields[10]?.equals("M") == true { draft.altitude = fields.number(9) }
        }
        self.draft = draft
    }

    /// The comma-separated fields of a sentence, counted from 1; its address is 0.
    private struct Fields {
        let body: UnsafeRawBufferPointer

        subscript(number: Int) -> UnsafeRawBufferPointer? {
            body.part(number, separatedBy: UInt8(ascii: ","))
        }

        func number(_ number: Int) -> Double? {
            self[number].flatMap { Double(plainDecimal: $0) }
        }

        /// Reads `dddmm.mmmm` and the hemisphere in the field behind it.
        func ordinate(
            _ number: Int, south: Unicode.Scalar, north: Unicode.Scalar
        ) throws(NoPosition) -> Draft.Ordinate {
            guard let field = self[number], let hemisphere = self[number + 1] else {
                throw .rejected(.nmeaMalformed)
            }
            if field.isEmpty { return .missing }
            guard (48...57).contains(field[0]), let value = Double(plainDecimal: field),
                hemisphere.count == 1
            else { throw .rejected(.nmeaMalformed) }
            let degrees = (value / 100).rounded(.down)
            let minutes = value - degrees * 100
            guard minutes < 60 else { throw .rejected(.nmeaMalformed) }
            let angle = degrees + minutes / 60
            switch Unicode.Scalar(hemisphere[0]) {
            case north: return .degrees(angle)
            case south: return .degrees(-angle)
            default: throw .rejected(.nmeaMalformed)
            }
        }
    }
}
