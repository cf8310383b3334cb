import Geometry
import Tracking

/// A place as the rules look at it, with what they need often worked out once: immutable, and shared by reference.
final class PlaceInForce: Sendable {
    /// What there is of it.
    enum Extent: Sendable {
        /// It has an inside.
        case area
        /// A line without an inside, but with two sides.
        case gate
        /// A spot.
        case point
    }

    let place: Place
    let extent: Extent
    /// The box around its area.
    let box: CoordinateBox
    /// What a fix's accuracy is compared with, in metres.
    let size: Double
    /// Its own `exit_margin_m` and `confirm_s`; `nil` for the settings.
    private let exitMargin: Compact<Double>
    private let confirmation: Compact<Double>
    /// The clocks that its hours are read from; `nil` where it has no hours of the week.
    private let zone: (any ZoneRules)?

    init(_ place: Place, zone: (any ZoneRules)?) {
        self.place = place
        self.zone = zone
        box = place.content.area.box
        size = place.content.area.size
        let terms = place.content.terms
        exitMargin = Compact(wrappedValue: terms.exitMargin)
        confirmation = Compact(wrappedValue: terms.confirmation)
        extent =
            switch place.content.area.shape {
            case .point: .point
            case .line: place.content.area.hasInside ? .area : .gate
            case .circle, .rectangle, .polygon: .area
            }
    }

    var id: String { place.id }
    var speedLimit: Double? { terms.speedLimit }
    var area: Area { place.content.area }
    var terms: PlaceTerms { place.content.terms }
    var level: Level? { place.content.level }
    var label: PlaceLabel {
        PlaceLabel(
            id: id, name: place.name, category: place.content.category, level: level,
            revision: place.revision)
    }

    func isMeant(for vehicleID: String) -> Bool {
        place.content.terms.vehicles?.contains(vehicleID) ?? true
    }

    /// Whether a kind of alarm is told at a moment: rule W9.
    func tells(_ what: PlaceAlarmSet, at time: Timestamp) -> Bool {
        place.content.tells.contains(what) && isActive(at: time)
    }

    /// Whether alarms of a moment are told at all.
    func isActive(at time: Timestamp) -> Bool {
        place.content.terms.hours?.contains(time, in: zone) ?? true
    }

    /// How long a change must last, in seconds.
    func confirmation(_ settings: WatchSettings) -> Double {
        confirmation.wrappedValue ?? settings.confirmation
    }

    /// How far beyond the boundary a vehicle has left, in metres.
    func exitMargin(_ settings: WatchSettings) -> Double {
        exitMargin.wrappedValue ?? settings.exitMargin
    }

    /// How long a vehicle has to stay to have dwelled, in seconds; `nil` where that is not told.
    var dwell: Double? { place.content.tells.contains(.dwell) ? place.content.terms.dwell : nil }

    /// Whether this one comes first in an order from small to large; of equal ones, by id.
    func isSmaller(than other: PlaceInForce) -> Bool {
        (area.squareMetres, id) < (other.area.squareMetres, other.id)
    }

    /// Whether this one comes first in an order from large to small; of equal ones, by id.
    func isLarger(than other: PlaceInForce) -> Bool {
        (-area.squareMetres, id) < (-other.area.squareMetres, other.id)
    }
}

extension ApproachTerms {
    /// So near it is told at a speed, in metres.
    func reach(at speed: Double) -> Double { max(distance ?? 0, (seconds ?? 0) * speed) }
}
