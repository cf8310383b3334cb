import Geometry
import Testing
import Tracking
import Watching

/// When a vehicle stands and when it drives.
@Suite struct JournalTests {
    @Test("The earliest fix that all later ones lie around began the stop, not the first one slow")
    func aStopBeginsAtTheEarliestFix() {
        var ride = Ride()
        // 45 m before the place where it comes to stand the fixes still lie within the radius, for a while.
        for (time, east) in [(0, 0), (10, 300), (20, 600), (30, 645), (40, 646)] {
            ride.fix(Double(time), east: Double(east))
        }
        for time in stride(from: 50.0, through: 400, by: 10) {
            ride.fix(time, east: time < 200 ? 648 : 655)
        }
        #expect(ride.ledger.spans == [.drive(0, 30), .stop(30)])
        #expect(ride.watch.stoppedSince == Timestamp(seconds: 30))
    }

    @Test("One fix outside is no drive, two in a row are, and so is one twice as far")
    func departures() {
        var parked = Ride()
        for time in [0.0, 100, 200] { parked.fix(time, east: 0) }
        parked.fix(210, east: 90)
        parked.fix(220, east: 5)
        parked.fix(230, east: 60)
        #expect(parked.ledger.spans == [.stop(0)])
        parked.fix(240, east: 80)
        #expect(parked.ledger.spans == [.stop(0, 220), .drive(220)])

        var off = Ride()
        for time in [0.0, 100, 200] { off.fix(time, east: 0) }
        off.fix(210, east: 101)
        #expect(off.ledger.spans == [.stop(0, 200), .drive(200)])
        #expect(off.watch.stoppedSince == nil)
    }

    @Test("A fix no better than its distance is within")
    func accuracyWidensTheRadius() {
        var ride = Ride()
        for time in [0.0, 100, 200] { ride.fix(time, east: 0) }
        ride.fix(210, east: 75, accuracy: 80)
        ride.fix(220, east: 79, accuracy: 80)
        #expect(ride.ledger.spans == [.stop(0)])
    }

    @Test("Before the first stop a drive begins at the first fix, though it waited there")
    func theFirstDriveBeginsAtTheFirstFix() {
        var ride = Ride()
        ride.fix(0, east: 0)
        ride.fix(100, east: 10)
        ride.fix(110, east: 200)
        #expect(ride.ledger.spans == [.drive(0)])
        ride.fix(120, east: 400)
        ride.clock(299)
        #expect(ride.ledger.spans == [.drive(0)])
        ride.clock(300)
        #expect(ride.ledger.spans == [.drive(0, 120), .stop(120)])
    }

    @Test("A stop that only the clock saw is withdrawn when the vehicle is heard elsewhere")
    func aStopOfNoTimeIsNotWritten() {
        var ride = Ride { $0.tellsStops = true }
        ride.fix(0, east: 0)
        ride.fix(60, east: 1000)
        ride.clock(240)
        #expect(ride.ledger.spans == [.drive(0, 60), .stop(60)])
        ride.fix(300, east: 5000)
        #expect(ride.ledger.spans == [.drive(0, 60), .drive(60)])
        #expect(ride.alarms.map(\.kind.type) == ["stop_started", "stop_ended"])
    }

    @Test("Silence with nobody watching: heard where it was it has stood, elsewhere it has driven")
    func silenceWithoutAClock() {
        var stayed = Ride { $0.tellsStops = true }
        stayed.fix(0, east: 0)
        stayed.fix(60, east: 1000)
        stayed.fix(4000, east: 1020)
        #expect(stayed.ledger.spans == [.drive(0, 60), .stop(60)])
        #expect(stayed.alarms.map(\.kind.type) == ["stop_started"])

        var towed = Ride { $0.tellsStops = true }
        towed.fix(0, east: 0)
        towed.fix(60, east: 1000)
        towed.fix(4000, east: 3000)
        #expect(towed.ledger.spans == [.drive(0, 60), .drive(60, 4000)])
        #expect(towed.alarms.isEmpty)
        let unseen = towed.ledger.drives[Timestamp(seconds: 60)]
        #expect(unseen?.isEstimated == true)
        #expect(abs((unseen?.distance ?? 0) - 2000) < 1)
        // What follows is judged as from a first fix.
        towed.fix(4060, east: 3020)
        towed.fix(4300, east: 3010)
        #expect(towed.ledger.spans.last == .stop(4000))
    }

    @Test("A night's silence in a stop ends it at the last fix before, where it is heard elsewhere")
    func silenceInAStop() {
        var ride = Ride()
        for time in [0.0, 100, 200] { ride.fix(time, east: 0) }
        ride.fix(4000, east: 60)
        #expect(ride.ledger.spans == [.stop(0, 200), .drive(200, 4000)])
    }

    @Test("The way and the speed of a drive end where its stop begins")
    func theDriveEndsAtTheStop() throws {
        var ride = Ride()
        for time in [0.0, 200] { ride.fix(time, east: 0, speed: 0) }
        ride.fix(260, east: 900, speed: 15)
        ride.fix(320, east: 1800, speed: 14)
        for time in stride(from: 380.0, through: 600, by: 20) {
            ride.fix(time, east: 1830, north: time == 500 ? 20 : 0, speed: time == 500 ? 16 : 0)
        }
        let drive = try #require(ride.ledger.drives[Timestamp(seconds: 200)])
        #expect(drive.endedAt == Timestamp(seconds: 320))
        #expect(abs(drive.distance - 1800) < 0.1)
        #expect(drive.topSpeed == 15)
        #expect(drive.fixes == 3)
        #expect(abs(ride.watch.odometer - 1800) < 0.1)
    }

    @Test("Idling counts between two fixes with the ignition on, also around one that strays")
    func idling() throws {
        var ride = Ride()
        ride.fix(0, east: 0, ignition: true)
        ride.fix(100, east: 60, ignition: true)
        ride.fix(200, east: 0, ignition: true)
        ride.fix(300, east: 0, ignition: nil)
        ride.fix(400, east: 0, ignition: true)
        ride.fix(450, east: 0, ignition: false)
        ride.fix(460, east: 500, ignition: true)
        #expect(ride.ledger.stops[Timestamp(seconds: 0)]?.idle == 200)
    }

    @Test("Idling before the stop is the drive's")
    func idlingBegins() throws {
        var ride = Ride()
        ride.fix(0, east: 0, ignition: true)
        ride.fix(60, east: 1000, ignition: true)
        ride.fix(160, east: 1000, ignition: true)
        ride.fix(260, east: 1000, ignition: false)
        ride.fix(320, east: 2000)
        #expect(ride.ledger.stops[Timestamp(seconds: 60)]?.idle == 100)
    }

    @Test("A stop at a via point is planned, one between is not, and none is without a trip")
    func planned() throws {
        func plan(at east: Double, onTrip: Bool = true) throws -> StopStart? {
            var ride = Ride()
            if onTrip { try ride.assign([0, 10_000], viaPoints: [5000]) }
            for time in [0.0, 100, 200] { ride.fix(time, east: east) }
            return ride.ledger.stops[Timestamp(seconds: 0)]?.start
        }
        #expect(try plan(at: 4970)?.waypointIndex == 0)
        #expect(try plan(at: 4970)?.isPlanned == true)
        #expect(try plan(at: 3000)?.waypointIndex == nil)
        #expect(try plan(at: 3000)?.isPlanned == false)
        #expect(try plan(at: 4970, onTrip: false)?.isPlanned == nil)
    }

    @Test("A day of fixes each second in one place is one stop, and remembers little")
    func muchOfOnePlace() {
        var ride = Ride { $0.stopDuration = 3600 }
        for second in 0...4000 {
            ride.fix(Double(second), east: Double(second % 7), north: Double(second % 5))
        }
        #expect(ride.ledger.spans == [.stop(0)])
        #expect(ride.watch.odometer == 0)
    }
}
