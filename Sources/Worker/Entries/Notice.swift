import Foundation
import Geometry
import Tracking

/// What a planner's answer or a timer says of a trip, as an entry's payload.
///
/// JSON: answers are rare beside positions, and a spool that a person can read is worth more.
struct Notice: Codable, Equatable, Sendable {
    /// The trip it was about; another one may have begun since.
    var tripID: String
    /// The request that is answered.
    var request: Int?
    /// Why it failed.
    var reason: String?
    /// The new route.
    var route: Line?
    /// Road path from the last point on the old route to the stray fix, as longitude, latitude, ….
    var deviationPath: [Double]?
    /// For an expiry, the reception time in microseconds of the fix after which none came.
    var silentSince: Int64?

    /// A route as plain numbers.
    struct Line: Codable, Equatable, Sendable {
        /// Longitude, latitude, longitude, latitude, ….
        var coordinates: [Double]
        var duration: Double?
        var segmentDurations: [Double]?
        var speedLimits: [Double]?
        var legEnds: [Int]?
    }

    /// The JSON text.
    func encoded() -> [UInt8] {
        // Plain numbers and texts always encode; planners' answers are checked to be finite.
        (try? JSONEncoder().encode(self)).map(Array.init) ?? []
    }

    /// Reads the JSON text; `nil` when it is none.
    init?(_ payload: UnsafeRawBufferPointer) {
        guard let notice = try? JSONDecoder().decode(Notice.self, from: Data(payload)) else {
            return nil
        }
        self = notice
    }

    init(tripID: String, request: Int? = nil, reason: String? = nil, silentSince: Int64? = nil) {
        self.tripID = tripID
        self.request = request
        self.reason = reason
        self.silentSince = silentSince
    }

    /// Creates the notice of a planner's route.
    init(tripID: String, request: Int, route: ProvidedRoute, deviationPath: [Coordinate]) {
        self.tripID = tripID
        self.request = request
        self.route = Line(
            coordinates: Self.flatten(route.coordinates), duration: route.duration,
            segmentDurations: route.segmentDurations, speedLimits: route.speedLimits,
            legEnds: route.legEnds)
        self.deviationPath = Self.flatten(deviationPath)
    }

    /// The route, as the tracker takes it; `nil` when there is none.
    var providedRoute: ProvidedRoute? {
        route.map {
            ProvidedRoute(
                coordinates: Self.coordinates($0.coordinates), duration: $0.duration,
                segmentDurations: $0.segmentDurations ?? [], speedLimits: $0.speedLimits ?? [],
                legEnds: $0.legEnds ?? [])
        }
    }

    /// The road path, as the tracker takes it.
    var path: [Coordinate] { Self.coordinates(deviationPath ?? []) }

    private static func flatten(_ coordinates: [Coordinate]) -> [Double] {
        coordinates.flatMap { [$0.longitude, $0.latitude] }
    }

    private static func coordinates(_ numbers: [Double]) -> [Coordinate] {
        stride(from: 0, to: numbers.count - 1, by: 2).map {
            Coordinate(latitude: numbers[$0 + 1], longitude: numbers[$0])
        }
    }
}
