import CCurl
import Tracking

/// Where a planner's server is: its URL, taken apart.
///
/// The path may name the service (`/route`, `/route/v1/driving`) or only what comes before it. `{profile}` in
/// it stands for the trip's profile, for servers that have an engine for each. A query is sent along with
/// every request; what it sets is not set by us.
struct Endpoint: Equatable, Sendable {
    /// Scheme, host and port: all that errors tell of the URL.
    let origin: String
    /// From the first slash, without one at the end; empty when there is none.
    let path: String
    /// The URL's own parameters, undecoded; empty when there are none.
    let query: String
    /// Credentials of the URL's, decoded, for basic authentication.
    let user: String?
    /// Goes with `user`.
    let password: String?
    /// Whether the server is on this machine, where no proxy of the environment's is asked.
    let isLocal: Bool

    /// Takes a URL apart.
    ///
    /// - Parameter setting: Where the URL stands, for errors.
    /// - Throws: `misconfigured` when it is no URL, or not one of `http` or `https`.
    init(url: String?, setting: String = "planner.url") throws(PlannerError) {
        guard let url, !url.isEmpty else {
            throw PlannerError(.misconfigured, "\(setting) is needed for this planner.kind")
        }
        guard let parts = curl_url() else {
            throw PlannerError(.misconfigured, "no memory for \(setting)")
        }
        defer { curl_url_cleanup(parts) }
        let code = curl_url_set(parts, CURLUPART_URL, url, 0)
        guard code == CURLUE_OK else {
            let words = String(cString: curl_url_strerror(code))
            throw PlannerError(.misconfigured, "\(setting) is not an http(s) URL: \(words)")
        }
        let scheme = Self.part(CURLUPART_SCHEME, of: parts)?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else {
            throw PlannerError(
                .misconfigured, "\(setting) must begin with http:// or https://, not \(scheme)://")
        }
        let host = Self.part(CURLUPART_HOST, of: parts) ?? ""
        let port = Self.part(CURLUPART_PORT, of: parts).map { ":\($0)" } ?? ""
        var path = Self.part(CURLUPART_PATH, of: parts) ?? ""
        while path.hasSuffix("/") { path.removeLast() }
        self.origin = "\(scheme)://\(host)\(port)"
        self.path = path
        self.query = Self.part(CURLUPART_QUERY, of: parts) ?? ""
        self.user = Self.part(CURLUPART_USER, of: parts, flags: CURLU_URLDECODE)
        self.password = Self.part(CURLUPART_PASSWORD, of: parts, flags: CURLU_URLDECODE)
        self.isLocal = host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
    }

    /// Returns the path with the profile's name, as in an assignment, for `{profile}`.
    func path(for profile: TripOptions.Profile) -> String {
        let parts = path.split(separator: "{profile}", omittingEmptySubsequences: false)
        return parts.joined(separator: profile.rawValue)
    }

    /// Returns the URL of a request, without credentials.
    ///
    /// - Parameter parameters: What goes into the query, but for what the endpoint's own sets.
    func url(path: String, parameters: [(name: String, value: String)] = []) -> String {
        let own = query.split(separator: "&").map { $0.prefix { $0 != "=" } }
        let added = parameters.filter { parameter in !own.contains { $0 == parameter.name } }
        let all = query.isEmpty ? [] : [query]
        let joined = (all + added.map { "\($0.name)=\($0.value)" }).joined(separator: "&")
        return origin + path + (joined.isEmpty ? "" : "?" + joined)
    }

    private static func part(
        _ part: CURLUPart, of parts: OpaquePointer, flags: Int32 = 0
    ) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parts, part, &text, UInt32(flags)) == CURLUE_OK, let text else {
            return nil
        }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
