import Foundation
import Store
import Testing

@testable import Worker

/// Stops and drives as the fleet writes them.
@Suite struct JournalTests {
    @Test func aParkedNightWithDriftIsOneStopWithoutAMetre() throws {
        let town = Town()
        // The errors of a receiver among houses, the same each time: up to 25 m, one fix a minute for nine hours.
        for minute in 0..<540 {
            let angle = Double(minute * 37 % 360) * .pi / 180
            let reach = Double(minute * 29 % 26) / 111_200
            town.drive(
                "van", at: Double(minute) * 60, 47 + reach * cos(angle),
                9.5 + reach * sin(angle) / cos(47 * .pi / 180))
        }
        let changes = try #require(town.fleet.takeChanges())
        #expect(changes.drives.isEmpty)
        #expect(changes.stops.count == 1 && changes.stops.first?.endedAt == nil)
        #expect(changes.vehicles.first?.odometer == 0)
        #expect(changes.positions.count == 540)
    }
}
