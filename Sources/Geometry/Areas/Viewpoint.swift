import Glibc

/// A coordinate from which distances to many areas are measured.
///
/// It has what depends on the coordinate alone, so that it is worked out once.
public struct Viewpoint: Sendable {
    /// Where it is.
    public let coordinate: Coordinate
    /// The flat map around it.
    let map: PlaneMap

    /// Creates a viewpoint at a valid coordinate.
    public init(_ coordinate: Coordinate) {
        self.coordinate = coordinate
        map = PlaneMap(around: coordinate)
    }
}
