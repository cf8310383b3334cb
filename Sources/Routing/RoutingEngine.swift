import Geometry
import Telemetry
import Tracking

/// What is asked of an engine: one route.
struct RouteQuery: Equatable, Sendable {
    /// Where it starts, what it passes, where it ends: 2 or more.
    var points: [Coordinate]
    /// Which way the vehicle faces at the first, in degrees clockwise from north.
    var course: Double?
    /// What kind of road user it is for.
    var profile: TripOptions.Profile
    /// How large and heavy the vehicle is; `nil` where that is unknown.
    var vehicle: VehicleSize?
    /// Whether other routes than the best are wanted too.
    var wantsAlternatives = false
    /// What to leave out.
    var exclusions = Exclusions()
}

/// What sets one kind of server apart: how it is asked and how it answers.
protocol RoutingEngine: Sendable {
    /// What people call it.
    static var name: String { get }
    /// The codes of a working engine that found no road, or no way, for what it was asked: leaving out
    /// the course may help.
    static var codesOfNoWay: Set<String> { get }
    /// Whether roads can be left out on request.
    static var excludesRoads: Bool { get }

    /// Returns the request that asks for a route.
    static func request(for query: RouteQuery, at endpoint: Endpoint) -> HTTPRequest
    /// Returns a request that any working server answers.
    static func probe(at endpoint: Endpoint) -> HTTPRequest
    /// Returns what a probe's answer tells about the server, or `nil` when it is not of this kind.
    static func description(of answer: JSONValue) -> String?
    /// Returns the engine's own code and words where an answer is not a route.
    static func refusal(in answer: JSONValue) -> (code: String, words: String)?
    /// Returns the routes of an answer, unchecked, the best first; one or more.
    ///
    /// - Throws: `unusable` when there is none.
    static func routes(in answer: JSONValue, for query: RouteQuery) throws(PlannerError)
        -> [ProvidedRoute]
}

extension Double {
    /// Degrees as both engines read them: six decimals (0.1 m), never with an exponent.
    var degreesText: String {
        let scaled = Int64(max(-1e9, min(1e9, (self * 1e6).rounded())))
        let digits = String(scaled.magnitude)
        let padded = String(repeating: "0", count: max(0, 7 - digits.count)) + digits
        return (scaled < 0 ? "-" : "") + padded.dropLast(6) + "." + padded.suffix(6)
    }

    /// A measure with three decimals, never with an exponent.
    var plainText: String {
        let scaled = Int64(max(0, min(1e9, (self * 1000).rounded())))
        let decimals = String(scaled % 1000 + 1000).dropFirst()
        return "\(scaled / 1000).\(decimals)"
    }

    /// Whole degrees of a course, 0 up to but not 360.
    var courseText: String {
        String((Int(truncatingRemainder(dividingBy: 360).rounded()) + 360) % 360)
    }
}
