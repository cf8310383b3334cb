/// How places and alarms are asked for.
extension Router {
    /// What a path below `/api/places` is for; `nil` for nothing.
    func placeEndpoint(_ path: [String], _ request: HTTPRequest) -> Endpoint? {
        guard path.count > 1 else { return .read { places(request) } }
        let id = path[1]
        guard isVehicleID(id) else { return nil }
        switch path.count {
        case 2 where request.method == "POST": return .placeCommand("put", placeID: id)
        case 2 where request.method == "DELETE": return .placeCommand("delete", placeID: id)
        case 2: return .read { answer(source.place(id), orElse: "there is no such place") }
        case 3 where path[2] == "vehicles":
            return .read { answer(source.vehicles(inPlace: id), orElse: "there is no such place") }
        default: return nil
        }
    }

    private func places(_ request: HTTPRequest) -> HTTPResponse {
        let query: PlaceQuery
        do {
            query = try PlaceQuery(request.arguments.mapValues(Self.decoded))
        } catch {
            return .failure(400, error.message)
        }
        return answer(source.places(query), orElse: "no places are served here")
    }

    /// A value of a form: percent-decoded, with `+` for blanks; as sent where it does not decode.
    static func decoded(_ value: String) -> String {
        let blanks = String(value.map { $0 == "+" ? " " : $0 })
        return HTTPRequest.parts(ofPath: "/" + blanks)?.joined(separator: "/") ?? value
    }

    private func answer(_ body: [UInt8]?, orElse message: String) -> HTTPResponse {
        guard let body else { return .failure(404, message) }
        return HTTPResponse(type: "application/geo+json", body: body)
    }

    /// The newest alarms after a number.
    func recentAlarms(_ request: HTTPRequest) -> HTTPResponse {
        let after = request.arguments["after"] ?? "0"
        guard let number = Int(after), number >= 0 else {
            return .failure(400, "after must be a whole number, the last of an earlier answer")
        }
        return .json(alarms.json(after: number))
    }
}
