package import Geometry

// The parts of a trip, each beside its counterpart in `PackedWriter+Trip.swift`.
extension PackedReader {
    package mutating func optionalTime() throws(SnapshotError) -> Timestamp? {
        try optional { reader throws(SnapshotError) in try reader.time() }
    }

    package mutating func optionalDouble() throws(SnapshotError) -> Double? {
        try optional { reader throws(SnapshotError) in try reader.double() }
    }

    package mutating func optionalText() throws(SnapshotError) -> String? {
        try optional { reader throws(SnapshotError) in try reader.text() }
    }

    package mutating func optionalCoordinate() throws(SnapshotError) -> Coordinate? {
        try optional { reader throws(SnapshotError) in try reader.coordinate() }
    }

    mutating func plan() throws(SnapshotError) -> Plan {
        Plan(
            id: try text(), vehicleID: try text(),
            viaPoints: try list { reader throws(SnapshotError) in try reader.place() },
            destination: try place(), source: try optionalCoordinate(),
            options: try options(), assignedAt: try time(),
            vehicle: version >= 3 ? try vehicle() : nil)
    }

    mutating func place() throws(SnapshotError) -> Target {
        Target(
            coordinate: try coordinate(), id: try optionalText(), name: try optionalText(),
            level: try level(), attributes: try optionalText())
    }

    package mutating func level() throws(SnapshotError) -> Level? {
        switch try byte() {
        case 0: nil
        case 1: .number(try double())
        case 2: .text(try text())
        default: throw broken("unknown kind of level")
        }
    }

    private mutating func options() throws(SnapshotError) -> TripOptions {
        var options = TripOptions()
        options.deviationDistance = try double()
        options.arrivalRadius = try double()
        options.waitsAtWaypoints = try flag()
        options.maxAccuracy = try double()
        options.maxSpeed = try double()
        options.maxFutureSkew = try double()
        options.maxAgeAtAssignment = try double()
        options.deviationConfirmations = try int()
        options.offRouteReturnRatio = try double()
        options.rerouteRetryInterval = try double()
        options.rerouteTimeout = try double()
        options.arrivalDwell = try double()
        options.holdBreachDistance = try double()
        options.tripExpiry = try double()
        options.startWaypointIndex = try int()
        options.asksForDeviationPath = try flag()
        options.profile = try raw(TripOptions.Profile.self)
        guard version >= 2 else { return options }
        options.speedLimit = try optionalDouble()
        options.approachDistance = try double()
        options.approachTime = try double()
        options.skipSuggestion = try double()
        guard version >= 3 else { return options }
        options.reroutesAtRoadblocks = try flag()
        options.betterRoute = try raw(TripOptions.BetterRoute.self)
        options.betterRouteInterval = try double()
        options.betterRouteGain = try double()
        options.betterRouteGainRatio = try double()
        return options
    }

    mutating func record() throws(SnapshotError) -> RouteRecord {
        guard let line = RouteLine(decoding: try block()) else { throw broken("unreadable line") }
        let record = RouteRecord(
            line: line, revision: try int(),
            spots: try list { reader throws(SnapshotError) in try reader.optionalDouble() },
            duration: try optionalDouble(),
            arrivals: try list { reader throws(SnapshotError) in try reader.integer(UInt32.self) },
            limits: version >= 2 ? try limits() : nil)
        guard record.arrivals.isEmpty || record.arrivals.count == line.vertexCount - 1 else {
            throw broken("durations of another line")
        }
        guard record.limits.map({ $0.codes.count == line.vertexCount - 1 }) ?? true else {
            throw broken("speed limits of another line")
        }
        return record
    }

    private mutating func limits() throws(SnapshotError) -> SegmentLimits? {
        let values = try list { reader throws(SnapshotError) in try reader.double() }
        let codes = try block()
        guard codes.allSatisfy({ $0 <= values.count }) else {
            throw broken("a speed limit that is not there")
        }
        return values.isEmpty ? nil : SegmentLimits(values: values, codes: codes)
    }

    mutating func phase() throws(SnapshotError) -> Trip.Phase {
        switch try byte() {
        case 0: .awaitingRoute
        case 1: .underway
        case 2: .held(index: try int(), isBreached: try flag())
        case 3: .arrived
        case 4: .stopped(try raw(StopReason.self))
        default: throw broken("unknown phase")
        }
    }

    mutating func visit() throws(SnapshotError) -> Visit {
        Visit(
            status: try raw(WaypointState.Status.self), reachedAt: try optionalTime(),
            resumedAt: try optionalTime(), isApproached: version >= 2 ? try flag() : false)
    }

    mutating func skipAdvice() throws(SnapshotError) -> SkipAdvice {
        SkipAdvice(
            leg: try optional { reader throws(SnapshotError) in
                SkipAdvice.Leg(
                    index: try reader.int(),
                    nearest: SkipAdvice.Nearest(
                        distance: try reader.double(), onward: try reader.double()),
                    isLeaving: try reader.flag(), isTold: try reader.flag())
            })
    }

    mutating func filter() throws(SnapshotError) -> UsabilityFilter {
        if version == 1 {
            // The time of the last fix, unusable ones too, and the last usable place: the trip's newest fix.
            _ = try optionalTime()
            _ = try filterWhereabouts()
        }
        return UsabilityFilter(spike: try filterWhereabouts())
    }

    private mutating func filterWhereabouts() throws(SnapshotError) -> UsabilityFilter.Whereabouts?
    {
        try optional { reader throws(SnapshotError) in
            UsabilityFilter.Whereabouts(
                coordinate: try reader.coordinate(), time: try reader.time())
        }
    }

    mutating func matcher() throws(SnapshotError) -> RouteMatcher {
        guard version >= 3 else { return try formerMatcher() }
        let count = Int(try byte())
        guard count > 0 else { return RouteMatcher() }
        guard count <= Hypotheses.most else { throw broken("too many places of the vehicle") }
        var hypotheses = Hypotheses()
        for _ in 0..<count { hypotheses.insert(try hypothesis()) }
        return RouteMatcher(
            hypotheses: hypotheses, time: try time(),
            lastGood: RouteMatcher.Match(offset: try double(), time: try time()))
    }

    private mutating func hypothesis() throws(SnapshotError) -> Hypothesis {
        Hypothesis(
            offset: try double(), cost: try float(), speed: try float(),
            error: SIMD2(try float(), try float()), heading: SIMD2(try float(), try float()))
    }

    /// Where the vehicle was, as states of versions 1 and 2 have it: at one place.
    private mutating func formerMatcher() throws(SnapshotError) -> RouteMatcher {
        let (last, lastGood) = (try match(), try match())
        _ = try optionalDouble()
        guard let last, let lastGood else { return RouteMatcher() }
        var hypotheses = Hypotheses()
        hypotheses.insert(Hypothesis(offset: last.offset, speed: Motion.usualSpeed))
        return RouteMatcher(hypotheses: hypotheses, time: last.time, lastGood: lastGood)
    }

    private mutating func match() throws(SnapshotError) -> RouteMatcher.Match? {
        try optional { reader throws(SnapshotError) in
            RouteMatcher.Match(offset: try reader.double(), time: try reader.time())
        }
    }

    mutating func pace() throws(SnapshotError) -> Pace {
        Pace(
            speed: try optionalDouble(),
            last: try optional { reader throws(SnapshotError) in
                // The metres travelled, which the trip knows.
                if reader.version == 1 { _ = try reader.double() }
                return try reader.time()
            })
    }

    /// - Parameter plan: Where the asked-for via points and the destination stand.
    mutating func requests(_ plan: Plan) throws(SnapshotError) -> RequestLine {
        let lastNumber = try int()
        let pausedUntil = try optionalTime()
        let failures = try int()
        let trial = version == 1 ? nil : try optionalTime()
        let open = try optional { reader throws(SnapshotError) in try reader.open(plan) }
        return RequestLine(
            lastNumber: lastNumber, open: open, pausedUntil: pausedUntil, failures: failures,
            trial: trial)
    }

    private mutating func open(_ plan: Plan) throws(SnapshotError) -> RequestLine.Open {
        let code = try byte()
        guard let purpose = RouteRequest.Purpose(packed: code) else {
            throw broken("unknown purpose of a request")
        }
        let since = try time()
        let number = try int()
        let from = try coordinate()
        let course = try optionalDouble()
        let indexes = try list { reader throws(SnapshotError) in try reader.int() }
        guard indexes.allSatisfy(plan.viaPoints.indices.contains) else {
            throw broken("a request for another trip's via points")
        }
        let question = RouteRequest(
            number: number, from: from, course: course,
            viaPoints: indexes.map {
                TripEvent.Waypoint(index: $0, target: plan.viaPoints[$0])
            },
            destination: plan.destination, profile: plan.options.profile,
            deviationPathStart: try optionalCoordinate(), purpose: purpose, vehicle: plan.vehicle)
        return RequestLine.Open(question: question, since: since)
    }

    mutating func fix() throws(SnapshotError) -> Fix {
        Fix(
            time: try time(), coordinate: try coordinate(), accuracy: try optionalDouble(),
            speed: try optionalDouble(), course: try optionalDouble(), level: try level())
    }
}
