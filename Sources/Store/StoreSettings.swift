/// How to reach the database, and what to keep in it.
package struct StoreSettings: Sendable {
    /// Days after which rows are removed.
    package struct Retention: Equatable, Sendable {
        /// For `positions`, which go a whole day's partition at a time; 1 or more.
        package var positionsDays = 90
        /// For `rejected_messages`; 1 or more.
        package var rejectedDays = 30
        /// For trips after their end, with their events and commands; 1 or more.
        package var tripsDays = 365
        /// For `alarms`; 1 or more.
        package var alarmsDays = 365
        /// For `visits` after they were left, and `speedings`; 1 or more.
        package var visitsDays = 730
        /// For `stops` and `drives` after their end; 1 or more.
        package var journalDays = 730

        /// Creates the defaults.
        package init() {}
    }

    /// A libpq connection string or URI; empty for libpq's own environment (`PG*`).
    package var connection: String
    /// The password, where it does not stand in `connection`.
    package var password: String?
    /// Names the worker in `checkpoints`.
    package var workerID: String
    /// The part of the vehicles that it writes, counted from 0.
    package var partition: Int64 = 0
    /// How long rows are kept.
    package var retention = Retention()
    /// Seconds that one host may take to open a session; libpq takes 2 or more.
    package var connectTimeout = 10.0
    /// Seconds that one statement may take, and that a server may be silent.
    package var statementTimeout = 30.0
    /// Seconds after which an owner that was not heard of has lost the database to the next one
    /// that asks.
    package var ownerTimeout = 30.0

    /// Creates settings for a worker.
    package init(connection: String = "", password: String? = nil, workerID: String = "waygate") {
        self.connection = connection
        self.password = password
        self.workerID = workerID
    }
}
