import Geometry
import Tracking

/// Places that were passed between two fixes: rule W6.
extension PlaceWatch {
    /// Less of a way inside is noise, in metres.
    private static let leastChord = 20.0

    /// Tells a pass, where the vehicle was neither in the place nor about to be.
    ///
    /// - Parameter distance: Metres from the fix to the boundary.
    mutating func pass(
        _ place: PlaceInForce, _ number: Int32, _ distance: Double, _ look: Look,
        _ news: inout PlaceNews
    ) {
        guard let way = look.way, distance <= way.reach, place.extent != .point,
            place.confirmation(look.settings) <= 0, way.before.time >= place.place.putAt,
            place.isLevel(of: way.before), place.isLevel(of: way.now)
        else { return }
        guard let meeting = meeting(place, number, distance, way) else { return }
        if place.extent == .gate { passedGates.append(number) }
        let pass = PlacePass(
            place: place.label, crossedInAt: way.moment(at: meeting.first),
            crossedOutAt: way.moment(at: meeting.last), extent: .chord(meeting.chord),
            gap: look.step.gap ?? 0)
        let item = pass.item(
            place, at: look.time, by: meeting.isByRoute ? .route : .line, speed: look.speed)
        news.passes.append((pass.crossedInAt, item))
    }

    /// Where the way went through the place; `nil` where that is no pass.
    private func meeting(
        _ place: PlaceInForce, _ number: Int32, _ distance: Double, _ way: WayDriven
    ) -> WayDriven.Meeting? {
        if place.extent == .gate {
            return passedGates.contains(number) ? nil : way.crossing(of: place.area)
        }
        guard distance > 0 else { return nil }
        let meeting =
            way.route == nil
            ? way.straightMeeting(with: place.area) : way.meetingAlongRoute(with: place.area)
        let least = max(
            Self.leastChord, (way.before.accuracy ?? 0) + (way.now.accuracy ?? 0))
        guard let meeting,
            meeting.chord >= least || way.crossing(of: place.area) != nil,
            place.area.distance(from: way.before.coordinate) > 0
        else { return nil }
        return meeting
    }

    /// Tells passes of places that are too far from the fix to be found around it.
    mutating func passFar(
        _ look: Look, except hits: [Int32], _ straight: Double, _ news: inout PlaceNews
    ) {
        guard let way = look.way else { return }
        var far: Set<Int32> = []
        if let route = way.route {
            route.forEachWay { look.places.forEachPlace(along: $0) { far.insert($0) } }
        } else if straight > Self.shortWay {
            look.places.forEachPlace(along: way.straight) { far.insert($0) }
        }
        guard !far.isEmpty else { return }
        far.subtract(hits)
        for number in far.sorted() where presences.index(of: number) == nil {
            guard let place = look.places[number], place.isMeant(for: look.vehicleID) else {
                continue
            }
            pass(place, number, place.area.distance(from: look.viewpoint), look, &news)
        }
    }

    /// Lets gates be passed again that the vehicle has left by more than their margin.
    mutating func leaveGates(_ look: Look, _ quiet: inout Quiet) {
        guard !passedGates.isEmpty else { return }
        passedGates.removeAll { number in
            guard let place = look.places[number] else { return true }
            let distance = place.area.distance(from: look.viewpoint)
            return distance > place.exitMargin(look.settings)
        }
        if !passedGates.isEmpty { quiet.end() }
    }
}

extension PlacePass {
    /// What is told and written of it.
    func item(
        _ place: PlaceInForce, at time: Timestamp, by basis: Alarm.Basis, speed: Double?
    ) -> PlaceNews.Item {
        let distance: Double =
            switch extent {
            case .chord(let metres): metres
            case .nearest: 0
            }
        let visit = Visit(
            placeID: place.id, enteredAt: crossedInAt, leftAt: crossedOutAt,
            crossedInAt: crossedInAt, crossedOutAt: crossedOutAt, enteredBy: .moved, isPass: true,
            placeRevision: place.place.revision, distance: distance, topSpeed: speed)
        return PlaceNews.Item(
            place: place, kind: .placePassed(self), isTold: place.tells(.pass, at: time),
            basis: basis, change: .visit(visit))
    }
}

extension RoutePiece {
    /// Calls a closure with the straight ways that it consists of.
    func forEachWay(_ body: (Way) -> Void) {
        var start = line.point(at: self.start)
        for index in line.vertexIndices(from: self.start, to: end) {
            let vertex = line.vertex(index)
            if vertex != start { body(Way(from: start, to: vertex)) }
            start = vertex
        }
        let last = line.point(at: end)
        if last != start { body(Way(from: start, to: last)) }
    }
}

extension RouteLine {
    /// The vertices between two offsets.
    fileprivate func vertexIndices(from start: Double, to end: Double) -> Range<Int> {
        let first = firstVertex(beyond: start)
        return first..<max(first, firstVertex(beyond: end))
    }

    private func firstVertex(beyond offset: Double) -> Int {
        var low = 0
        var high = vertexCount
        while low < high {
            let middle = (low + high) / 2
            if self.offset(ofVertex: middle) <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
