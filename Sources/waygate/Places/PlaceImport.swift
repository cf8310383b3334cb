import Telemetry
import Tracking
import Watching
import Worker

/// What an import does, worked out before anything is published.
struct PlaceImport {
    /// What becomes of a place.
    enum Effect: String {
        case new, changed, unchanged, deleted
    }

    /// How places are taken from a file.
    struct Plan {
        /// Makes circles of points without a radius, in metres.
        var radius: Double?
        /// The category of places that have none in the file.
        var category: String?
        /// The alarms that they tell, in place of the file's.
        var tells: [String]?
        /// Whether places of the category that are not in the file are deleted.
        var deletesMissing = false
    }

    /// What would be published, in order.
    let orders: PlaceOrders
    /// What that would change, place by place; empty where the places in force were not asked for.
    let effects: [(id: String, effect: Effect)]

    /// Reads a file, and compares it with what is in force.
    ///
    /// - Parameter catalogue: The places in force, where somebody wants to know or something may have to be deleted.
    /// - Throws: ``CommandFailure`` that names every place of the file that the worker would refuse.
    init(
        _ file: String, _ plan: Plan, limits: PlaceLimits,
        catalogue: () throws -> PlaceCatalogue?
    ) throws {
        var places = try PlaceFile.read(file, radius: plan.radius)
        for index in places.indices { plan.complete(&places[index]) }
        let contents: [PlaceContent]
        do throws(CommandFailure) {
            contents = try PlaceFile.contents(of: places, in: file, limits)
        } catch {
            throw CommandFailure("\(error)\nnothing was put")
        }
        let catalogue = try catalogue()
        var orders = PlaceOrders()
        var effects: [(String, Effect)] = []
        let known = Dictionary(
            uniqueKeysWithValues: (catalogue?.items ?? []).map { ($0.id, $0.place) })
        for (place, content) in zip(places, contents) {
            orders.put(place)
            guard catalogue != nil else { continue }
            let effect: Effect =
                switch known[place.id] {
                case nil: .new
                case .some(let old): old?.content == content ? .unchanged : .changed
                }
            effects.append((place.id, effect))
        }
        if plan.deletesMissing, let catalogue {
            let kept = Set(places.map(\.id))
            for item in catalogue.items(in: plan.category) where !kept.contains(item.id) {
                orders.delete(item.id)
                effects.append((item.id, .deleted))
            }
        }
        self.orders = orders
        self.effects = effects
    }
}

extension PlaceImport.Plan {
    /// Gives a place what the command line says of all.
    fileprivate func complete(_ place: inout PlaceDraft) {
        if let category, !place.has("category") { place.set("category", text: category) }
        if let tells { place.set(tells: tells) }
    }
}

extension PlaceDraft {
    /// Sets which alarms are told.
    mutating func set(tells: [String]) {
        set("tell", json: "[" + tells.map { "\"\($0)\"" }.joined(separator: ",") + "]")
    }
}
