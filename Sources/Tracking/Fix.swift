public import Geometry

/// One position that a device reported, with what else tracking and progress need of it.
public struct Fix: Equatable, Sendable {
    /// When the device says it was there.
    public var time: Timestamp
    /// Where the device says it was.
    public var coordinate: Coordinate
    /// Radius of the device's own error estimate, in metres; `nil` when not reported, negative when
    /// the device says that the position is invalid (such a fix is never tracked).
    public var accuracy: Double?
    /// Speed over ground, in metres per second, 0 or more; `nil` when not reported.
    public var speed: Double?
    /// Course over ground, in degrees clockwise from true north, 0 up to but not 360.
    public var course: Double?
    /// Floor of a yard, depot or car park.
    public var level: Level?

    /// Creates a fix.
    public init(
        time: Timestamp, coordinate: Coordinate, accuracy: Double? = nil, speed: Double? = nil,
        course: Double? = nil, level: Level? = nil
    ) {
        self.time = time
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.speed = speed
        self.course = course
        self.level = level
    }
}

/// A floor, as the device names it: some count, some write letters.
///
/// It is kept apart, since few places and fixes have one.
public indirect enum Level: Hashable, Sendable {
    /// A counted floor, 0 at the ground.
    case number(Double)
    /// A named floor.
    case text(String)
}
