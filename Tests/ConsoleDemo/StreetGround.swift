import Console
import Foundation

/// The made-up town's streets as vector tiles, in place of a routing engine's.
struct StreetGround: ConsoleGround {
    private let streets: Streets

    init(_ streets: Streets) {
        self.streets = streets
    }

    func describe() -> [UInt8] {
        Array(#"{"minzoom":11,"maxzoom":14,"attribution":"<b>Made-up</b> streets"}"#.utf8)
    }

    func load(_ tile: GroundTile, then: @escaping @Sendable (GroundContent) -> Void) {
        DispatchQueue.global().async { then(.tile(encoded(tile), isCompressed: false)) }
    }

    /// Returns the streets that touch a tile.
    private func encoded(_ tile: GroundTile) -> [UInt8] {
        var layer = TileLayer("roads")
        let square = Square(tile)
        for row in 0..<streets.size {
            for column in 0..<streets.size {
                for isNorth in [true, false] {
                    let line = streets.street(row: row, column: column, isNorth: isNorth)
                    guard let line, line.contains(where: { square.isNear($0) }) else { continue }
                    let (number, kind) = Self.name(isNorth ? column : row)
                    layer.add(
                        line.map(square.point), kind: kind,
                        name: isNorth ? "\(number) Avenue" : "\(number) Street")
                }
            }
        }
        return layer.tile
    }

    /// Returns a street's number in words, and what kind of road it is.
    private static func name(_ index: Int) -> (String, String) {
        let ends = [1: "st", 2: "nd", 3: "rd"]
        let end = (11...13).contains(index % 100) ? "th" : ends[index % 10] ?? "th"
        let kind = index % 12 == 6 ? "highway" : index % 4 == 2 ? "major_road" : "minor_road"
        return ("\(index)\(end)", kind)
    }
}

/// Where places are in a tile.
private struct Square {
    let tile: GroundTile

    init(_ tile: GroundTile) {
        self.tile = tile
    }

    /// Returns a place in the tile's own units, 4,096 a side.
    func point(_ place: Streets.Place) -> (x: Int, y: Int) {
        let side = Double(1 << tile.zoom)
        let north = asinh(tan(place.latitude * .pi / 180)) / .pi
        let x = (place.longitude + 180) / 360 * side - Double(tile.column)
        let y = (1 - north) / 2 * side - Double(tile.row)
        return (Int((x * 4096).rounded()), Int((y * 4096).rounded()))
    }

    func isNear(_ place: Streets.Place) -> Bool {
        let (x, y) = point(place)
        return (-64...4160).contains(x) && (-64...4160).contains(y)
    }
}

/// One layer of a Mapbox vector tile, as it is written.
private struct TileLayer {
    private var features: [UInt8] = []
    private var keys: [String] = ["kind", "name"]
    private var values: [String: Int] = [:]
    private var words: [String] = []
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    /// The tile with this layer.
    var tile: [UInt8] {
        var layer = Self.field(1, Array(name.utf8)) + [0x78, 2] + features
        for key in keys { layer += Self.field(3, Array(key.utf8)) }
        for word in words { layer += Self.field(4, Self.field(1, Array(word.utf8))) }
        return Self.field(3, layer)
    }

    mutating func add(_ line: [(x: Int, y: Int)], kind: String, name: String) {
        let tags = [0, index(of: kind), 1, index(of: name)].flatMap { Self.varint($0) }
        var geometry: [UInt8] = []
        var last = (x: 0, y: 0)
        for (index, point) in line.enumerated() {
            if index == 0 { geometry += Self.varint(1 << 3 | 1) }
            if index == 1 { geometry += Self.varint((line.count - 1) << 3 | 2) }
            geometry += Self.signed(point.x - last.x) + Self.signed(point.y - last.y)
            last = point
        }
        features += Self.field(2, Self.field(2, tags) + [0x18, 2] + Self.field(4, geometry))
    }

    private mutating func index(of word: String) -> Int {
        if let index = values[word] { return index }
        values[word] = words.count
        words.append(word)
        return words.count - 1
    }

    private static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(bytes.count) + bytes
    }

    private static func signed(_ number: Int) -> [UInt8] {
        varint(number < 0 ? -2 * number - 1 : 2 * number)
    }

    private static func varint(_ number: Int) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), number)
        while rest > 127 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
