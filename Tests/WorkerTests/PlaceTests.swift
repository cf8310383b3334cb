import Spool
import Store
import Telemetry
import Testing
import Tracking
import Watching

@testable import Worker

/// What places and vehicles do to each other in the fleet: rows, alarms, what is published, and what outlives a restart.
@Suite struct PlaceTests {
    private static let circle = """
        {"circle":{"center":{"lat":47.1,"lon":9.52},"radius_m":120}}
        """

    @Test func aPutIsARowAnEventAndARetainedDefinition() throws {
        let town = Town()
        town.put("depot", "\"name\":\"Depot\",\"geometry\":\(Self.circle),\"command_id\":\"c1\"")
        let row = try #require(town.changes.places.first)
        #expect(row.placeID == "depot" && row.revision == 1 && row.name == "Depot")
        #expect(row.definition.contains("\"radius_m\":120"))
        #expect(row.area.contains("\"Polygon\""))
        #expect(
            town.published.map(\.topic) == [
                "fleet-place/depot/event/place_put", "fleet-place/depot/definition",
            ])
        #expect(town.published[1].isRetained && town.published[1].isAcknowledged)
        #expect(town.changes.events.map(\.home) == [.alarms])
        #expect(town.changes.events[0].vehicleID == nil)
        #expect(town.changes.placeCommands.map(\.commandID) == ["c1"])
    }

    @Test func theSameContentAgainChangesNothing() {
        let town = Town()
        town.put("depot", "\"geometry\":\(Self.circle)")
        town.put("depot", "\"geometry\":\(Self.circle)")
        #expect(town.changes.places.count == 1)
        #expect(town.published.count == 2)
        // Who gave an id may wait for the answer.
        town.put("depot", "\"geometry\":\(Self.circle),\"command_id\":\"c2\"")
        #expect(town.published.last?.text.contains("\"changed\":false") == true)
    }

    @Test func aCommandOfTheSameIdIsCarriedOutOnce() {
        let town = Town()
        town.put("depot", "\"geometry\":\(Self.circle),\"command_id\":\"c1\"")
        town.put("depot", "\"name\":\"B\",\"geometry\":\(Self.circle),\"command_id\":\"c2\"")
        town.put("depot", "\"geometry\":\(Self.circle),\"command_id\":\"c1\"")
        #expect(town.fleet.book.place("depot")?.name == "B")
        #expect(town.changes.places.map(\.revision) == [1, 2])
    }

    @Test func aRefusalNamesWhatIsWrong() throws {
        let town = Town()
        town.put(
            "depot", "\"geometry\":{\"circle\":{\"center\":{\"lat\":47,\"lon\":9},\"radius_m\":0}}")
        let event = try #require(town.published.first)
        #expect(event.topic == "fleet-place/depot/event/command_rejected")
        #expect(event.text.contains("\"reason\":\"invalid_geometry\""))
        #expect(event.text.contains("radius_m"))
        #expect(town.changes.places.isEmpty)
        #expect(town.changes.placeCommands.map(\.reason) == ["invalid_geometry"])
    }

    @Test func moreThanTheMostPlacesAreRefused() {
        var settings = FleetSettings(topicRoot: "fleet")
        settings.placeBounds.places = 1
        let town = Town(settings)
        town.put("a", "\"geometry\":\(Self.circle)")
        town.put("b", "\"geometry\":\(Self.circle)")
        town.put("a", "\"name\":\"again\",\"geometry\":\(Self.circle)")
        #expect(town.changes.placeCommands.map(\.reason) == [nil, "too_many_places", nil])
    }

    @Test func whoComesAndGoesIsToldAndWritten() throws {
        let town = Town()
        town.put("depot", "\"geometry\":\(Self.circle)")
        town.drive("van-7", at: 0, 47.1, 9.51)
        town.drive("van-7", at: 60, 47.1, 9.52)
        town.drive("van-7", at: 120, 47.1, 9.53)
        #expect(town.alarms == ["van-7 1 place_entered", "van-7 2 place_exited"])
        let event = try #require(town.changes.events.last)
        #expect(event.home == .alarms && event.placeID == "depot" && event.sequence == 2)
        #expect(event.eventID == EventID.alarm(vehicleID: "van-7", sequence: 2))
        #expect(
            town.published.last { $0.topic.contains("alarm") }?.topic
                == "fleet/van-7/alarm/place_exited")
        #expect(town.changes.visits.map(\.leftBy) == [nil, "moved"])
        #expect(town.progress("van-7").contains("\"places\":[]"))
    }

    @Test func aDeletedPlaceIsLeftFirst() {
        let town = Town()
        town.put("depot", "\"geometry\":\(Self.circle)")
        town.drive("van-7", at: 0, 47.1, 9.52)
        #expect(town.progress("van-7").contains("\"places\":[\"depot\"]"))
        let before = town.published.count
        town.take("fleet-place/depot/command/delete", "{}", at: 10)
        let topics = town.published.dropFirst(before).map(\.topic).filter {
            !$0.hasSuffix("progress")
        }
        #expect(
            topics == [
                "fleet/van-7/alarm/place_exited", "fleet-place/depot/event/place_deleted",
                "fleet-place/depot/definition",
            ])
        #expect(town.published.last?.payload.isEmpty == true)
        #expect(town.changes.places.last?.deletedAt != nil)
        town.put("depot", "\"geometry\":\(Self.circle)", at: 20)
        #expect(town.changes.places.last?.revision == 2)
    }

    @Test func theClockSpeaksForASilentVehicle() {
        let town = Town()
        town.put(
            "depot",
            "\"geometry\":\(Self.circle),\"tell\":[\"enter\",\"exit\",\"dwell\"],\"dwell_s\":600")
        town.drive("van-7", at: 0, 47.1, 9.52)
        town.clock("van-7", at: 599)
        #expect(town.alarms == ["van-7 1 place_entered"])
        town.clock("van-7", at: 601)
        #expect(town.alarms == ["van-7 1 place_entered", "van-7 2 place_dwelled"])
    }

    @Test func stopsDrivesAndTheOdometerNeedNoTrip() throws {
        let town = Town()
        for minute in 0..<10 {
            town.drive("van-7", at: Double(minute) * 60, 47.1, 9.5 + Double(min(minute, 5)) * 0.01)
        }
        #expect(town.changes.drives.count >= 2)
        #expect(town.changes.stops.count == 1)
        let row = try #require(town.fleet.takeChanges()?.vehicles.first)
        #expect(abs(row.odometer - 3792) < 25)
        #expect(row.packedWatch != nil)
    }

    @Test func whatTheTablesHoldIsWhereItGoesOn() throws {
        let town = Town()
        town.put("depot", "\"geometry\":\(Self.circle),\"command_id\":\"c1\"")
        town.put("gone", "\"geometry\":\(Self.circle)")
        town.take("fleet-place/gone/command/delete", "{}")
        town.drive("van-7", at: 0, 47.1, 9.52)
        let again = Town(restoredFrom: town)
        #expect(again.fleet.book.ids == ["depot"])
        again.drive("van-7", at: 60, 47.1, 9.53)
        #expect(again.alarms == ["van-7 2 place_exited"])
        again.put(
            "depot", "\"name\":\"B\",\"geometry\":\(Self.circle),\"command_id\":\"c1\"", at: 70)
        #expect(again.fleet.book.place("depot")?.name == "depot")
        again.put("gone", "\"geometry\":\(Self.circle)", at: 80)
        #expect(again.fleet.book.place("gone")?.revision == 2)
    }

    @Test func aStoredPlaceThatCannotBeReadStopsNothing() throws {
        let town = Town()
        try town.fleet.take(
            .place(
                StoredPlace(placeID: "odd", revision: 3, definition: "{\"type\":\"?\"}", putAt: 0)))
        #expect(town.fleet.book.ids.isEmpty)
        #expect(town.fleet.outbox.unreadable.map(\.placeID) == ["odd"])
    }
}
