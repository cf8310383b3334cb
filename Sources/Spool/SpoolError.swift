/// Why something about the spool went wrong, in SQLite's or the system's own words.
package struct SpoolError: Error, Equatable, Sendable {
    /// What to decide on.
    package enum Reason: Equatable, Sendable {
        /// Another process owns the folder.
        case locked
        /// The disk has no room.
        case diskFull
        /// The spool holds as much as it may.
        case atBound
        /// The disk, or its driver, failed.
        case io
        /// What is on the disk is not what was written; opening the spool again repairs it.
        case damaged
        /// The position was trimmed away.
        case trimmed
        /// The folder cannot be used, or another version of Waygate made the file.
        case unusable
    }

    package var reason: Reason
    package var message: String
    /// Tells whether waiting and trying again may help.
    package var isTransient: Bool

    package init(reason: Reason, message: String, isTransient: Bool) {
        self.reason = reason
        self.message = message
        self.isTransient = isTransient
    }

    /// Creates an error that is as transient as errors of its reason usually are.
    init(_ reason: Reason, _ message: String) {
        let isTransient =
            switch reason {
            case .locked, .diskFull, .atBound, .io: true
            case .damaged, .trimmed, .unusable: false
            }
        self.init(reason: reason, message: message, isTransient: isTransient)
    }
}
