import Synchronization
import Tracking

/// Asks the tracking stage to publish again what dashboards should find, from the publishing stage.
final class ReannouncementRequest: Sendable {
    /// What is to be published again.
    enum Extent: Equatable {
        /// Progress that was published since this second of uptime, and may not have arrived.
        case progress(since: Double)
        /// Route and progress of all vehicles, and all definitions.
        case everything
    }

    private let asked = Mutex<Extent?>(nil)

    /// Asks, on top of what was asked before.
    func ask(_ extent: Extent) {
        asked.withLock { asked in
            switch (asked, extent) {
            case (.everything, _): break
            case (.progress(let earlier), .progress(let since)):
                asked = .progress(since: min(earlier, since))
            default: asked = extent
            }
        }
    }

    /// Takes what was asked.
    func take() -> Extent? {
        asked.withLock { asked in
            defer { asked = nil }
            return asked
        }
    }
}

/// Publishes what is retained of many vehicles and places again, a few at a time, so that events never wait behind all
/// of them.
struct Reannouncement {
    private struct Vehicles {
        var ids: [String]
        var withRoutes: Bool
    }

    /// How many vehicles or places are published at a time.
    private static let batch = 50
    private var left: [Vehicles] = []
    private var places: [String] = []

    /// Whether nobody is left.
    var isEmpty: Bool { left.isEmpty && places.isEmpty }

    /// Begins with all of the fleet that the extent concerns.
    mutating func begin(_ extent: ReannouncementRequest.Extent, _ fleet: Fleet) {
        switch extent {
        case .everything:
            left = [Vehicles(ids: fleet.vehicles.keys.sorted(), withRoutes: true)]
            places = fleet.book.ids.sorted()
        case .progress(let since):
            let recent = fleet.vehicles.values.filter { $0.announcement.sentAt >= since }
            left.append(Vehicles(ids: recent.map(\.id).sorted(), withRoutes: false))
        }
        left.removeAll { $0.ids.isEmpty }
    }

    /// Takes the next vehicles' publications, as they are now.
    mutating func next(_ fleet: Fleet, _ now: Double) -> [Publication] {
        guard let group = left.first else { return nextPlaces(fleet) }
        var publications: [Publication] = []
        for id in group.ids.suffix(Self.batch) {
            guard let vehicle = fleet.vehicles[id] else { continue }
            if group.withRoutes, let route = fleet.route(of: vehicle) { publications.append(route) }
            if group.withRoutes, vehicle.trip?.proposal != nil {
                publications.append(fleet.proposal(of: vehicle))
            }
            guard let progress = fleet.progress(of: vehicle) else { continue }
            publications.append(progress)
            vehicle.announcement.sentAt = now
        }
        left[0].ids.removeLast(min(Self.batch, group.ids.count))
        if left[0].ids.isEmpty { left.removeFirst() }
        return publications
    }

    private mutating func nextPlaces(_ fleet: Fleet) -> [Publication] {
        let ids = places.suffix(Self.batch)
        places.removeLast(ids.count)
        return ids.filter { fleet.book.place($0) != nil }.map { fleet.definition(of: $0) }
    }
}
