import Tracking
import Watching

/// Reads the places of a scenario.
enum PlaceListReader {
    /// Returns the places of an object of ids with what would be put.
    ///
    /// - Parameters:
    ///   - path: The object's name, for a person.
    ///   - putAt: When the places are taken to have been put.
    /// - Throws: A refusal that names the place and what is wrong in it.
    static func places(
        ofObject value: JSONValue, at path: String, putAt: Timestamp, limits: PlaceLimits
    ) throws(Refusal) -> [Place] {
        guard let members = value.object else {
            throw Refusal(.invalidPlace, "\(path) must be an object, not \(value.shown)")
        }
        var places: [Place] = []
        for (name, value) in members {
            let id = name.string
            do throws(Refusal) {
                let content = try PlaceReader.content(of: value, limits: limits)
                places.append(Place(id: id, revision: 1, putAt: putAt, content: content))
            } catch {
                throw Refusal(error.reason, "place \(id): \(error.detail)")
            }
        }
        return places
    }
}
