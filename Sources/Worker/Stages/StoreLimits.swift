/// The store stage's bounds; times in seconds.
package struct StoreLimits: Sendable {
    /// Least time between the beginnings of two transactions.
    package var commitInterval = 0.2
    /// How often acknowledgements are written when there is nothing else to write.
    package var acknowledgementInterval = 0.5
    /// How often the database hears that the worker lives.
    package var heartbeatInterval = 2.0
    /// How often partitions are made and old rows deleted.
    package var maintenanceInterval = 600.0
    /// The same while there is more to delete than one round takes.
    package var nextRoundInterval = 5.0
    /// First pause after a failure.
    package var retryPause = 0.2
    /// Longest pause after failures.
    package var maxRetryPause = 5.0
    /// Seconds that a connection has to be of use before the pauses begin with the first again.
    package var calm = 5.0
    /// Pause after maintenance that failed.
    package var maintenancePause = 60.0
    /// Rows of one transaction while catching up.
    package var catchUpRows = 20_000
    /// Bytes that are read from the spool at once.
    package var readBytes = 4 << 20

    package init() {}
}
