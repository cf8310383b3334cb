import Geometry
import Telemetry
import Tracking

/// Reads recorded tracks: GPX, KML, NMEA 0183, CSV and JSON lines; the content tells which.
enum TrackFile {
    /// Returns the positions of a file in their order, `-` being standard input.
    ///
    /// - Parameters:
    ///   - vehicleID: Whose positions to take, where a file names several vehicles; `nil` for the first's.
    ///   - interval: Seconds between positions, where the file has no times.
    /// - Throws: ``CommandFailure`` that names the file and what is wrong in it.
    static func read(
        _ path: String, vehicleID: String?, interval: Double
    ) throws(CommandFailure) -> [Fix] {
        let bytes = try TextFile.bytes(of: path)
        do throws(RouteFileError) {
            let fixes = try fixes(of: bytes, vehicleID: vehicleID, interval: interval)
            guard !fixes.isEmpty else { throw RouteFileError("it holds no position") }
            return fixes
        } catch {
            throw CommandFailure("\(path): \(error.message)")
        }
    }

    /// Returns the positions of a text.
    static func fixes(
        of bytes: [UInt8], vehicleID: String?, interval: Double
    ) throws(RouteFileError) -> [Fix] {
        let blanks = " \t\r\n\u{FEFF}".utf8
        switch bytes.first(where: { !blanks.contains($0) }) {
        case nil: throw RouteFileError("it is empty")
        case UInt8(ascii: "{"), UInt8(ascii: "["): return json(bytes)
        case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "#"): return nmea(bytes)
        case UInt8(ascii: "<"):
            return timed(try XMLFile(bytes).points, interval: interval)
        default:
            return timed(
                try CSVTrack.read(text(bytes), vehicleID: vehicleID), interval: interval)
        }
    }

    private static func text(_ bytes: [UInt8]) throws(RouteFileError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw RouteFileError("it is not UTF-8 text")
        }
        return text
    }

    /// Gives times to positions without: one after the other, `interval` seconds apart.
    private static func timed(_ points: [TrackPoint], interval: Double) -> [Fix] {
        points.enumerated().map { index, point in
            var fix = point.fix
            fix.time = point.time ?? Timestamp(seconds: Double(index) * interval)
            return fix
        }
    }

    /// Decodes whole sentences; a receiver's log may hold broken bytes, whose sentences fail their checksum.
    private static func nmea(_ bytes: [UInt8]) -> [Fix] {
        decode(bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, with: decoder())
    }

    /// Decodes one payload, or the features of a collection, or else the payload on each line; what holds no
    /// position is left out.
    private static func json(_ bytes: [UInt8]) -> [Fix] {
        let decoder = decoder()
        let whole = decode(bytes, with: decoder)
        guard whole.isEmpty else { return whole }
        let features = features(of: bytes)
        guard features.isEmpty else { return features.flatMap { decode($0, with: decoder) } }
        return bytes.split(separator: UInt8(ascii: "\n")).flatMap {
            decode(Array($0), with: decoder)
        }
    }

    /// Returns the features of a GeoJSON `FeatureCollection`, each as a text of its own.
    private static func features(of bytes: [UInt8]) -> [[UInt8]] {
        let parser = JSONParser()
        return bytes.withUnsafeBytes { bytes in
            guard let root = try? parser.parse(bytes),
                root["type"]?.string == "FeatureCollection", let features = root["features"]?.array
            else { return [] }
            return features.map { feature in
                var text: [UInt8] = []
                feature.write(to: &text)
                return text
            }
        }
    }

    /// Returns a decoder that takes positions of any age.
    private static func decoder() -> PositionDecoder {
        var limits = DecodeLimits(maxPayloadBytes: .max, maxFuture: 1e11)
        limits.maxAgeDays = 1_000_000
        return PositionDecoder(limits: limits)
    }

    private static func decode(_ payload: [UInt8], with decoder: PositionDecoder) -> [Fix] {
        let outcome = payload.withUnsafeBytes {
            decoder.decode(
                $0, source: MatchedSource(vehicleID: "replay"),
                receivedAt: Timestamp(microseconds: 0))
        }
        guard case .accepted(let reports, _) = outcome else { return [] }
        return reports.map(\.fix)
    }
}

/// A position of a track, which may have no time.
struct TrackPoint: Equatable {
    /// When it was; `nil` where the file does not say.
    var time: Timestamp?
    /// The position; its own time is not set.
    var fix: Fix
}
