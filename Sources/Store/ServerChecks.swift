extension PostgresConnection {
    /// Checks that the database can hold any text.
    ///
    /// Another encoding would refuse a row long after its message was acknowledged: the first that names a
    /// driver called Škoda, say.
    ///
    /// - Throws: `StoreError.Reason.wrongEncoding`.
    func checkEncoding() throws(StoreError) {
        let row = try run("select current_database()::text, current_setting('server_encoding')")
        let encoding = row.text(0, 1) ?? "none"
        guard encoding != "UTF8" else { return }
        throw StoreError(
            .wrongEncoding,
            "the database '\(row.text(0, 0) ?? "")' has the encoding \(encoding), and Waygate needs "
                + "UTF8")
    }
}

extension StoreConnection {
    /// Tells whether the server takes no writes: a standby, or one where `default_transaction_read_only` is on.
    package func isReadOnly() throws(StoreError) -> Bool {
        try postgres.run(
            """
            select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean
            """
        ).bool(0, 0)
    }
}
