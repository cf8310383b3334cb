/// One value of a JSON5 text, with the line that it starts on.
///
/// Foundation's decoder reads JSON5 too, but says neither where a text is broken nor that a key is
/// there twice, and knows no lines; a person who mistyped a setting needs all three.
package struct JSON5Value: Equatable, Sendable {
    /// What a value can be.
    package enum Content: Equatable, Sendable {
        /// `null`.
        case null
        /// `true` or `false`; never a number.
        case bool(Bool)
        /// Any number, also `Infinity` and `NaN`.
        case number(Double)
        /// A string, its escapes resolved.
        case text(String)
        /// An array.
        case list([JSON5Value])
        /// An object's members in the order of the text, no key twice.
        case object([Member])
    }

    /// One member of an object.
    package struct Member: Equatable, Sendable {
        /// The member's name.
        package var key: String
        /// Line of the name, from 1.
        package var line: Int
        /// The member's value.
        package var value: JSON5Value
    }

    /// The value itself.
    package var content: Content
    /// Line that the value starts on, from 1.
    package var line: Int

    /// Reads one JSON5 text.
    ///
    /// - Throws: ``JSON5Error`` at the first place where the text stops being JSON5.
    package init(parsing text: String) throws(JSON5Error) {
        var parser = JSON5Parser(text)
        self = try parser.document()
    }

    init(_ content: Content, line: Int) {
        self.content = content
        self.line = line
    }
}

/// Where a text stopped being JSON5, and what was expected there.
package struct JSON5Error: Error, Equatable, Sendable {
    /// The line, from 1.
    package var line: Int
    /// What is wrong, as a clause.
    package var message: String
}
