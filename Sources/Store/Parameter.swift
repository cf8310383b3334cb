/// A statement with its values.
struct Statement {
    /// The text, with `$1`, `$2` … for the values.
    var sql: String
    /// The values, in order.
    var parameters: [Parameter] = []

    /// Creates a statement.
    init(_ sql: String, _ parameters: [Parameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}

/// A value in PostgreSQL's binary format, with its type.
struct Parameter {
    /// The type's number in `pg_type`; those of the built-in types never change.
    var type: UInt32
    /// The value; `nil` for null.
    var bytes: [UInt8]?

    private init(_ type: UInt32, _ bytes: [UInt8]?) {
        self.type = type
        self.bytes = bytes
    }

    /// A `text`.
    static func text(_ value: String) -> Parameter {
        Parameter(25, value.utf8.filter { $0 != 0 })
    }

    /// A `text`, or null.
    static func nullableText(_ value: String?) -> Parameter {
        value.map(Parameter.text) ?? Parameter(25, nil)
    }

    /// A `bigint`.
    static func bigint(_ value: Int64) -> Parameter {
        var writer = FieldWriter()
        writer.append(value)
        return Parameter(20, writer.bytes)
    }

    /// A `double precision`.
    static func double(_ value: Double) -> Parameter {
        var writer = FieldWriter()
        writer.append(value.bitPattern)
        return Parameter(701, writer.bytes)
    }

    /// A `timestamptz`.
    static func time(_ value: Microseconds) -> Parameter {
        var writer = FieldWriter()
        writer.append(value - BinaryFormat.epoch)
        return Parameter(1184, writer.bytes)
    }

    /// A `bytea`.
    static func bytes(_ value: [UInt8]?) -> Parameter {
        Parameter(17, value)
    }
}

// One array for each column: a statement takes all rows at once through `unnest`.
extension Parameter {
    private static func array<Row>(
        _ type: UInt32, of element: UInt32, _ rows: [Row],
        _ write: (inout FieldWriter, Row) throws(StoreError) -> Void
    ) throws(StoreError) -> Parameter {
        var writer = FieldWriter()
        writer.append(Int32(rows.isEmpty ? 0 : 1))  // dimensions
        writer.append(Int32(1))  // there may be nulls
        writer.append(element)
        if !rows.isEmpty {
            writer.append(Int32(clamping: rows.count))
            writer.append(Int32(1))  // the first index
        }
        for row in rows {
            try write(&writer, row)
        }
        return Parameter(type, writer.bytes)
    }

    /// A `text[]`.
    static func texts<Row>(_ rows: [Row], _ value: (Row) -> String?) throws(StoreError) -> Parameter
    {
        try array(1009, of: 25, rows) { writer, row in writer.write(value(row)) }
    }

    /// A `double precision[]`.
    static func doubles<Row>(
        _ rows: [Row], _ value: (Row) -> Double?
    ) throws(StoreError) -> Parameter {
        try array(1022, of: 701, rows) { writer, row in writer.write(value(row)) }
    }

    /// An `integer[]`.
    static func integers<Row>(_ rows: [Row], _ value: (Row) -> Int?) throws(StoreError) -> Parameter
    {
        try array(1007, of: 23, rows) { writer, row in writer.write(value(row)) }
    }

    /// A `bigint[]`.
    static func bigints<Row>(
        _ rows: [Row], _ value: (Row) -> Int64?
    ) throws(StoreError) -> Parameter {
        try array(1016, of: 20, rows) { writer, row in writer.write(value(row)) }
    }

    /// A `boolean[]`.
    static func booleans<Row>(_ rows: [Row], _ value: (Row) -> Bool) throws(StoreError) -> Parameter
    {
        try array(1000, of: 16, rows) { writer, row in writer.write(value(row)) }
    }

    /// A `timestamptz[]`.
    static func times<Row>(
        _ rows: [Row], _ value: (Row) -> Microseconds?
    ) throws(StoreError) -> Parameter {
        try array(1185, of: 1184, rows) { writer, row in writer.write(time: value(row)) }
    }

    /// A `bytea[]`.
    static func byteStrings<Row>(
        _ rows: [Row], _ value: (Row) -> [UInt8]?
    ) throws(StoreError) -> Parameter {
        try array(1001, of: 17, rows) { writer, row in writer.write(value(row)) }
    }

    /// A `jsonb[]` of JSON texts.
    static func jsons<Row>(_ rows: [Row], _ value: (Row) -> String?) throws(StoreError) -> Parameter
    {
        try array(3807, of: 3802, rows) { writer, row in writer.write(json: value(row)) }
    }

    /// A `uuid[]`.
    ///
    /// - Throws: `StoreError.Reason.dataRefused` when a text is no UUID.
    static func uuids<Row>(_ rows: [Row], _ value: (Row) -> String) throws(StoreError) -> Parameter
    {
        try array(2951, of: 2950, rows) { (writer, row) throws(StoreError) in
            try writer.write(uuid: value(row))
        }
    }

    /// A `date[]` of days since 1970-01-01.
    static func dates(_ days: [Int]) throws(StoreError) -> Parameter {
        try array(1182, of: 1082, days) { writer, day in writer.write(day - 10957) }
    }
}
