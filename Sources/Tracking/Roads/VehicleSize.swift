/// How large and heavy a vehicle is, for planners that leave out roads that it does not fit on: rule R7.
public struct VehicleSize: Sendable, Equatable {
    /// Metres; above 0 where given.
    public var height: Double?
    /// Metres; above 0 where given.
    public var width: Double?
    /// Metres; above 0 where given.
    public var length: Double?
    /// Kilograms in all; above 0 where given.
    public var weight: Double?
    /// Kilograms on an axle; above 0 where given.
    public var axleLoad: Double?
    /// How many axles it has, 2 or more where given.
    public var axleCount: Int?
    /// Whether it carries hazardous goods.
    public var isHazardous: Bool?
    /// Metres per second; above 0 where given.
    public var topSpeed: Double?

    /// Creates a vehicle of which nothing is known.
    public init() {}
}
