import Geometry
package import Tracking

/// What requests and events say of closed roads and better ones.
extension JSONWriter {
    /// Writes the closed roads that a route is to avoid.
    mutating func roads(_ roads: [ClosedRoad]) {
        array { json in
            for road in roads {
                json.object { json in
                    json.member("place_id", road.place?.id)
                    json.key("geometry")
                    json.ground(of: road.closure)
                }
            }
        }
    }

    /// Writes what is closed as a GeoJSON geometry for those who know no circles: one is a polygon.
    private mutating func ground(of closure: RoadClosure) {
        if case .circle = closure.area.shape, let ring = closure.rings?.first {
            geometry(ofRing: ring)
        } else {
            geometry(of: closure.area)
        }
    }

    /// Writes how large and heavy a vehicle is, as `assign` has it; only what is known.
    mutating func vehicle(_ vehicle: VehicleSize) {
        object { json in
            for (name, value) in vehicle.numbers {
                if let value { json.member(name, exact: value) }
            }
            if let count = vehicle.axleCount { json.member("axle_count", count) }
            if let isHazardous = vehicle.isHazardous { json.member("hazmat", isHazardous) }
        }
    }

    /// Writes the members that tell of a better route.
    mutating func members(of proposal: TripEvent.Proposal) {
        member("proposal", proposal.number)
        member("gain_s", proposal.gain, decimals: 1)
        member("duration_s", proposal.duration, decimals: 1)
        member("length_m", metres: proposal.length)
        member("branch", computed: proposal.branch)
        member("branch_distance_m", metres: proposal.branchDistance)
        member("valid_until", proposal.validUntil)
    }
}

extension VehicleSize {
    /// The names and values of what is measured, in the units of the contract.
    fileprivate var numbers: [(name: StaticString, value: Double?)] {
        [
            ("height_m", height), ("width_m", width), ("length_m", length), ("weight_kg", weight),
            ("axle_load_kg", axleLoad), ("top_speed_mps", topSpeed),
        ]
    }
}

/// Writes better routes on offer as GeoJSON.
package enum ProposalEncoder {
    /// Writes what the retained topic `proposal` holds: a `Feature` with the line, and all that the event tells.
    package static func encode(
        _ offer: ProposalOnOffer, tripID: String, vehicleID: String, into json: inout JSONWriter
    ) {
        json.object { json in
            json.member("type", "Feature")
            json.key("properties")
            json.object { json in
                json.member("trip_id", tripID)
                json.member("vehicle_id", vehicleID)
                json.members(of: offer.proposal)
            }
            json.key("geometry")
            RouteEncoder.encode(lineString: offer.line.coordinates, into: &json)
        }
    }
}
