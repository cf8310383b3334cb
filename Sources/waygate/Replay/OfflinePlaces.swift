import Telemetry
import Watching
import Worker

/// Places as if they had always been there, for rules that are run offline.
enum OfflinePlaces {
    /// What is allowed of them.
    static let limits = PlaceLimits(isZone: SystemZone.exists)

    /// Returns the places of a file.
    ///
    /// - Throws: ``CommandFailure`` that names the file and what is wrong in it.
    static func read(_ file: String) throws(CommandFailure) -> [Place] {
        try places(PlaceFile.read(file, radius: nil), from: file)
    }

    /// Returns the places of a JSON object of ids with what was put.
    ///
    /// - Parameter name: Where it is from, for a person.
    static func places(in text: String, from name: String) throws(CommandFailure) -> [Place] {
        let drafts: [PlaceDraft]
        do throws(RouteFileError) {
            drafts = try PlaceFile.places(in: text, radius: nil)
        } catch {
            throw CommandFailure("\(name): \(error.message)")
        }
        return try places(drafts, from: name)
    }

    private static func places(
        _ drafts: [PlaceDraft], from name: String
    ) throws(CommandFailure) -> [Place] {
        let contents = try PlaceFile.contents(of: drafts, in: name, limits)
        return zip(drafts, contents).map { draft, content in
            Place(id: draft.id, revision: 1, putAt: Scenario.longAgo, content: content)
        }
    }
}
