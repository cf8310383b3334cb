import Geometry

// The parts of a trip, each beside its counterpart in `PackedReader+Trip.swift`.
extension PackedWriter {
    mutating func write(_ place: Target) {
        write(place.coordinate)
        write(place.id)
        write(place.name)
        write(place.level)
        write(place.attributes)
    }

    package mutating func write(_ level: Level?) {
        switch level {
        case nil: write(UInt8(0))
        case .number(let number):
            write(UInt8(1))
            write(number)
        case .text(let text):
            write(UInt8(2))
            write(text)
        }
    }

    mutating func write(_ options: TripOptions) {
        write(options.deviationDistance)
        write(options.arrivalRadius)
        write(options.waitsAtWaypoints)
        write(options.maxAccuracy)
        write(options.maxSpeed)
        write(options.maxFutureSkew)
        write(options.maxAgeAtAssignment)
        write(options.deviationConfirmations)
        write(options.offRouteReturnRatio)
        write(options.rerouteRetryInterval)
        write(options.rerouteTimeout)
        write(options.arrivalDwell)
        write(options.holdBreachDistance)
        write(options.tripExpiry)
        write(options.startWaypointIndex)
        write(options.asksForDeviationPath)
        write(options.profile.rawValue)
        write(options.speedLimit)
        write(options.approachDistance)
        write(options.approachTime)
        write(options.skipSuggestion)
        write(options.reroutesAtRoadblocks)
        write(options.betterRoute.rawValue)
        write(options.betterRouteInterval)
        write(options.betterRouteGain)
        write(options.betterRouteGainRatio)
    }

    mutating func write(_ phase: Trip.Phase) {
        switch phase {
        case .awaitingRoute: write(UInt8(0))
        case .underway: write(UInt8(1))
        case .held(let index, let isBreached):
            write(UInt8(2))
            write(index)
            write(isBreached)
        case .arrived: write(UInt8(3))
        case .stopped(let reason):
            write(UInt8(4))
            write(reason.rawValue)
        }
    }

    mutating func write(_ visit: Visit) {
        write(visit.status.rawValue)
        write(visit.reachedAt)
        write(visit.resumedAt)
        write(visit.isApproached)
    }

    mutating func write(_ filter: UsabilityFilter) {
        write(filter.spike) { writer, place in
            writer.write(place.coordinate)
            writer.write(place.time)
        }
    }

    mutating func write(_ matcher: RouteMatcher) {
        write(UInt8(matcher.hypotheses.count))
        guard matcher.hypotheses.count > 0 else { return }
        for index in 0..<matcher.hypotheses.count { write(matcher.hypotheses[index]) }
        write(matcher.time)
        write(matcher.lastGood.offset)
        write(matcher.lastGood.time)
    }

    private mutating func write(_ hypothesis: Hypothesis) {
        write(hypothesis.offset)
        write(hypothesis.cost)
        write(hypothesis.speed)
        for vector in [hypothesis.error, hypothesis.heading] {
            write(vector.x)
            write(vector.y)
        }
    }

    mutating func write(_ advice: SkipAdvice) {
        write(advice.leg) { writer, leg in
            writer.write(leg.index)
            writer.write(leg.nearest.distance)
            writer.write(leg.nearest.onward)
            writer.write(leg.isLeaving)
            writer.write(leg.isTold)
        }
    }

    mutating func write(_ requests: RequestLine) {
        write(requests.lastNumber)
        write(requests.pausedUntil)
        write(requests.failures)
        write(requests.trial)
        write(requests.open) { writer, open in
            writer.write(open.purpose.packed)
            writer.write(open.since)
            writer.write(open.question)
        }
    }

    /// The via points and the destination are the trip's own: their indexes suffice.
    private mutating func write(_ question: RouteRequest) {
        write(question.number)
        write(question.from)
        write(question.course)
        write(list: question.viaPoints) { $0.write($1.index) }
        write(question.deviationPathStart)
    }

    mutating func write(_ fix: Fix) {
        write(fix.time)
        write(fix.coordinate)
        write(fix.accuracy)
        write(fix.speed)
        write(fix.course)
        write(fix.level)
    }
}
