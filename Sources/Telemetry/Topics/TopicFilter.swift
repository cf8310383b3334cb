/// An MQTT topic filter (MQTT 5, section 4.7).
struct TopicFilter: Equatable, Sendable {
    private enum Level: Equatable {
        case exactly([UInt8])
        /// `+`: any one level.
        case any
        /// `#`: all levels from here on, none included.
        case rest
    }

    private let levels: [Level]

    /// How many levels every topic that matches has at least.
    var shortestMatch: Int { levels.last == .rest ? levels.count - 1 : levels.count }

    /// Whether topics of any length can match.
    var isOpen: Bool { levels.last == .rest }

    /// Reads a filter.
    ///
    /// - Throws: `SourceFault` with what is wrong with it, for a person.
    init(_ text: String) throws(SourceFault) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        var levels: [Level] = []
        for (index, part) in parts.enumerated() {
            switch part {
            case "+": levels.append(.any)
            case "#" where index == parts.count - 1: levels.append(.rest)
            case "#": throw SourceFault(message: "# may only be the last level")
            default: levels.append(.exactly(Array(part.utf8)))
            }
            if part.utf8.count > 1, part.contains(where: { $0 == "+" || $0 == "#" }) {
                throw SourceFault(message: "+ and # must fill a level alone")
            }
        }
        if text.isEmpty { throw SourceFault(message: "it is empty") }
        if text.utf8.count > 65_535 { throw SourceFault(message: "it is longer than 65,535 bytes") }
        if text.utf8.contains(0) { throw SourceFault(message: "it holds U+0000") }
        if parts[0] == "$share" {
            throw SourceFault(message: "a shared subscription would split a vehicle's positions")
        }
        self.levels = levels
    }

    /// Tells whether there are topics that match both filters.
    func overlaps(_ other: TopicFilter) -> Bool {
        if reservesFirstLevel(of: other) || other.reservesFirstLevel(of: self) { return false }
        for index in 0..<max(levels.count, other.levels.count) {
            let mine = index < levels.count ? levels[index] : nil
            let theirs = index < other.levels.count ? other.levels[index] : nil
            switch (mine, theirs) {
            case (.rest, _), (_, .rest): return true
            case (nil, _), (_, nil): return false
            case (.exactly(let one), .exactly(let another)) where one != another: return false
            default: continue
            }
        }
        return true
    }

    /// Tells whether the other filter names a topic of the broker's own, which a wildcard leaves out.
    private func reservesFirstLevel(of other: TopicFilter) -> Bool {
        guard levels.first == .any || levels.first == .rest,
            case .exactly(let name) = other.levels.first
        else { return false }
        return name.first == UInt8(ascii: "$")
    }

    /// Tells whether a topic matches.
    func matches(_ topic: UnsafeRawBufferPointer) -> Bool {
        // Section 4.7.2: a wildcard at the start does not match topics of the broker's own.
        if topic.first == UInt8(ascii: "$"), levels.first == .any || levels.first == .rest {
            return false
        }
        var rest: UnsafeRawBufferPointer? = topic
        for level in levels {
            if level == .rest { return true }
            guard let left = rest else { return false }
            let end = left.firstIndex(of: UInt8(ascii: "/")) ?? left.count
            if case .exactly(let bytes) = level, !left[..<end].elementsEqual(bytes) {
                return false
            }
            rest = end < left.count ? UnsafeRawBufferPointer(rebasing: left[(end + 1)...]) : nil
        }
        return rest == nil
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the topic's level of that number from 0, or `nil` when there are not so many.
    func level(_ number: Int) -> UnsafeRawBufferPointer? {
        part(number, separatedBy: UInt8(ascii: "/"))
    }
}
