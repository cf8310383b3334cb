/// Tells which of many areas may be near, by their boxes.
///
/// Areas have small numbers of their owner's choice, 0 or more. Putting one is cheap also while there are many: the newest
/// boxes are in a short list, older ones in ever larger trees.
public struct AreaIndex: Sendable {
    /// The boxes that are in no tree yet.
    private var newest: [BoxTree.Entry] = []
    /// Trees, each with room for 32 times as many as the one before.
    private var trees: [BoxTree?] = []
    /// For each id, which of its boxes counts; an even number where there is none.
    private var versions: [UInt32] = []
    /// How many areas there are.
    public private(set) var count = 0
    /// How many boxes are kept that do not count any more.
    private var outdated = 0

    /// How many boxes are looked through one by one, and how much larger each tree may be than the one before.
    private static let listed = 32

    /// Creates an empty index.
    public init() {}

    /// Creates an index of areas, which is faster than putting each.
    ///
    /// - Parameter areas: The boxes by id; of several for one id, the last counts.
    public init(_ areas: some Sequence<(id: Int32, box: CoordinateBox)>) {
        var entries: [BoxTree.Entry] = []
        for area in areas { entries.append(entry(area.id, area.box)) }
        arrange(entries)
    }

    /// Adds an area, or changes its box.
    public mutating func put(_ id: Int32, _ box: CoordinateBox) {
        newest.append(entry(id, box))
        if newest.count > Self.listed { arrange(newest) }
    }

    /// Takes an area away; nothing happens where there is none of that id.
    public mutating func remove(_ id: Int32) {
        guard id >= 0, id < versions.count, !versions[Int(id)].isMultiple(of: 2) else { return }
        versions[Int(id)] += 1
        count -= 1
        outdated += 1
        if outdated > count + Self.listed { arrangeAll() }
    }

    /// Calls a closure with all areas whose boxes are within some metres of a viewpoint, in no order.
    ///
    /// - Returns: A distance in metres, not below `radius`, within which no other area is: infinite where there is none.
    @discardableResult
    public func forEachArea(
        within radius: Double, of viewpoint: Viewpoint, _ body: (Int32) -> Void
    ) -> Double {
        let point = SpaceBox.point(viewpoint.coordinate)
        // A straight way through the earth is no longer than one over the ground.
        let reach = Float(max(0, radius)) * 1.000001 + 1
        var clear = Float.infinity
        visit(within: reach * reach, of: point, &clear, body)
        guard clear.isFinite else { return .infinity }
        return max(radius, Double(clear.squareRoot()) * 0.999999 - 1)
    }

    /// Calls a closure with all areas that may be within some metres of a straight way, in no order.
    public func forEachArea(
        within radius: Double, of way: Way, _ body: (Int32) -> Void
    ) {
        let line = SpaceLine(way, within: radius)
        for entry in newest where entry.box.meets(line) && counts(entry) { body(entry.id) }
        for case let tree? in trees {
            tree.visit(meeting: line) { if counts($0) { body($0.id) } }
        }
    }

    /// Returns all areas that may be within some metres of a route, lowest number first.
    public func areas(within radius: Double, of line: RouteLine) -> [Int32] {
        var found: Set<Int32> = []
        let blocks = (line.vertexCount - 2) / RouteLine.blockSize + 1
        for block in 0..<blocks {
            var point = line.index.ball(block)
            let reach = abs(point.w) + Float(max(0, radius)) * 1.000001 + 1
            point.w = 0
            var clear = Float.infinity
            visit(within: reach * reach, of: point, &clear) { found.insert($0) }
        }
        return found.sorted()
    }

    /// How much memory it takes, in bytes.
    public var memoryBytes: Int {
        trees.reduce(0) { $0 + ($1?.memoryBytes ?? 0) }
            + MemoryLayout<BoxTree.Entry>.stride * newest.capacity + 4 * versions.capacity
    }

    @inline(__always)
    private func visit(
        within square: Float, of point: SIMD4<Float>, _ clear: inout Float,
        _ body: (Int32) -> Void
    ) {
        for entry in newest where counts(entry) {
            let gap = entry.box.square(to: point)
            if gap <= square { body(entry.id) } else { clear = min(clear, gap) }
        }
        for case let tree? in trees {
            tree.visit(within: square, of: point, clear: &clear) {
                if counts($0) { body($0.id) }
            }
        }
    }

    @inline(__always)
    private func counts(_ entry: BoxTree.Entry) -> Bool {
        versions[Int(entry.id)] == entry.version
    }

    /// Makes the entry of an area's new box.
    private mutating func entry(_ id: Int32, _ box: CoordinateBox) -> BoxTree.Entry {
        while versions.count <= id { versions.append(0) }
        if versions[Int(id)].isMultiple(of: 2) {
            versions[Int(id)] += 1
            count += 1
        } else {
            versions[Int(id)] += 2
            outdated += 1
        }
        return BoxTree.Entry(box: SpaceBox(around: box), id: id, version: versions[Int(id)])
    }

    /// Moves boxes into the first tree that has room for them and for all of the smaller ones.
    private mutating func arrange(_ entries: [BoxTree.Entry]) {
        newest = []
        var all = entries
        var place = 0
        var room = Self.listed * Self.listed
        while true {
            if place == trees.count { trees.append(nil) }
            if let tree = trees[place] { all += tree.entries }
            trees[place] = nil
            if all.count <= room { break }
            place += 1
            room *= Self.listed
        }
        let counting = all.filter { counts($0) }
        outdated -= all.count - counting.count
        trees[place] = counting.isEmpty ? nil : BoxTree(counting)
    }

    /// Makes one tree of all that counts.
    private mutating func arrangeAll() {
        let all = trees.reduce(into: newest) { $0 += $1?.entries ?? [] }
        trees = []
        outdated = all.count - count
        arrange(all)
    }
}
