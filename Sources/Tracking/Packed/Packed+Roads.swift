import Geometry

// What a trip remembers of the roads, written and read.
extension PackedWriter {
    mutating func write(_ vehicle: VehicleSize?) {
        write(vehicle) { writer, vehicle in
            writer.write(vehicle.height)
            writer.write(vehicle.width)
            writer.write(vehicle.length)
            writer.write(vehicle.weight)
            writer.write(vehicle.axleLoad)
            writer.write(vehicle.axleCount) { $0.write($1) }
            writer.write(vehicle.isHazardous) { $0.write($1) }
            writer.write(vehicle.topSpeed)
        }
    }

    mutating func write(_ roads: RoadState) {
        write(list: roads.closed) { writer, road in
            guard case .line(let coordinates, _) = road.closure.area.shape else { return }
            writer.write(list: coordinates) { $0.write($1) }
        }
        write(list: roads.pending) { $0.write($1) }
        write(list: roads.asked) { $0.write($1) }
        write(list: roads.told) { $0.write($1) }
        write(list: roads.avoided) { $0.write($1) }
        write(roads.nextQuestion)
        write(roads.offer) { writer, offer in
            writer.write(offer.proposal)
            writer.write(Trip.encode(offer.record))
            writer.write(offer.branch)
        }
        write(list: roads.declined) { writer, way in
            writer.write(way.line.packed)
            writer.write(way.until)
        }
    }

    private mutating func write(_ proposal: TripEvent.Proposal) {
        write(proposal.number)
        write(proposal.gain)
        write(proposal.duration)
        write(proposal.length)
        write(proposal.branch)
        write(proposal.branchDistance)
        write(proposal.validUntil)
    }
}

extension PackedReader {
    mutating func vehicle() throws(SnapshotError) -> VehicleSize? {
        try optional { reader throws(SnapshotError) in
            var vehicle = VehicleSize()
            vehicle.height = try reader.optionalDouble()
            vehicle.width = try reader.optionalDouble()
            vehicle.length = try reader.optionalDouble()
            vehicle.weight = try reader.optionalDouble()
            vehicle.axleLoad = try reader.optionalDouble()
            vehicle.axleCount = try reader.optional { reader throws(SnapshotError) in
                try reader.int()
            }
            vehicle.isHazardous = try reader.optional { reader throws(SnapshotError) in
                try reader.flag()
            }
            vehicle.topSpeed = try reader.optionalDouble()
            return vehicle
        }
    }

    mutating func roads() throws(SnapshotError) -> RoadState {
        var roads = RoadState()
        roads.closed = try list { reader throws(SnapshotError) in try reader.closedPiece() }
        roads.pending = try list { reader throws(SnapshotError) in try reader.text() }
        roads.asked = try list { reader throws(SnapshotError) in try reader.text() }
        roads.told = try list { reader throws(SnapshotError) in try reader.text() }
        roads.avoided = try list { reader throws(SnapshotError) in try reader.text() }
        roads.nextQuestion = try optionalTime()
        roads.offer = try optional { reader throws(SnapshotError) in
            RoadState.Offer(
                proposal: try reader.proposal(), record: try Trip.route(try reader.block()),
                branch: try reader.double())
        }
        roads.declined = try list { reader throws(SnapshotError) in
            guard let line = RouteLine(decoding: try reader.block()) else {
                throw reader.broken("unreadable line")
            }
            return RoadState.DeclinedWay(line: line, until: try reader.time())
        }
        return roads
    }

    private mutating func closedPiece() throws(SnapshotError) -> ClosedRoad {
        let coordinates = try list { reader throws(SnapshotError) in try reader.coordinate() }
        guard let area = try? Area(.line(coordinates, width: 0)),
            let closure = RoadClosure(area)
        else { throw broken("a closed piece that is no line") }
        return ClosedRoad(place: nil, closure: closure)
    }

    private mutating func proposal() throws(SnapshotError) -> TripEvent.Proposal {
        TripEvent.Proposal(
            number: try int(), gain: try optionalDouble(), duration: try optionalDouble(),
            length: try double(), branch: try coordinate(), branchDistance: try double(),
            validUntil: try time())
    }
}

extension RouteRequest.Purpose {
    /// The number that stands for it in snapshots, which never changes.
    var packed: UInt8 {
        switch self {
        case .initial: 1
        case .deviation: 2
        case .requested: 3
        case .roadblock: 4
        case .avoid: 5
        case .better: 6
        }
    }

    /// Returns what a number stands for.
    init?(packed: UInt8) {
        guard let purpose = Self.allCases.first(where: { $0.packed == packed }) else { return nil }
        self = purpose
    }
}
