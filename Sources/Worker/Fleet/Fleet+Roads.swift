import Store
import Telemetry
import Tracking
import Watching

/// Which roads are closed, and what trips are told of that: rules R1 and R5.
extension Fleet {
    /// How many roadblocks are in force.
    var activeRoadblocks: Int { roads.closed.count }

    /// When the next roadblock begins or ends; `nil` where none will.
    var nextRoadChange: Timestamp? { book.roadblocks.nextChange }

    /// The clock's word that a roadblock may have begun or ended.
    func changeRoads(_ entry: Entry) {
        for id in book.roadblocks.due(at: entry.receivedAt) {
            followRoadblock(id, book.place(id), entry)
        }
    }

    /// Looks at all roadblocks again: the time is another one.
    func reconsiderRoads(_ entry: Entry) {
        for id in book.roadblocks.places { followRoadblock(id, book.place(id), entry) }
    }

    /// Brings a roadblock in line with its place, or the lack of one, and the time.
    func followRoadblock(_ id: String, _ place: Place?, _ entry: Entry) {
        let change = book.roadblocks.follow(id, place, at: entry.receivedAt)
        // Events name the place as it is now, also where nothing but its name is another.
        roads.closed = book.roadblocks.closed
        guard let change else { return }
        // What is in force outlives a restart by the place's row.
        if let place { changes?.places.append(row(of: place, entry)) }
        switch change {
        case .opened(let place):
            tell(.roadblockExpired(place), id, entry)
            tellTrips([.roadsOpened([id])], entry)
        case .closed(let place):
            tell(.roadblockActivated(place), id, entry)
            tellTrips([.roadsClosed([id])], entry)
        case .moved:
            tellTrips([.roadsOpened([id]), .roadsClosed([id])], entry)
        }
    }

    private func tell(_ kind: PlaceEvent.Kind, _ id: String, _ entry: Entry) {
        let event = EventID.roadblock(
            spoolID: spoolID, position: entry.position, placeID: id, type: kind.type)
        tell(kind, id, as: event, commandID: nil, entry)
    }

    private func tellTrips(_ inputs: [TripInput], _ entry: Entry) {
        for vehicle in vehicles.values.filter({ $0.trip != nil }).sorted(by: { $0.id < $1.id }) {
            for input in inputs {
                let remembered = vehicle.trip?.hasRoads ?? false
                guard
                    let outcome = vehicle.trip?.handle(input, at: entry.receivedAt, among: roads),
                    let trip = vehicle.trip,
                    outcome != TripOutcome() || remembered || trip.hasRoads
                else { continue }
                vehicle.note(entry)
                markChanged(vehicle)
                settle(outcome, of: vehicle, entry, commandID: nil, isOneOfMany: true)
            }
        }
    }

    /// The clock's word that a deadline of a vehicle's trip may have come.
    func tick(_ vehicle: Vehicle, _ entry: Entry) {
        guard let trip = vehicle.trip, trip.nextDeadline.map({ $0 <= entry.receivedAt }) ?? false,
            let outcome = vehicle.trip?.handle(.clock, at: entry.receivedAt, among: roads)
        else { return }
        vehicle.note(entry)
        markChanged(vehicle)
        settle(outcome, of: vehicle, entry, commandID: nil)
        if isLive { outbox.timed.append(vehicle) }
    }

    /// The better route on offer to the vehicle as JSON; empty when there is none.
    func proposalPayload(of vehicle: Vehicle) -> [UInt8] {
        guard let trip = vehicle.trip, let offer = trip.proposal else { return [] }
        json.reset()
        ProposalEncoder.encode(offer, tripID: trip.id, vehicleID: vehicle.id, into: &json)
        return json.bytes
    }

    /// The better route on offer to the vehicle, ready to be published; emptiness when there is none.
    ///
    /// - Parameter position: The spool position after what it comes of; the next entry where it comes of nothing new.
    func proposal(of vehicle: Vehicle, position: Int64? = nil) -> Publication {
        Publication(
            .proposal, of: .vehicle(vehicle.id), topic: topic(.vehicle(vehicle.id), "proposal"),
            payload: proposalPayload(of: vehicle), position: position ?? self.position,
            receivedAt: vehicle.updatedAt.microseconds)
    }
}
