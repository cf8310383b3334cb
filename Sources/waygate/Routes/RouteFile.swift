import Geometry
import Glibc

/// A line read from a file, to be driven.
struct NamedLine: Equatable {
    /// What the file calls it.
    var name: String?
    /// The line's places in order; two or more, all on the map.
    var coordinates: [Coordinate]
}

/// Reads the lines of a file, whatever of the usual formats it is in.
///
/// GPX and KML tracks and routes, GeoJSON lines (bare, in features or collections), CSV with a header, and
/// encoded polylines, one a line; the content tells which.
enum RouteFile {
    /// Returns the lines of a file, `-` being standard input.
    ///
    /// - Parameter precision: Digits after the point in encoded polylines, 5 or 6.
    /// - Throws: ``CommandFailure`` that names the file and what is wrong in it.
    static func read(_ path: String, precision: Int = 5) throws(CommandFailure) -> [NamedLine] {
        let text = try TextFile.read(path)
        do throws(RouteFileError) {
            let lines = try lines(of: text, precision: precision)
            guard !lines.isEmpty else { throw RouteFileError("it holds no line to drive") }
            for line in lines { try check(line) }
            return lines
        } catch {
            throw CommandFailure("\(path): \(error.message)")
        }
    }

    /// Returns the places that a GPX or KML file marks, in its order.
    ///
    /// - Throws: ``CommandFailure`` that names the file and what is wrong in it.
    static func places(_ path: String) throws(CommandFailure) -> [NamedPlace] {
        let bytes = try TextFile.bytes(of: path)
        do throws(RouteFileError) {
            return try XMLFile(bytes).places
        } catch {
            throw CommandFailure("\(path): \(error.message)")
        }
    }

    /// Returns the lines of a text.
    static func lines(
        of text: String, precision: Int
    ) throws(RouteFileError) -> [NamedLine] {
        let start = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" }
        switch start {
        case nil: throw RouteFileError("it is empty")
        case "<": return try XMLFile(Array(text.utf8)).lines
        case "{", "[": return try GeoJSONLines.read(text)
        default:
            let header = text.prefix { !$0.isNewline }
            return header.contains { $0 == "," || $0 == ";" || $0 == "\t" }
                ? try CSVLines.read(text) : try polylines(text, precision: precision)
        }
    }

    private static func polylines(
        _ text: String, precision: Int
    ) throws(RouteFileError) -> [NamedLine] {
        var lines: [NamedLine] = []
        for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            guard let line = Polyline.decode(line.utf8, precision: precision) else {
                throw RouteFileError(
                    "it is no GPX, GeoJSON or CSV, and its line \(index + 1) no encoded polyline")
            }
            lines.append(NamedLine(name: nil, coordinates: line))
        }
        return lines
    }

    private static func check(_ line: NamedLine) throws(RouteFileError) {
        let name = line.name.map { "the line '\($0)'" } ?? "a line"
        guard line.coordinates.count >= 2 else {
            throw RouteFileError("\(name) has fewer than two points")
        }
        let stray = line.coordinates.firstIndex {
            !(-90...90).contains($0.latitude) || !(-180...180).contains($0.longitude)
        }
        guard let stray else { return }
        let place = line.coordinates[stray]
        throw RouteFileError(
            "point \(stray) of \(name) is off the map: lat \(place.latitude), lon \(place.longitude)"
        )
    }
}

/// What is wrong in a file with lines.
struct RouteFileError: Error, Equatable {
    /// A clause, about the file.
    var message: String

    init(_ message: String) {
        self.message = message
    }
}

/// Reads whole text files.
enum TextFile {
    /// Returns the text of a file, `-` being standard input.
    ///
    /// - Throws: ``CommandFailure`` that names the file and says why it cannot be read.
    static func read(_ path: String) throws(CommandFailure) -> String {
        let bytes = try bytes(of: path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("\(path): is not UTF-8 text")
        }
        return text
    }

    /// Returns the bytes of a file, `-` being standard input.
    ///
    /// - Throws: ``CommandFailure`` that names the file and says why it cannot be read.
    static func bytes(of path: String) throws(CommandFailure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        defer { if path != "-" { close(descriptor) } }
        guard descriptor >= 0 else { throw failure(path) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Writes a file, in place of one that is there.
    ///
    /// - Throws: ``CommandFailure`` that names the file and says why it cannot be written.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        guard Process.write(Array(text.utf8), to: descriptor) else { throw failure(path) }
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure("\(path): \(String(cString: strerror(errno)))")
    }
}
