/// Why the console could not be started.
package struct ConsoleError: Error, Equatable, CustomStringConvertible {
    /// What kind of fault it is.
    package enum Reason: Sendable {
        /// A setting cannot be used.
        case invalidSetting
        /// The address is taken, not this machine's, or not allowed.
        case cannotListen
        /// libmicrohttpd did not start.
        case cannotStart
    }

    /// What kind of fault it is.
    package var reason: Reason
    /// A sentence for a person, with the system's own words.
    package var message: String

    /// The sentence for a person.
    package var description: String { message }
}
