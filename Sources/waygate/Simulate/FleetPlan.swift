import Geometry
import Telemetry
import Tracking

/// Everything about a simulated fleet that is settled before it starts.
struct FleetPlan {
    /// How many vehicles; `nil` for one on each line of the file, or 10.
    var vehicles: Int?
    /// What the vehicles' ids begin with.
    var prefix = "sim-"
    /// Cruising speed, in metres per second.
    var speed = 50 / 3.6
    /// Seconds between a vehicle's positions.
    var interval = 2.0
    /// Via points of each trip.
    var viaPoints = 2
    /// Standard deviation of the GPS error to each side, in metres.
    var noise = 0.0
    /// Repeats the fleet exactly.
    var seed: UInt64 = 1
    /// How many vehicles leave their route once.
    var strays = 0
    /// How far they go before they turn round, in metres.
    var strayDistance = 800.0
    /// Whether vehicles are given trips.
    var assigns = true
    /// Whether a vehicle that has arrived drives back, as a new trip.
    var repeats = false
    /// Seconds after which a held vehicle is told to proceed; `nil` leaves that to others.
    var proceedsAfter: Double?
    /// Whether requests for routes are answered, by straight lines.
    var plansRoutes = false
    /// Settings of the tracking rules for each trip.
    var options: [(name: String, value: OptionValue)] = []
}

/// One trip of a simulated vehicle.
struct PlannedTrip {
    /// The line to drive.
    var line: RouteLine
    /// The via points' offsets on the line, in metres.
    var stops: [Double]

    /// Plans a trip along a line, its via points spread over it.
    ///
    /// - Parameter viaPoints: How many; fewer where the line is too short for stops 100 m apart.
    init(line: RouteLine, viaPoints: Int, random: inout SeededGenerator) {
        self.line = line
        let count = min(viaPoints, max(0, Int(line.length / 100) - 1))
        let gap = line.length / Double(count + 1)
        stops = (0..<count).map { index in
            (Double(index + 1) + .random(in: -0.25...0.25, using: &random)) * gap
        }
    }

    private static let names = ["Depot", "Market", "Station", "School", "Clinic", "Bakery"]

    /// The via points, in order.
    var viaPoints: [Target] {
        stops.enumerated().map { index, offset in
            Target(coordinate: line.point(at: offset), name: Self.names[index % Self.names.count])
        }
    }

    /// Where a vehicle leaves the trip's route: half way to the first via point, or to the end.
    func stray(distance: Double, random: inout SeededGenerator) -> SimulatedVehicle.Stray {
        SimulatedVehicle.Stray(
            offset: (stops.first ?? line.length) / 2, distance: distance,
            turn: Bool.random(using: &random) ? 90 : -90)
    }
}
