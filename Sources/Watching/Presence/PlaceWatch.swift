import Geometry
import Tracking

/// A vehicle and the places: who comes and goes, passes, dwells and approaches.
struct PlaceWatch: Equatable, Sendable {
    var presences = Presences()
    /// The gates that were passed, and not left since by more than their margin.
    var passedGates: [Int32] = []
    var approaches = Approaches()
    /// The route's spots; `nil` without a route, or without a place that is approached.
    @Seldom var spots: RouteSpots? = nil
    var ball = QuietBall()

    init() {}

    /// Judges a usable fix.
    ///
    /// - Parameter speed: As reported, where it can be believed.
    mutating func judge(
        _ step: Step, speed: Double?, vehicleID: String, _ surroundings: Surroundings,
        _ outcome: inout WatchOutcome
    ) -> PlaceNews? {
        guard surroundings.places.count > 0 else { return nil }
        if ball.holds(step, version: surroundings.places.version) {
            if !presences.isEmpty { presences.drive(step.way, speed: speed) }
            if surroundings.places.approachCount == 0 { return nil }
        }
        var news = PlaceNews()
        if !ball.holds(step, version: surroundings.places.version) {
            let look = Look(step, speed: speed, vehicleID: vehicleID, surroundings)
            self.look(look, &news, &outcome)
        }
        if surroundings.places.approachCount > 0 {
            judgeSpots(step, speed: speed, vehicleID: vehicleID, surroundings.places, &news)
        }
        return news.isEmpty ? nil : news
    }
}
