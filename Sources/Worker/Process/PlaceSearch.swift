import Foundation
package import Geometry
import Telemetry
import Tracking
import Watching

/// Which places somebody looks for.
package struct PlaceSearch: Sendable {
    private let box: CoordinateBox?
    private let category: String?
    private let level: String?
    private let text: String?
    private let near: Coordinate?
    private let limit: Int

    /// - Parameters:
    ///   - box: Only those that meet it.
    ///   - category: Only those of it, or below it.
    ///   - level: Only those of the floor, as it is written.
    ///   - text: Only those whose id, name, labels or category hold it; case and accents do not matter.
    ///   - near: The nearest first.
    ///   - limit: At most so many.
    package init(
        box: CoordinateBox? = nil, category: String? = nil, level: String? = nil,
        text: String? = nil, near: Coordinate? = nil, limit: Int = 500
    ) {
        self.box = box
        self.category = category
        self.level = level
        self.text = text.map(Self.plain)
        self.near = near
        self.limit = limit
    }

    /// The places that are meant, the best first, and whether there are more.
    func found(among places: [Place]) -> (places: [Place], isTruncated: Bool) {
        var found: [(place: Place, rank: Int, distance: Double)] = []
        for place in places where admits(place) {
            guard let rank = rank(place) else { continue }
            let distance = near.map { place.content.area.distance(from: $0) } ?? 0
            found.append((place, rank, distance))
        }
        found.sort {
            ($0.rank, $0.distance, $0.place.id) < ($1.rank, $1.distance, $1.place.id)
        }
        return (found.prefix(limit).map(\.place), found.count > limit)
    }

    private func admits(_ place: Place) -> Bool {
        let content = place.content
        if let box, !content.area.box.meets(box) { return false }
        if let level, content.level?.written != level { return false }
        guard let category else { return true }
        return content.category == category || content.category?.hasPrefix(category + "/") == true
    }

    /// How well the text fits: exactly 0, at the beginning 1, at the beginning of a word 2, inside 3; `nil` where it does
    /// not.
    private func rank(_ place: Place) -> Int? {
        guard let text else { return 0 }
        let content = place.content
        let words =
            [place.id, place.name] + (content.profile?.labels ?? [])
            + (content.category.map { [$0] } ?? [])
        return words.compactMap { Self.rank(text, in: Self.plain($0)) }.min()
    }

    private static func rank(_ text: String, in word: String) -> Int? {
        if word == text { return 0 }
        if word.hasPrefix(text) { return 1 }
        if word.split(whereSeparator: { " -/_.".contains($0) }).contains(where: {
            $0.hasPrefix(text)
        }) {
            return 2
        }
        return word.contains(text) ? 3 : nil
    }

    private static func plain(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}

/// What other threads may ask of the places.
extension WorkerView {
    /// The places that are looked for, a GeoJSON FeatureCollection of definitions; `nil` while they are not loaded.
    package func places(_ search: PlaceSearch) -> [UInt8]? {
        // The tracking stage only lends them; looking through them is for the thread that asks.
        let all = shared.queries.answer(waking: shared.tracking) { fleet in
            fleet.book.ids.compactMap { fleet.book.place($0) }
        }
        guard let all else { return nil }
        let (places, isTruncated) = search.found(among: all)
        var collection = JSONWriter(capacity: 512 * places.count + 64)
        collection.object { json in
            json.member("type", "FeatureCollection")
            json.member("truncated", isTruncated)
            json.key("features")
            json.array { json in
                for place in places { PlaceEncoder.encode(definition: place, into: &json) }
            }
        }
        return collection.bytes
    }

    /// A place's definition; `nil` when it is not in force.
    package func place(_ id: String) -> [UInt8]? {
        let place = shared.queries.answer(waking: shared.tracking) { $0.book.place(id) }
        guard let place else { return nil }
        var json = JSONWriter(capacity: 512)
        PlaceEncoder.encode(definition: place, into: &json)
        return json.bytes
    }

    /// Who is in a place, by how long they have been there; `nil` when it is not in force.
    package func vehicles(inPlace id: String) -> [UInt8]? {
        let inside =
            shared.queries.answer(waking: shared.tracking) { fleet in
                guard fleet.book.place(id) != nil else { return nil }
                return fleet.vehicles.values.compactMap { vehicle in
                    vehicle.watch.entered(id, in: fleet.book.surroundings).map {
                        Visitor(vehicleID: vehicle.id, since: $0)
                    }
                }
            } as [Visitor]?
        guard let inside else { return nil }
        var json = JSONWriter(capacity: 64 * inside.count + 64)
        json.object { json in
            json.member("place_id", id)
            json.key("vehicles")
            json.array { json in
                for visitor in inside.sorted(by: {
                    ($0.since, $0.vehicleID) < ($1.since, $1.vehicleID)
                }) {
                    json.object { json in
                        json.member("vehicle_id", visitor.vehicleID)
                        json.member("since", visitor.since)
                    }
                }
            }
        }
        return json.bytes
    }

    private struct Visitor: Sendable {
        var vehicleID: String
        var since: Timestamp
    }
}
