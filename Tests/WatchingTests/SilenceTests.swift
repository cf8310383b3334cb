import Geometry
import Testing
import Tracking
import Watching

struct SilenceTests {
    private func fix(at second: Double) -> WatchInput {
        .fix(
            WatchedFix(
                Fix(
                    time: Timestamp(seconds: second),
                    coordinate: Coordinate(latitude: 48.2, longitude: 16.4))))
    }

    @Test("A silence is told once by the clock, and its end by the next fix")
    func silenceAndItsEnd() {
        var settings = WatchSettings()
        settings.silence = 600
        settings.stopDuration = 86_400
        let surroundings = Surroundings(settings: settings)
        var watch = Watch(vehicleID: "van-1")
        let second = Timestamp.init(seconds:)

        #expect(watch.deadline(in: surroundings) == nil)
        _ = watch.handle(fix(at: 0), at: second(100), in: surroundings)
        #expect(watch.deadline(in: surroundings) == second(700))
        #expect(watch.handle(.clock(trip: nil), at: second(699), in: surroundings).alarms.isEmpty)

        let silent = watch.handle(.clock(trip: nil), at: second(700), in: surroundings)
        #expect(
            silent.alarms.map(\.kind) == [
                .vehicleSilent(Silence(lastTime: second(0), duration: 600))
            ])
        // What is left is to tell that the vehicle stands.
        #expect(watch.deadline(in: surroundings) == second(100 + 3600).advanced(by: 1e-6))
        #expect(watch.handle(.clock(trip: nil), at: second(900), in: surroundings).alarms.isEmpty)

        let heard = watch.handle(fix(at: 900), at: second(1000), in: surroundings)
        #expect(
            heard.alarms.map(\.kind) == [
                .vehicleHeard(Silence(lastTime: second(0), duration: 900))
            ])
        #expect(heard.alarms.map(\.sequence) == [2])
    }
}
