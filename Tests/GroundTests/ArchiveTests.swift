import Foundation
import Testing

@testable import Ground

/// Files made by the format's own library: see the README beside them.
private let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../Fixtures/ground").standardized.path

@Suite struct ArchiveTests {
    /// `leaves.pmtiles` has zooms 0 to 7 but for holes; a tile is a number that its place gives.
    @Test func findsEveryTileThroughLeafDirectories() throws {
        let archive = try TileArchive("\(folder)/leaves.pmtiles")
        #expect(archive.facts.zooms == 1...7)
        #expect(archive.facts.attribution == "<a href='https://example.org'>&copy; Mapmakers</a>")
        for zoom in 0...7 {
            for column in 0..<(1 << zoom) {
                for row in 0..<(1 << zoom) {
                    let tile = TileID(zoom: zoom, column: column, row: row)
                    let isHole = (column * 7 + row) % 11 == 0
                    let number = (column * 7919 + row * 104_729 + zoom) % 1500
                    let expected = isHole ? nil : Array(String(number).utf8)
                    #expect(try archive.read(tile)?.bytes == expected)
                }
            }
        }
        #expect(try archive.read(TileID(zoom: 8, column: 0, row: 0)) == nil)
    }

    /// In `packed.pmtiles` all of zoom 13 is one run.
    @Test func handsPackedTilesOverAsTheyAre() throws {
        let archive = try TileArchive("\(folder)/packed.pmtiles")
        #expect(archive.facts.bounds == [9.47, 47.05, 9.64, 47.28])
        for (tile, content) in [
            (TileID(zoom: 12, column: 2157, row: 1439), "12/2157/1439"),
            (TileID(zoom: 13, column: 4312, row: 2876), "alike"),
            (TileID(zoom: 13, column: 4315, row: 2879), "alike"),
        ] {
            let data = try #require(try archive.read(tile))
            #expect(data.isPacked)
            #expect(try Inflater.unpack(data.bytes, limit: 100) == Array(content.utf8))
        }
        #expect(try archive.read(TileID(zoom: 12, column: 2158, row: 1439)) == nil)
    }

    /// Numbers from the specification.
    @Test(arguments: [
        [0, 0, 0, 0], [1, 0, 0, 1], [1, 0, 1, 2], [1, 1, 1, 3], [1, 1, 0, 4], [2, 0, 0, 5],
        [12, 3423, 1763, 19_078_479],
    ])
    func numbersTilesAlongACurve(_ numbers: [Int]) {
        let tile = TileID(zoom: numbers[0], column: numbers[1], row: numbers[2])
        #expect(TileArchive.number(of: tile) == UInt64(numbers[3]))
    }

    @Test(arguments: ["leaves.pmtiles", "packed.pmtiles"])
    func survivesEveryDamage(_ name: String) throws {
        let whole = try Array(Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
        let path = "\(NSTemporaryDirectory())waygate-\(UUID().uuidString).pmtiles"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let tiles = [
            TileID(zoom: 7, column: 100, row: 3), TileID(zoom: 12, column: 2156, row: 1438),
            TileID(zoom: 13, column: 4313, row: 2877),
        ]
        var random = SystemRandomNumberGenerator()
        for turn in 0..<400 {
            var damaged = whole
            if turn % 4 == 0 {
                damaged.removeLast(Int.random(in: 1..<damaged.count, using: &random))
            } else {
                for _ in 0..<(1 + turn % 7) {
                    let place = turn % 2 == 0 ? ArchiveHeader.count + 200 : damaged.count
                    damaged[Int.random(in: 0..<min(place, damaged.count), using: &random)] =
                        UInt8.random(in: 0...255, using: &random)
                }
            }
            try Data(damaged).write(to: URL(filePath: path))
            // Whatever comes of it, it comes to an end.
            guard let archive = try? TileArchive(path) else { continue }
            for tile in tiles { _ = try? archive.read(tile) }
        }
    }

    @Test(arguments: [
        (0, UInt8(0), "is no PMTiles file"), (7, 2, "is PMTiles of version 2, not 3"),
        (99, 2, "has no vector tiles"), (98, 3, "packed with neither gzip nor nothing"),
        (22, 1, "a directory is longer than any should be"),
        (15, 0xFF, "an offset beyond all files"),
        (101, 200, "names zooms 12 to 200"), (11, 1, "ends before what it should hold"),
    ])
    func saysWhatIsWrongWithAFile(_ place: Int, _ byte: UInt8, _ words: String) throws {
        var bytes = try Array(Data(contentsOf: URL(filePath: "\(folder)/packed.pmtiles")))
        bytes[place] = byte
        let path = "\(NSTemporaryDirectory())waygate-\(UUID().uuidString).pmtiles"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(filePath: path))
        let error = #expect(throws: GroundError.self) { try TileArchive(path) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(error?.message.hasPrefix(path) == true)
    }

    @Test func unpacksNoMoreThanItMay() throws {
        let packed = try Array(Data(contentsOf: URL(filePath: "\(folder)/zeros.gz")))
        #expect(try Inflater.unpack(packed, limit: 2_000_000).count == 1_000_000)
        #expect(throws: GroundError.self) { try Inflater.unpack(packed, limit: 500_000) }
        #expect(throws: GroundError.self) {
            try Inflater.unpack(Array(packed.dropLast(4)), limit: 2_000_000)
        }
    }
}
