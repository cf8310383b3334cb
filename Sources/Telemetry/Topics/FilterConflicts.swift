/// Finds sources that would bring a message twice, or the worker's own messages back.
///
/// A broker may deliver a message once for each subscription that matches it, under different packet ids, so
/// that nothing tells the copies from two messages. A position that comes twice is harmless; a command is not.
package enum FilterConflicts {
    /// Tells whether a topic can match both filters; of `$share/GROUP/FILTER` the filter counts.
    ///
    /// Filters that are none overlap with nothing.
    package static func overlap(_ one: String, _ another: String) -> Bool {
        guard let one = try? TopicFilter(unshared(one)),
            let another = try? TopicFilter(unshared(another))
        else { return false }
        return one.overlaps(another)
    }

    /// Returns what is wrong with sources under a root: one sentence for each source that is at fault, which
    /// names its filter and what that collides with.
    package static func mistakes(
        root: String, filters: [String]
    ) -> [(index: Int, message: String)] {
        filters.enumerated().compactMap { index, filter in
            let read = readTopics(root).filter { overlap(filter, $0) }
            let own = ownTopics(root).filter { overlap(filter, $0) }
            // The same filter again is one subscription.
            let others = filters[..<index].filter { $0 != filter && overlap(filter, $0) }
            var faults: [String] = []
            if let first = others.first {
                faults.append("it overlaps the source '\(first)', and a message would come twice")
            }
            if !read.isEmpty {
                faults.append(
                    "it overlaps the worker's \(list(read)), and a message would come twice")
            }
            if !own.isEmpty {
                faults.append("it would bring back what the worker publishes to \(list(own))")
            }
            guard !faults.isEmpty else { return nil }
            return (index, "'\(filter)' is too wide: " + faults.joined(separator: "; "))
        }
    }

    /// What the worker subscribes to besides the sources.
    private static func readTopics(_ root: String) -> [String] {
        ["\(root)/+/position", "\(root)/+/command/+", "\(root)-place/+/command/+"]
    }

    /// What the worker publishes to.
    private static func ownTopics(_ root: String) -> [String] {
        [
            "\(root)/+/event/+", "\(root)/+/alarm/+", "\(root)/+/progress", "\(root)/+/route",
            "\(root)/+/proposal", "\(root)-place/+/definition", "\(root)-place/+/event/+",
            "\(root)-worker/+/status",
        ]
    }

    private static func list(_ topics: [String]) -> String {
        topics.map { "'\($0)'" }.joined(separator: ", ")
    }

    private static func unshared(_ filter: String) -> String {
        guard filter.hasPrefix("$share/") else { return filter }
        let parts = filter.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? String(parts[2]) : filter
    }
}
