import Geometry
import Telemetry
import Tracking
import Watching
import Worker

/// A place that a file or a command line describes: its id, and the members of a `put`.
struct PlaceDraft {
    /// Where in the file it stands, for a person; empty where it is no file's.
    var origin: String
    /// Its id.
    var id: String
    /// The members of the `put`, each with its JSON, in order; without a `command_id`.
    var members: [(name: String, json: String)] = []

    init(origin: String = "", id: String) {
        self.origin = origin
        self.id = id
    }

    /// Sets a member, in place of one that is there.
    mutating func set(_ name: String, json: String) {
        members.removeAll { $0.name == name }
        members.append((name, json))
    }

    /// Sets a member to a text without blanks at its ends; an empty text or `nil` leaves the member as it is.
    mutating func set(_ name: String, text: String?) {
        let text = (text ?? "").trimmedBlanks
        guard !text.isEmpty else { return }
        set(name, json: Self.json { $0.string(String(text)) })
    }

    /// Sets a member to a number; `nil` leaves it as it is.
    mutating func set(_ name: String, number: Double?) {
        guard let number else { return }
        set(name, json: Self.json { $0.number(number) })
    }

    /// Sets where it is.
    mutating func set(_ shape: Area.Shape) {
        set("geometry", json: Self.json { PlaceEncoder.encode(shape: shape, into: &$0) })
    }

    /// Tells whether a member is there.
    func has(_ name: String) -> Bool { members.contains { $0.name == name } }

    /// Returns what would be put, read as the worker will.
    ///
    /// - Throws: A refusal in the worker's own words.
    func content(_ limits: PlaceLimits) throws(Refusal) -> PlaceContent {
        guard VehicleID.isValid(id) else {
            throw Refusal(
                .invalidPlace,
                "'\(id.printable)' cannot be a place's id: 1 to 128 bytes without / + # and control characters"
            )
        }
        let payload = payload(commandID: nil)
        let message = payload.withUnsafeBytes {
            PlaceCommandDecoder().decode(
                name: PlaceCommand.Name.put.rawValue, payload: $0, isRetained: false,
                limits: limits)
        }
        switch message.outcome {
        case .success(.put(let content)): return content
        case .success(.delete): throw Refusal(.invalidPlace, "this is not put")
        case .failure(let refusal): throw refusal
        }
    }

    /// Returns the payload of the `put`.
    func payload(commandID: String?) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            if let commandID { json.member("command_id", commandID) }
            for member in members {
                json.key(text: member.name)
                json.raw(member.json)
            }
        }
        return json.bytes
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(capacity: 64)
        write(&json)
        return json.text
    }
}

/// Gives the places of a file their ids, where they have none of their own.
struct PlaceNaming {
    private var taken: Set<String> = []

    /// Returns the id that a file tells, or one made from the name: what topics do not bear is a hyphen, and a name that is there
    /// already gets a number.
    ///
    /// - Parameter origin: Where in the file it stands.
    /// - Throws: ``RouteFileError`` where there is neither, or the id is another place's.
    mutating func id(
        _ told: String?, name: String?, at origin: String
    ) throws(RouteFileError) -> String {
        if let told, !told.isEmpty {
            guard taken.insert(told).inserted else {
                throw RouteFileError("\(origin): another place has the id '\(told.printable)' too")
            }
            return told
        }
        let plain = Self.plain(name ?? "")
        guard !plain.isEmpty else {
            throw RouteFileError("\(origin) has neither an id nor a name to make one from")
        }
        var id = plain
        var count = 1
        while !taken.insert(id).inserted {
            count += 1
            id = "\(plain)-\(count)"
        }
        return id
    }

    private static func plain(_ name: String) -> String {
        let allowed = name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
        let words = String(allowed).split(separator: "-")
        var id = words.joined(separator: "-")
        while id.utf8.count > 100 { id.removeLast() }
        return id
    }
}
