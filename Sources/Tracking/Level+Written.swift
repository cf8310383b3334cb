extension Level {
    /// The level as it is written: levels are the same where this is, so that `2` is `"2"`.
    public var written: String {
        switch self {
        case .text(let text): text
        case .number(let number):
            Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        }
    }

    /// Whether two levels are the same floor: whether they are written equally.
    public func isSame(as other: Level) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left == right
        case (.text(let left), .text(let right)): left == right
        case (.number, .text), (.text, .number): written == other.written
        }
    }
}
