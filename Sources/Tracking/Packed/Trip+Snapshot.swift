import Geometry

/// How a trip outlives the process: three blocks of bytes that change at different times.
extension Trip {
    // Whoever changes a block raises its version, goes on reading the former ones, and keeps a block of each
    // released one in Tests/Fixtures.
    private static let assignmentVersion: UInt8 = 3
    private static let routeVersion: UInt8 = 2
    private static let stateVersion: UInt8 = 4

    /// What never changes of the trip.
    public func encodeAssignment() -> [UInt8] {
        var writer = PackedWriter()
        writer.write(Self.assignmentVersion)
        writer.write(plan.id)
        writer.write(plan.vehicleID)
        writer.write(list: plan.viaPoints) { $0.write($1) }
        writer.write(plan.destination)
        writer.write(plan.source)
        writer.write(plan.options)
        writer.write(plan.assignedAt)
        writer.write(plan.vehicle)
        return writer.bytes
    }

    /// The route in force, which changes with `routeRevision`; empty before the first.
    public func encodeRoute() -> [UInt8] {
        guard let record else { return [] }
        return Self.encode(record)
    }

    static func encode(_ record: RouteRecord) -> [UInt8] {
        var writer = PackedWriter()
        writer.write(routeVersion)
        writer.write(record.line.packed)
        writer.write(record.revision)
        writer.write(list: record.spots) { $0.write($1.wrappedValue) }
        writer.write(record.duration)
        writer.write(list: record.arrivals) { $0.write($1) }
        writer.write(list: record.limits?.values ?? []) { $0.write($1) }
        writer.write(record.limits?.codes ?? [])
        return writer.bytes
    }

    static func route(_ packed: [UInt8]) throws(SnapshotError) -> RouteRecord {
        var reader = PackedReader(packed)
        try reader.readVersion(upTo: routeVersion, of: "the route of a trip")
        return try reader.record()
    }

    /// What changes with every input; less than 1 KB but for very many via points.
    public func encodeState() -> [UInt8] {
        var writer = PackedWriter()
        writer.write(Self.stateVersion)
        writer.write(phase)
        writer.write(list: visits) { $0.write($1) }
        writer.write(legStart)
        writer.write(filter)
        writer.write(matcher)
        writer.write(requests)
        writer.write(dwell.hasBeenFar)
        writer.write(dwell.since)
        writer.write(pace.speed)
        writer.write(pace.last)
        writer.write(strays)
        writer.write(sequence)
        writer.write(newest) { $0.write($1) }
        writer.write(interval)
        writer.write(deviation)
        writer.write(place)
        writer.write(travelledBefore)
        writer.write(lastReception)
        writer.write(asOf)
        writer.write(skipAdvice)
        writer.write(isDestinationApproached)
        writer.write(roads) { $0.write($1) }
        return writer.bytes
    }

    /// Takes a trip back from its blocks.
    ///
    /// - Parameter route: `nil` or empty before the first route.
    /// - Throws: `SnapshotError` when a block is broken, or of a later release.
    public init(
        assignment: [UInt8], route: [UInt8]?, state: [UInt8]
    ) throws(SnapshotError) {
        var reader = PackedReader(assignment)
        try reader.readVersion(upTo: Self.assignmentVersion, of: "the assignment of a trip")
        let plan = try reader.plan()
        var record: RouteRecord?
        if let route, !route.isEmpty { record = try Self.route(route) }
        self.init(plan: plan, record: record, visits: [])
        var stateReader = PackedReader(state)
        try stateReader.readVersion(upTo: Self.stateVersion, of: "the state of a trip")
        try restore(&stateReader)
        guard visits.count == plan.viaPoints.count,
            record.map({ $0.spots.count == visits.count }) ?? true
        else { throw SnapshotError(message: "state and assignment are of different trips") }
    }

    private mutating func restore(_ reader: inout PackedReader) throws(SnapshotError) {
        phase = try reader.phase()
        visits = try reader.list { reader throws(SnapshotError) in try reader.visit() }
        legStart = try reader.double()
        filter = try reader.filter()
        matcher = try reader.matcher()
        requests = try reader.requests(plan)
        dwell = DwellClock(hasBeenFar: try reader.flag(), since: try reader.optionalTime())
        pace = try reader.pace()
        strays = try reader.int()
        sequence = try reader.int()
        newest = try reader.optional { reader throws(SnapshotError) in try reader.fix() }
        interval = try reader.optionalDouble()
        deviation = try reader.optionalDouble()
        place = try reader.optionalDouble()
        travelledBefore = try reader.double()
        lastReception = try reader.time()
        // The time of the end is `asOf`.
        if reader.version == 1 { _ = try reader.optionalTime() }
        asOf = try reader.time()
        guard reader.version >= 2 else { return }
        skipAdvice = try reader.skipAdvice()
        isDestinationApproached = try reader.flag()
        guard reader.version >= 4 else { return }
        roads = try reader.optional { reader throws(SnapshotError) in try reader.roads() }
    }
}
