import Geometry
import Tracking

/// Places on the maps, on or beside a road.
enum Places {
    static let vaduz = Coordinate(latitude: 47.1410, longitude: 9.5209)
    static let schaan = Coordinate(latitude: 47.1650, longitude: 9.5090)
    static let eschen = Coordinate(latitude: 47.2110, longitude: 9.5220)
    static let ruggell = Coordinate(latitude: 47.2390, longitude: 9.5270)
    static let monacoWest = Coordinate(latitude: 43.7275, longitude: 7.4150)
    static let monacoEast = Coordinate(latitude: 43.7500, longitude: 7.4400)
}

/// A question over these places, the vehicle's first.
func request(
    _ places: [Coordinate], number: Int = 1, course: Double? = nil,
    profile: TripOptions.Profile = .driving, deviationPathStart: Coordinate? = nil,
    avoid: [ClosedRoad] = [], vehicle: VehicleSize? = nil
) -> RouteRequest {
    RouteRequest(
        number: number, from: places[0], course: course,
        viaPoints: places.dropFirst().dropLast().enumerated().map {
            TripEvent.Waypoint(index: $0.offset, target: Target(coordinate: $0.element))
        },
        destination: Target(coordinate: places[places.count - 1]), profile: profile,
        deviationPathStart: deviationPathStart, avoid: avoid, vehicle: vehicle)
}
