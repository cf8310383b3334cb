/// Whose rows they are.
package struct StoreIdentity: Sendable {
    package var spoolID: String
    /// The settings to begin with where the database knows none.
    package var settings: FleetSettings
    /// Whether to take the database over from another worker.
    package var takesOver: Bool
    /// Whether to go on where entries between the database and the spool are lost.
    package var acceptsGap: Bool

    package init(
        spoolID: String, settings: FleetSettings, takesOver: Bool = false,
        acceptsGap: Bool = false
    ) {
        self.spoolID = spoolID
        self.settings = settings
        self.takesOver = takesOver
        self.acceptsGap = acceptsGap
    }
}

/// A database and a spool that do not belong together.
struct StoreMismatch: Error, CustomStringConvertible {
    var message: String
    var description: String { message }
}
