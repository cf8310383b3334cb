import Tracking
import Watching

/// Reads what people see of a place.
enum PlaceProfileReader {
    /// Returns the profile that a place's members describe.
    ///
    /// - Throws: A refusal for `invalid_place` that names the member that is wrong.
    static func profile(of object: PayloadObject) throws(Refusal) -> PlaceProfile {
        PlaceProfile(
            description: try object.plainText("description", upTo: 2048, lines: true),
            color: try color(of: object), rank: try rank(of: object),
            labels: try object.texts("labels", upTo: 16, bytes: 1...64) ?? [],
            parent: try parent(of: object), attributes: try attributes(of: object))
    }

    private static func color(of object: PayloadObject) throws(Refusal) -> UInt32? {
        guard let member = object["color"] else { return nil }
        guard let bytes = member.text?.bytes, bytes.count == 7, bytes[0] == UInt8(ascii: "#"),
            let color = UInt32(String(decoding: bytes.dropFirst(), as: UTF8.self), radix: 16),
            bytes[1] != UInt8(ascii: "+")
        else { throw object.refusal(of: "color", member, expected: "#rrggbb") }
        return color
    }

    private static func rank(of object: PayloadObject) throws(Refusal) -> PlaceProfile.Rank {
        guard let member = object["rank"] else { return .medium }
        guard let rank = member.string.flatMap(PlaceProfile.Rank.init(rawValue:)) else {
            let names = PlaceProfile.Rank.allCases.map(\.rawValue).joined(separator: ", ")
            throw object.refusal(of: "rank", member, expected: "one of \(names)")
        }
        return rank
    }

    private static func parent(of object: PayloadObject) throws(Refusal) -> String? {
        guard let member = object["parent"] else { return nil }
        guard let bytes = member.text?.bytes, let parent = VehicleID.checked(bytes) else {
            throw object.refusal(
                of: "parent", member,
                expected: "a place's id: 1 to 128 bytes without / + # or control characters")
        }
        return parent
    }

    private static func attributes(of object: PayloadObject) throws(Refusal) -> String? {
        guard let member = object["attributes"] else { return nil }
        guard member.kind == .object else {
            throw object.refusal(of: "attributes", member, expected: "an object")
        }
        guard !member.holdsControl else {
            throw Refusal(
                .invalidPlace, "\(object.path)attributes must be without control characters")
        }
        let text = member.canonicalText
        guard text.utf8.count <= 8192 else {
            throw Refusal(
                .invalidPlace,
                "\(object.path)attributes must be up to 8,192 bytes, not \(text.utf8.count)")
        }
        return text == "{}" ? nil : text
    }
}
