/// Boxes of areas, sorted along a curve through space, with boxes around 16 each, around 16 of those, and so on.
final class BoxTree: Sendable {
    /// An area's box, which counts as long as the area has no newer one.
    struct Entry: Sendable {
        var box: SpaceBox
        var id: Int32
        /// Which of the boxes that the area has had it is.
        var version: UInt32
    }

    private static let fanShift = 4
    private static let fan = 1 << fanShift

    let entries: [Entry]
    /// The boxes of the levels above the entries, the lowest first.
    private let boxes: [SpaceBox]
    /// Where each of those levels begins among `boxes`.
    private let starts: [Int32]

    /// Creates the tree over entries, which are sorted.
    init(_ entries: [Entry]) {
        let entries = Self.sorted(entries)
        var boxes: [SpaceBox] = []
        var starts: [Int32] = []
        var level = entries.map(\.box)
        while level.count > Self.fan {
            var next: [SpaceBox] = []
            next.reserveCapacity(level.count / Self.fan + 1)
            for start in stride(from: 0, to: level.count, by: Self.fan) {
                var box = SpaceBox()
                for child in start..<min(start + Self.fan, level.count) {
                    box.formUnion(level[child])
                }
                next.append(box)
            }
            starts.append(Int32(boxes.count))
            boxes += next
            level = next
        }
        self.entries = entries
        self.boxes = boxes
        self.starts = starts
    }

    /// Calls a closure with the entries that are within a distance of a point.
    ///
    /// - Parameters:
    ///   - square: The square of the distance.
    ///   - clear: Becomes the square of the least distance of what was left out, where that is less.
    @inline(__always)
    func visit(
        within square: Float, of point: SIMD4<Float>, clear: inout Float, _ body: (Entry) -> Void
    ) {
        var groups = Groups(of: self)
        while let group = groups.next() {
            if group.level == 0 {
                for index in members(of: group) {
                    let gap = entries[index].box.square(to: point)
                    if gap <= square { body(entries[index]) } else { clear = min(clear, gap) }
                }
            } else {
                let start = Int(starts[group.level - 1])
                for index in members(of: group) {
                    let gap = boxes[start + index].square(to: point)
                    if gap <= square {
                        groups.add(index, level: group.level - 1)
                    } else {
                        clear = min(clear, gap)
                    }
                }
            }
        }
    }

    /// Calls a closure with the entries that a line comes by.
    @inline(__always)
    func visit(meeting line: SpaceLine, _ body: (Entry) -> Void) {
        var groups = Groups(of: self)
        while let group = groups.next() {
            if group.level == 0 {
                for index in members(of: group) where entries[index].box.meets(line) {
                    body(entries[index])
                }
            } else {
                let start = Int(starts[group.level - 1])
                for index in members(of: group) where boxes[start + index].meets(line) {
                    groups.add(index, level: group.level - 1)
                }
            }
        }
    }

    /// Up to 16 boxes of a level above the entries, or entries where that is 0, which share a box.
    private struct Group {
        let level: Int
        let number: Int
    }

    /// The groups that a search has yet to look at: a list without recursion, so that nothing is retained on the way.
    private struct Groups {
        // Up to 15 on each of 7 levels wait while the next one is looked at.
        private var waiting = InlineArray<128, UInt32>(repeating: 0)
        private var count = 1

        init(of tree: BoxTree) { waiting[0] = UInt32(tree.starts.count) << 28 }

        @inline(__always)
        mutating func add(_ number: Int, level: Int) {
            waiting[count] = UInt32(level) << 28 | UInt32(number)
            count += 1
        }

        @inline(__always)
        mutating func next() -> Group? {
            guard count > 0 else { return nil }
            count -= 1
            return Group(
                level: Int(waiting[count] >> 28), number: Int(waiting[count] & 0x0fff_ffff))
        }
    }

    @inline(__always)
    private func members(of group: Group) -> Range<Int> {
        let count: Int
        if group.level == 0 {
            count = entries.count
        } else {
            let end = group.level < starts.count ? Int(starts[group.level]) : boxes.count
            count = end - Int(starts[group.level - 1])
        }
        let first = group.number << Self.fanShift
        return first..<min(first + Self.fan, count)
    }

    /// How much memory it takes, in bytes.
    var memoryBytes: Int {
        MemoryLayout<Entry>.stride * entries.capacity
            + MemoryLayout<SpaceBox>.stride * boxes.capacity
    }

    /// Returns entries in the order of a Z curve through space.
    private static func sorted(_ entries: [Entry]) -> [Entry] {
        var keys: [(key: UInt64, index: Int32)] = []
        keys.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            keys.append((key(entry.box.center), Int32(index)))
        }
        keys.sort { ($0.key, $0.index) < ($1.key, $1.index) }
        return keys.map { entries[Int($0.index)] }
    }

    /// Returns the bits of a place in space, one of each direction in turns.
    private static func key(_ point: SIMD4<Float>) -> UInt64 {
        // 21 bits over the earth's diameter are 7 m.
        let cell = (point + 6.5e6) * (Float(1 << 21) / 1.3e7)
        return spread(cell.x) << 2 | spread(cell.y) << 1 | spread(cell.z)
    }

    /// Returns the lowest 21 bits of a number with room for two between each and the next.
    private static func spread(_ number: Float) -> UInt64 {
        var bits = UInt64(min(max(number, 0), Float(1 << 21) - 1))
        bits = (bits | bits << 32) & 0x001f_0000_0000_ffff
        bits = (bits | bits << 16) & 0x001f_0000_ff00_00ff
        bits = (bits | bits << 8) & 0x100f_00f0_0f00_f00f
        bits = (bits | bits << 4) & 0x10c3_0c30_c30c_30c3
        return (bits | bits << 2) & 0x1249_2492_4924_9249
    }
}
