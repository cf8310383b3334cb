/// The vehicles that a place is meant for, by ids and by patterns in which `*` stands for any text.
///
/// Immutable, and shared by reference.
public final class VehicleNames: Sendable, Equatable {
    /// Ids and patterns as they were written.
    public let patterns: [String]
    private let ids: Set<String>
    private let wildcards: [Wildcard]

    /// Creates names from ids and patterns.
    public init(_ patterns: [String]) {
        self.patterns = patterns
        ids = Set(patterns.filter { !$0.utf8.contains(Wildcard.star) })
        wildcards = patterns.filter { $0.utf8.contains(Wildcard.star) }.map(Wildcard.init)
    }

    /// Whether a vehicle is meant.
    public func contains(_ vehicleID: String) -> Bool {
        if ids.contains(vehicleID) { return true }
        guard !wildcards.isEmpty else { return false }
        let bytes = Array(vehicleID.utf8)
        return wildcards.contains { $0.matches(bytes) }
    }

    /// Whether two names were written the same way.
    public static func == (left: VehicleNames, right: VehicleNames) -> Bool {
        left === right || left.patterns == right.patterns
    }
}

/// A text with stars in it, each of which stands for any text.
private struct Wildcard: Sendable {
    static let star = UInt8(ascii: "*")

    /// What the text must begin with.
    private let first: [UInt8]
    /// What must follow in this order.
    private let middle: [[UInt8]]
    /// What it must end with.
    private let last: [UInt8]

    init(_ pattern: String) {
        var pieces = pattern.utf8.split(separator: Self.star, omittingEmptySubsequences: false)
            .map(Array.init)
        last = pieces.removeLast()
        first = pieces.isEmpty ? [] : pieces.removeFirst()
        middle = pieces.filter { !$0.isEmpty }
    }

    /// Takes the first place where each piece fits, which leaves the most for the rest: no way back is needed.
    func matches(_ text: [UInt8]) -> Bool {
        guard text.count >= first.count + last.count, text.starts(with: first),
            text.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = text[first.count..<text.count - last.count]
        for piece in middle {
            guard let end = Self.end(of: piece, in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    private static func end(of piece: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        guard text.count >= piece.count else { return nil }
        for start in text.startIndex...text.endIndex - piece.count
        where text[start...].starts(with: piece) {
            return start + piece.count
        }
        return nil
    }
}
