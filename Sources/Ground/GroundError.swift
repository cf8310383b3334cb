/// Why there is no ground, or not this piece of it.
package struct GroundError: Error, Equatable, CustomStringConvertible {
    /// What kind of fault it is.
    package enum Reason: Sendable {
        /// The setting names nothing that tiles can come from.
        case misconfigured
        /// The file, the folder or the server cannot be read.
        case unreadable
        /// What was read is not what it should be.
        case damaged
    }

    /// What kind of fault it is.
    package var reason: Reason
    /// A sentence for a person, with the system's or the server's own words.
    package var message: String

    /// The sentence for a person.
    package var description: String { message }

    /// Creates an error.
    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}
