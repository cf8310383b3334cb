internal import CPostgres
internal import Glibc

extension PostgresConnection {
    /// Connects, and waits for the server's answer.
    ///
    /// - Throws: `StoreError` with a reason that tells what waiting heals from what it does not.
    convenience init(_ settings: StoreSettings) throws(StoreError) {
        try Self.check(settings.connection)
        let options = Self.options(settings)
        let opened = Self.withCArrays(options) { keywords, values in
            PQconnectdbParams(keywords, values, 1)
        }
        guard let handle = opened, PQstatus(handle) == CONNECTION_OK else {
            defer { PQfinish(opened) }
            throw Self.refusal(opened, options, settings)
        }
        // The server's own time-out comes first, so that its error is heard.
        self.init(handle, patience: settings.statementTimeout + 2)
    }

    /// The parameters in libpq's order of precedence: later ones win over earlier ones.
    private static func options(_ settings: StoreSettings) -> [(String, String)] {
        let timeout = Int(settings.connectTimeout.rounded(.up))
        let silence = Int(settings.statementTimeout * 1000)
        var options = [
            ("fallback_application_name", "waygate"),
            ("connect_timeout", String(max(timeout, 2))),
            ("tcp_user_timeout", String(silence)),
            ("keepalives", "1"),
            ("keepalives_idle", "30"),
            ("keepalives_interval", "10"),
            ("keepalives_count", "3"),
            // Expanded, as it may be a whole connection string or URI.
            ("dbname", settings.connection),
            ("client_encoding", "UTF8"),
        ]
        if let password = settings.password {
            options.append(("password", password))
        }
        return options
    }

    private static func check(_ connection: String) throws(StoreError) {
        let isURI = connection.hasPrefix("postgres://") || connection.hasPrefix("postgresql://")
        guard isURI || connection.utf8.contains(UInt8(ascii: "=")) else { return }
        var words: UnsafeMutablePointer<CChar>?
        let parsed = PQconninfoParse(connection, &words)
        defer {
            PQconninfoFree(parsed)
            PQfreemem(words)
        }
        guard parsed == nil else { return }
        let message = words.map { String(cString: $0).onOneLine } ?? "out of memory"
        throw StoreError(.badConnectionString, message)
    }

    private static func refusal(
        _ failed: OpaquePointer?, _ options: [(String, String)], _ settings: StoreSettings
    ) -> StoreError {
        guard let failed else { return StoreError(.unreachable, "out of memory") }
        let message = String(cString: PQerrorMessage(failed)).onOneLine
        if PQconnectionNeedsPassword(failed) == 1 {
            return StoreError(.refusedCredentials, message)
        }
        // libpq's own words, which it does not translate here: first for settings that cannot work.
        let unusable = [
            "certificate file", "private key file", "certificate verify failed",
            "server does not support SSL",
        ]
        if message.hasPrefix("invalid ") || unusable.contains(where: message.contains) {
            return StoreError(.badConnectionString, message)
        }
        // Then for nobody there.
        let unanswered = [
            "Connection refused", "timeout expired", "could not translate host name",
            "No such file or directory", "No route to host", "Network is unreachable",
        ]
        if unanswered.contains(where: message.contains) && !message.contains("FATAL") {
            return StoreError(.unreachable, message)
        }
        guard let sqlState = sqlState(options, settings) else {
            return StoreError(.unreachable, message)
        }
        // pgbouncer gives one code for all that it refuses, and English words.
        if sqlState == "08P01" {
            let lacks = ["no such database", "does not exist"].contains(where: message.contains)
            if lacks && message.contains("database") {
                return StoreError(.noSuchDatabase, message, sqlState: sqlState)
            }
            if message.contains("no such user") || message.contains("authentication failed") {
                return StoreError(.refusedCredentials, message, sqlState: sqlState)
            }
        }
        return StoreError(sqlState: sqlState, message: message)
    }

    /// Asks once more, for the server's code instead of its words, which may be in any language.
    private static func sqlState(
        _ options: [(String, String)], _ settings: StoreSettings
    ) -> String? {
        let handle = withCArrays(options) { keywords, values in
            PQconnectStartParams(keywords, values, 1)
        }
        defer { PQfinish(handle) }
        guard let handle else { return nil }
        PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
        var status = PGRES_POLLING_WRITING
        while status == PGRES_POLLING_WRITING || status == PGRES_POLLING_READING {
            let events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT
            var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
            let ready = poll(&socket, 1, CInt(clamping: Int64(settings.connectTimeout * 1000)))
            guard ready > 0 else { return nil }
            status = PQconnectPoll(handle)
        }
        guard status == PGRES_POLLING_FAILED else { return nil }
        let words = String(cString: PQerrorMessage(handle)).split { $0.isWhitespace }
        return words.last { word in
            word.utf8.count == 5 && word.contains { $0.isNumber }
                && word.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
        }.map(String.init)
    }

    private static func withCArrays<R>(
        _ options: [(String, String)],
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?
        ) -> R
    ) -> R {
        let keywords = options.map { strdup($0.0) }
        let values = options.map { strdup($0.1) }
        defer {
            (keywords + values).forEach { free($0) }
        }
        return body(
            keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil])
    }
}
