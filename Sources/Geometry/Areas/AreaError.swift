/// Why a shape is no area: what is wrong with it, and where.
public struct AreaError: Error, Equatable, Sendable {
    /// The kinds of mistakes.
    public enum Reason: Sendable {
        /// A coordinate, radius or width is not in its range.
        case outOfRange
        /// A ring has fewer than 3 vertices, or a line fewer than 2, where repeated ones count once.
        case tooFewVertices
        /// A ring, a part or a rectangle encloses nothing.
        case noArea
        /// An edge is exactly as short one way round the earth as the other.
        case halfCircle
        /// A ring goes round a pole, so that it does not say which side is meant.
        case aroundPole
        /// Two edges of one part cross.
        case crossing
    }

    /// What kind of mistake it is.
    public let reason: Reason
    /// What is wrong and where, as words to follow a colon.
    public let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}

extension AreaError: CustomStringConvertible {
    /// What is wrong and where.
    public var description: String { message }
}
