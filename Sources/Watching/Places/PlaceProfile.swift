/// What people see of a place, and no rule looks at: immutable, and shared by reference.
public final class PlaceProfile: Sendable, Equatable {
    /// Which places' labels a map shows first.
    public enum Rank: String, CaseIterable, Sendable {
        /// After all others.
        case low
        /// Where nothing else is said.
        case medium
        /// Before others.
        case high
        /// In any case.
        case always
    }

    /// More about it, up to 2 KiB.
    public let description: String?
    /// Its colour as 0xrrggbb; `nil` for the category's.
    public let color: UInt32?
    /// How important its label is on a map.
    public let rank: Rank
    /// Up to 16 labels of up to 64 bytes.
    public let labels: [String]
    /// The place that it is part of, which need not exist.
    public let parent: String?
    /// A JSON object of the operator's own, up to 8 KiB of text.
    public let attributes: String?

    /// Creates a profile.
    public init(
        description: String? = nil, color: UInt32? = nil, rank: Rank = .medium,
        labels: [String] = [], parent: String? = nil, attributes: String? = nil
    ) {
        self.description = description
        self.color = color
        self.rank = rank
        self.labels = labels
        self.parent = parent
        self.attributes = attributes
    }

    /// Whether nothing is said.
    public var isEmpty: Bool { self == PlaceProfile() }

    /// Whether two profiles say the same.
    public static func == (left: PlaceProfile, right: PlaceProfile) -> Bool {
        left === right
            || left.description == right.description && left.color == right.color
                && left.rank == right.rank && left.labels == right.labels
                && left.parent == right.parent && left.attributes == right.attributes
    }
}
