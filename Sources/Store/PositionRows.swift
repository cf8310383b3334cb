extension PostgresConnection {
    /// Bytes that are gathered before they are handed to libpq.
    private static let chunk = 128 * 1024

    /// Copies positions in: the fastest way, which fails as a whole on a copy of a stored one.
    func copy(positions: [PositionRow]) throws(StoreError) {
        let order = positions.orderByVehicle
        var index = -1
        try copy(
            """
            copy waygate.positions (fix_time, received_at, lat, lon, accuracy_m, speed_mps,
                course_deg, altitude_m, tracked, vehicle_id, trip_id, level, provider, attributes)
            from stdin (format binary)
            """
        ) { writer in
            if index < 0 {
                writer.append(contentsOf: [UInt8]("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0])
                writer.append(0 as Int32)  // flags
                writer.append(0 as Int32)  // length of the header's extension
                index = 0
            }
            guard index <= positions.count else { return false }
            while index < positions.count, writer.bytes.count < Self.chunk {
                writer.write(positions[order[index]])
                index += 1
            }
            if index == positions.count, writer.bytes.count < Self.chunk {
                writer.append(-1 as Int16)  // the end
                index += 1
            }
            return true
        }
    }
}

extension [PositionRow] {
    /// The places of the rows with each vehicle's next to each other, otherwise in their order.
    ///
    /// The server then goes down to each place of the index once instead of twenty times: measured with
    /// 20,000 rows of 1,000 vehicles, it spends 5.8 instead of 8.6 µs on a row, and a vehicle's rows
    /// end up on few pages.
    fileprivate var orderByVehicle: [Int] {
        var numbers: [String: Int] = [:]
        var places: [[Int]] = []
        for (place, row) in enumerated() {
            if let number = numbers[row.vehicleID] {
                places[number].append(place)
            } else {
                numbers[row.vehicleID] = places.count
                places.append([place])
            }
        }
        return [Int](places.joined())
    }
}

extension FieldWriter {
    fileprivate mutating func write(_ row: PositionRow) {
        append(14 as Int16)
        write(time: row.fixTime)
        write(time: row.receivedAt)
        write(row.latitude)
        write(row.longitude)
        write(row.accuracy)
        write(row.speed)
        write(row.course)
        write(row.altitude)
        write(row.tracked)
        write(row.vehicleID)
        write(row.tripID)
        write(row.level)
        write(row.provider)
        write(json: row.attributes)
    }
}

extension StoreBatch {
    /// Returns what adds the positions but for copies of stored ones.
    ///
    /// Straight from arrays: a temporary table, as a stage for COPY, would be one more round trip and
    /// right, and bloats the catalogue.
    func positionStatements() throws(StoreError) -> [Statement] {
        guard !positions.isEmpty else { return [] }
        let rows = positions.orderByVehicle.map { positions[$0] }
        return [
            Statement(
                """
                insert into waygate.positions (fix_time, received_at, lat, lon, accuracy_m, speed_mps,
                    course_deg, altitude_m, tracked, vehicle_id, trip_id, level, provider, attributes)
                select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
                on conflict do nothing
                """,
                [
                    try .times(rows) { $0.fixTime }, try .times(rows) { $0.receivedAt },
                    try .doubles(rows) { $0.latitude },
                    try .doubles(rows) { $0.longitude },
                    try .doubles(rows) { $0.accuracy }, try .doubles(rows) { $0.speed },
                    try .doubles(rows) { $0.course }, try .doubles(rows) { $0.altitude },
                    try .booleans(rows) { $0.tracked }, try .texts(rows) { $0.vehicleID },
                    try .texts(rows) { $0.tripID }, try .texts(rows) { $0.level },
                    try .texts(rows) { $0.provider }, try .jsons(rows) { $0.attributes },
                ])
        ]
    }
}
