import Store

@testable import Worker

/// What is wrong with better routes on offer.
extension Verdict {
    /// Found and gone alternate, a trip that is over offers nothing, and the broker keeps what is on offer.
    ///
    /// - Parameter payloads: What a fresh replay has on offer, by vehicle.
    mutating func judgeProposals(_ payloads: [String: [UInt8]]) {
        for (vehicleID, payload) in payloads {
            let kept = world.broker.kept["fleet/\(vehicleID)/proposal"] ?? ""
            let offer = String(decoding: payload, as: UTF8.self)
            expect(kept == offer, "the kept proposal of \(vehicleID) is \(kept), not \(offer)")
        }
        let events = world.tables.events.values.filter { $0.home == .trips && $0.sequence != nil }
        let trips = Dictionary(grouping: events) { "\($0.vehicleID ?? "")/\($0.tripID ?? "")" }
        for (trip, rows) in trips {
            var isOnOffer = false
            for row in rows.sorted(by: { ($0.sequence ?? 0) < ($1.sequence ?? 0) }) {
                switch row.type {
                case "better_route_found":
                    expect(!isOnOffer, "\(trip) has two offers at once")
                    isOnOffer = true
                case "better_route_gone":
                    expect(isOnOffer, "\(trip) has lost an offer that it had not")
                    isOnOffer = false
                case "arrived", "trip_stopped":
                    expect(!isOnOffer, "\(trip) is over with an offer")
                default: break
                }
            }
        }
    }
}
