/// Why the database did not do what it was asked.
package struct StoreError: Error, Equatable, Sendable {
    /// The kinds of failure that callers tell apart.
    package enum Reason: String, Equatable, Sendable {
        /// No answer: not there, gone in the middle, or silent for too long.
        case unreachable
        /// There, but starting, stopping or full.
        case starting
        /// The connection string cannot be read.
        case badConnectionString = "bad_connection_string"
        /// The user is unknown, its password wrong or missing, or its host not let in.
        case refusedCredentials = "refused_credentials"
        /// The server has no database of this name.
        case noSuchDatabase = "no_such_database"
        /// The database cannot hold any text.
        case wrongEncoding = "wrong_encoding"
        /// The database has no tables of Waygate's.
        case schemaMissing = "schema_missing"
        /// The tables are those of an older release.
        case schemaOlder = "schema_older"
        /// The tables are those of a newer release.
        case schemaNewer = "schema_newer"
        /// The tables are those of a build before the first release.
        case schemaUnreleased = "schema_unreleased"
        /// Another owner has taken the database over since.
        case fenced
        /// The tables hold another spool position than the batch starts from.
        case checkpointMoved = "checkpoint_moved"
        /// Another worker or spool owns the database and is alive.
        case conflict
        /// The content of the batch is refused, and would be again.
        case dataRefused = "data_refused"
        /// The server takes no writes now: a standby, or told to take none.
        case readOnly = "read_only"
        /// The user lacks a right.
        case permission
        /// Anything else; `message` tells.
        case other
    }

    /// What kind of failure it is.
    package var reason: Reason
    /// The server's or libpq's own words, on one line.
    package var message: String
    /// The server's code, or `nil` when it did not give one.
    package var sqlState: String?
    /// Name of the table's constraint that refused a row, where one did.
    var constraint: String?
    /// Name of the table that refused a row, where one did.
    var table: String?

    /// Creates an error of the store's own.
    package init(_ reason: Reason, _ message: String, sqlState: String? = nil) {
        self.reason = reason
        self.message = message
        self.sqlState = sqlState
    }

    /// Whether waiting may heal it.
    package var isTransient: Bool {
        switch reason {
        case .unreachable, .starting, .readOnly:
            return true
        case .other:
            // Serialization, resources, locks, interventions, the system, and the server's own faults.
            let healing = ["08", "25", "40", "53", "55", "57", "58", "XX"]
            return sqlState.map { healing.contains(String($0.prefix(2))) } ?? false
        case .badConnectionString, .refusedCredentials, .noSuchDatabase, .wrongEncoding,
            .schemaMissing, .schemaOlder, .schemaNewer, .schemaUnreleased, .fenced,
            .checkpointMoved, .conflict, .dataRefused, .permission:
            return false
        }
    }

    /// Whether the content of the batch is at fault, so that a smaller batch may pass.
    package var isDataRefused: Bool { reason == .dataRefused }

    /// What to do about it, in one line.
    package var hint: String {
        switch reason {
        case .unreachable: "check that PostgreSQL runs and that database.url leads to it"
        case .starting: "wait until PostgreSQL takes connections"
        case .badConnectionString: "correct database.url: see libpq's connection strings"
        case .refusedCredentials:
            "correct the user in database.url, database.password_file or pg_hba.conf"
        case .noSuchDatabase: "create the database, or correct its name in database.url"
        case .wrongEncoding:
            "make one with 'createdb -T template0 -E UTF8 NAME' and name it in database.url"
        case .schemaMissing, .schemaOlder: "run 'waygate migrate' as the owner of the database"
        case .schemaNewer: "install the release of waygate that migrated this database"
        case .schemaUnreleased:
            "drop the schema ('drop schema waygate cascade' loses its rows), then run 'waygate migrate'"
        case .fenced: "stop one of the two workers: a database has one owner"
        case .checkpointMoved: "claim the database again and go on from its checkpoint"
        case .conflict: "stop the other worker, or start this one with --take-over"
        case .dataRefused: "find the refused row under rejected_messages"
        case .readOnly:
            "lead database.url to the primary (target_session_attrs=read-write), or turn "
                + "default_transaction_read_only off"
        case .permission: "run sql/roles.sql and grant waygate_worker to the user"
        case .other: "see the server's log"
        }
    }
}

extension StoreError {
    /// Creates the error that a server's answer to a statement stands for.
    init(sqlState: String, message: String) {
        self.init(Self.reason(of: sqlState), message, sqlState: sqlState)
    }

    /// Tells what a server's code means to us.
    static func reason(of sqlState: String) -> Reason {
        switch sqlState {
        case "28P01", "28000": return .refusedCredentials
        case "3D000": return .noSuchDatabase
        case "3F000", "42P01": return .schemaMissing
        case "42501": return .permission
        case "25006": return .readOnly
        case "57P01", "57P02": return .unreachable
        case "57P03", "53300": return .starting
        case "21000", "22000"..."23ZZZ", "54000"..."54ZZZ": return .dataRefused
        case "08000"..."08ZZZ": return .unreachable
        // Not ours: a code that we do not know is told in the server's words.
        default: return .other
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// The server's words, and what to do.
    package var description: String { "\(message): \(hint)" }
}
