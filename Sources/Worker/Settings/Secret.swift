/// A text that no log line, error or dump may show: a password, a token, a URL with one inside.
package struct Secret: Hashable, Sendable {
    /// The text itself.
    package var revealed: String

    /// Hides a text.
    package init(_ text: String) {
        self.revealed = text
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Three asterisks, whatever the text.
    package var description: String { "***" }

    /// Three asterisks, whatever the text.
    package var debugDescription: String { "***" }

    /// A mirror that shows nothing.
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
