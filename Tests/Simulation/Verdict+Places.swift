import Foundation
import Store
import Telemetry

@testable import Worker

/// What is wrong with places and alarms, held against a fresh replay.
extension Verdict {
    /// - Parameters:
    ///   - fleet: The replay, at its end.
    ///   - expected: What it would have written.
    mutating func judgePlaces(_ fleet: Fleet, _ expected: StoreChanges) {
        var tables = SimulatedWatchTables()
        tables.write(expected.batch(spoolID: "simulated", published: 0))
        let stored = world.tables.watch
        expect(stored.places == tables.places, "places \(stored.places), not \(tables.places)")
        expect(stored.visits == tables.visits, "visits \(stored.visits), not \(tables.visits)")
        expect(stored.stops == tables.stops, "stops \(stored.stops), not \(tables.stops)")
        expect(stored.drives == tables.drives, "drives \(stored.drives), not \(tables.drives)")
        expect(
            stored.speedings == tables.speedings,
            "speedings \(stored.speedings), not \(tables.speedings)")
        expect(
            stored.commands == tables.commands,
            "commands for places \(stored.commands), not \(tables.commands)")
        judgeDefinitions(fleet, tables)
        judgeAlarms()
    }

    private mutating func judgeDefinitions(_ fleet: Fleet, _ tables: SimulatedWatchTables) {
        for id in tables.places.keys {
            let kept = world.broker.kept["fleet-place/\(id)/definition"]
            var json = JSONWriter()
            if let place = fleet.book.place(id) {
                PlaceEncoder.encode(definition: place, into: &json)
            }
            // An empty message is how a broker forgets.
            expect(
                (kept ?? "") == json.text, "the kept \(id) is \(kept ?? "none"), not \(json.text)")
        }
    }

    /// Alarms are numbered without a gap for each vehicle, and enters and exits alternate at each place.
    private mutating func judgeAlarms() {
        let alarms = world.tables.events.values.filter { $0.home == .alarms }
        for (vehicle, rows) in Dictionary(grouping: alarms, by: \.vehicleID) {
            guard let vehicle else { continue }
            let sorted = rows.sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
            expect(
                sorted.compactMap(\.sequence) == Array(1..<sorted.count + 1),
                "\(vehicle) has alarms \(sorted.map { $0.sequence ?? 0 })")
            var inside: Set<String> = []
            for row in sorted {
                guard let place = row.placeID else { continue }
                switch row.type {
                case "place_entered":
                    expect(inside.insert(place).inserted, "\(vehicle) entered \(place) twice")
                case "place_exited":
                    expect(inside.remove(place) != nil, "\(vehicle) left \(place) without entering")
                default: break
                }
            }
        }
    }
}
