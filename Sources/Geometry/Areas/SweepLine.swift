/// The edges that a sweep line meets, from below to above: a tree that random priorities keep shallow.
struct SweepLine {
    private struct Node {
        var parent: Int32 = -1
        var lower: Int32 = -1
        var upper: Int32 = -1
        /// The neighbours in the order.
        var below: Int32 = -1
        var above: Int32 = -1
        /// How many nodes hang here, itself among them.
        var size: Int32 = 1
        var priority: UInt32 = 0
    }

    private var nodes: [Node]
    private var root: Int32 = -1
    private var seed: UInt32 = 0x9e37_79b9

    /// Creates an empty line for edges with numbers below `count`.
    init(count: Int) {
        nodes = Array(repeating: Node(), count: count)
    }

    /// Returns the edge next below another.
    func below(_ edge: Int32) -> Int32? { Self.edge(nodes[Int(edge)].below) }

    /// Returns how many edges are below another.
    func rank(of edge: Int32) -> Int {
        var rank = size(nodes[Int(edge)].lower)
        var child = edge
        while case let parent = nodes[Int(child)].parent, parent >= 0 {
            if nodes[Int(parent)].upper == child { rank += size(nodes[Int(parent)].lower) + 1 }
            child = parent
        }
        return Int(rank)
    }

    /// Puts an edge in its place, and returns its neighbours.
    ///
    /// - Parameter isBelow: Whether the first, which is new, is below the second.
    mutating func insert(
        _ edge: Int32, by isBelow: (Int32, Int32) -> Bool
    ) -> (below: Int32?, above: Int32?) {
        var node = Node()
        // Xorshift: equal shapes take equal time.
        seed ^= seed << 13
        seed ^= seed >> 17
        seed ^= seed << 5
        node.priority = seed
        var next = root
        var isLower = false
        while next >= 0 {
            node.parent = next
            nodes[Int(next)].size += 1
            isLower = isBelow(edge, next)
            if isLower {
                node.above = next
                next = nodes[Int(next)].lower
            } else {
                node.below = next
                next = nodes[Int(next)].upper
            }
        }
        nodes[Int(edge)] = node
        if node.parent < 0 {
            root = edge
        } else if isLower {
            nodes[Int(node.parent)].lower = edge
        } else {
            nodes[Int(node.parent)].upper = edge
        }
        if node.below >= 0 { nodes[Int(node.below)].above = edge }
        if node.above >= 0 { nodes[Int(node.above)].below = edge }
        while case let parent = nodes[Int(edge)].parent, parent >= 0,
            nodes[Int(parent)].priority < node.priority
        {
            raise(edge)
        }
        return (Self.edge(node.below), Self.edge(node.above))
    }

    /// Takes an edge away, and returns those that become neighbours.
    mutating func remove(_ edge: Int32) -> (below: Int32?, above: Int32?) {
        while case let node = nodes[Int(edge)], node.lower >= 0, node.upper >= 0 {
            let isLower = nodes[Int(node.lower)].priority > nodes[Int(node.upper)].priority
            raise(isLower ? node.lower : node.upper)
        }
        let node = nodes[Int(edge)]
        replace(edge, by: max(node.lower, node.upper))
        var parent = node.parent
        while parent >= 0 {
            nodes[Int(parent)].size -= 1
            parent = nodes[Int(parent)].parent
        }
        if node.below >= 0 { nodes[Int(node.below)].above = node.above }
        if node.above >= 0 { nodes[Int(node.above)].below = node.below }
        return (Self.edge(node.below), Self.edge(node.above))
    }

    private static func edge(_ link: Int32) -> Int32? { link >= 0 ? link : nil }

    private func size(_ link: Int32) -> Int32 { link >= 0 ? nodes[Int(link)].size : 0 }

    /// Lets a node change places with its parent.
    private mutating func raise(_ child: Int32) {
        let parent = nodes[Int(child)].parent
        let moved: Int32
        if nodes[Int(parent)].lower == child {
            moved = nodes[Int(child)].upper
            nodes[Int(parent)].lower = moved
            nodes[Int(child)].upper = parent
        } else {
            moved = nodes[Int(child)].lower
            nodes[Int(parent)].upper = moved
            nodes[Int(child)].lower = parent
        }
        if moved >= 0 { nodes[Int(moved)].parent = parent }
        let whole = nodes[Int(parent)].size
        nodes[Int(parent)].size += size(moved) - nodes[Int(child)].size
        nodes[Int(child)].size = whole
        replace(parent, by: child)
        nodes[Int(parent)].parent = child
    }

    /// Hangs a node where another one hung, under its parent.
    private mutating func replace(_ old: Int32, by new: Int32) {
        let parent = nodes[Int(old)].parent
        if parent < 0 {
            root = new
        } else if nodes[Int(parent)].lower == old {
            nodes[Int(parent)].lower = new
        } else {
            nodes[Int(parent)].upper = new
        }
        if new >= 0 { nodes[Int(new)].parent = parent }
    }
}
