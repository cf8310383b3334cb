/// Decides whether a request may send commands.
struct CommandGate: Sendable {
    private let token: [UInt8]

    /// Creates a gate; without a token it is closed.
    init(token: String?) {
        self.token = Array((token ?? "").utf8)
    }

    /// Whether commands can be sent at all.
    var isOn: Bool { !token.isEmpty }

    /// Returns the answer that turns the request away, or `nil` when it may pass.
    func refusal(_ headers: [String: String]) -> HTTPResponse? {
        guard isOn else {
            return .failure(403, "commands are off: the setting http.command_token turns them on")
        }
        guard isSameOrigin(headers) else {
            return .failure(403, "commands are taken from the console's own page only")
        }
        guard carriesToken(headers) else {
            return .failure(
                401, "the bearer token is missing or wrong",
                headers: [("WWW-Authenticate", "Bearer realm=\"waygate\"")])
        }
        return nil
    }

    /// Returns whether no other site's page sent it; what is no browser sends neither header.
    private func isSameOrigin(_ headers: [String: String]) -> Bool {
        if let site = headers["sec-fetch-site"] { return site == "same-origin" || site == "none" }
        guard let origin = headers["origin"] else { return true }
        guard let host = headers["host"] else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }

    /// Returns whether the token is in `Authorization`, or in the header of the console's page.
    ///
    /// The page leaves `Authorization` to a proxy in front, which may want a password in it.
    private func carriesToken(_ headers: [String: String]) -> Bool {
        if let token = headers["x-waygate-token"] { return isToken(token[...]) }
        let parts = (headers["authorization"] ?? "").split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" && isToken(parts[1])
    }

    /// Compares the token in a time that does not depend on where it differs.
    private func isToken(_ text: Substring) -> Bool {
        let offered = Array(text.utf8)
        var difference = UInt8(offered.count == token.count ? 0 : 1)
        for (index, byte) in token.enumerated() {
            difference |= byte ^ (index < offered.count ? offered[index] : 0)
        }
        return difference == 0
    }
}
