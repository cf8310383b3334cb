import Synchronization

/// Decides whether a request may send commands.
final class CommandGate: Sendable {
    private let secret: Mutex<[UInt8]>

    /// Creates a gate; without a token it is closed.
    init(token: String?) {
        secret = Mutex(Array((token ?? "").utf8))
    }

    /// Asks for another token from now on; without one the gate is closed.
    func change(token: String?) {
        secret.withLock { $0 = Array((token ?? "").utf8) }
    }

    private var token: [UInt8] { secret.withLock { $0 } }

    /// Whether commands can be sent at all.
    var isOn: Bool { !token.isEmpty }

    /// Why a request is turned away.
    struct Refusal {
        /// 401 or 403.
        var status: Int
        /// For a person.
        var reason: String

        /// The answer that says so.
        var response: HTTPResponse {
            let challenge = status == 401 ? [("WWW-Authenticate", "Bearer realm=\"waygate\"")] : []
            return .failure(status, reason, headers: challenge)
        }
    }

    /// Returns why the request is turned away, or `nil` when it may pass.
    func refusal(_ headers: [String: String]) -> Refusal? {
        guard isOn else {
            let reason = "commands are off: the setting http.command_token turns them on"
            return Refusal(status: 403, reason: reason)
        }
        if let fault = originFault(headers) { return Refusal(status: 403, reason: fault) }
        guard carriesToken(headers) else {
            return Refusal(status: 401, reason: "the bearer token is missing or wrong")
        }
        return nil
    }

    /// Returns what speaks against a page having sent it, or `nil`; what is no browser sends neither header.
    ///
    /// `Sec-Fetch-Site` comes over HTTPS and from this machine only. Without it the page's host is compared with
    /// the one that was asked for, as the proxy in front passes it on: no page of another site can set a header.
    private func originFault(_ headers: [String: String]) -> String? {
        let strangers = "commands are taken from the console's own page only"
        if let site = headers["sec-fetch-site"] {
            return site == "same-origin" || site == "none" ? nil : strangers
        }
        guard let origin = headers["origin"] else { return nil }
        guard let page = Self.host(ofOrigin: origin) else { return strangers }
        let passedOn = headers["x-forwarded-host"].map {
            $0.prefix { $0 != "," }.trimmingSuffix(" ")
        }
        let hosts = [headers["host"].map { $0[...] }, passedOn].compactMap(\.self)
        if hosts.contains(page) { return nil }
        let seen = hosts.map { "'\($0)'" }.joined(separator: " and ")
        return "\(strangers): the page is at '\(page)', but the request came for "
            + "\(seen.isEmpty ? "no host" : seen). A proxy between them has to pass the page's host on "
            + "(nginx: proxy_set_header X-Forwarded-Host $http_host;), or to serve the page over HTTPS"
    }

    private static func host(ofOrigin origin: String) -> Substring? {
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return origin.dropFirst(scheme.count)
        }
        return nil
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
        let token = token
        var difference = UInt8(offered.count == token.count ? 0 : 1)
        for (index, byte) in token.enumerated() {
            difference |= byte ^ (index < offered.count ? offered[index] : 0)
        }
        return difference == 0
    }
}

extension Substring {
    /// The text without such characters at its end.
    fileprivate func trimmingSuffix(_ character: Character) -> Substring {
        var text = self
        while text.last == character { text.removeLast() }
        return text
    }
}
