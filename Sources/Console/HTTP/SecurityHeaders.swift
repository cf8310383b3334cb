/// What every answer tells the browser to keep away from.
enum SecurityHeaders {
    /// Returns the headers for a page that shows tiles from `tiles`, a URL with `{z}`, `{x}` and `{y}`.
    ///
    /// - Throws: `ConsoleError.Reason.invalidSetting` when `tiles` is not such a URL.
    static func headers(tiles: String?) throws(ConsoleError) -> [(name: String, value: String)] {
        var images = ""
        if let tiles, let origin = try origin(ofTiles: tiles) { images = " \(origin)" }
        let policy = [
            "default-src 'self'", "img-src 'self' data:\(images)", "base-uri 'none'",
            "form-action 'self'", "frame-ancestors 'none'", "object-src 'none'",
        ]
        return [
            ("Content-Security-Policy", policy.joined(separator: "; ")),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            // Tile servers want to know who asks, by origin.
            ("Referrer-Policy", "strict-origin-when-cross-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
        ]
    }

    /// Returns the origin that a policy has to name for `tiles`; `nil` for the console's own.
    private static func origin(ofTiles tiles: String) throws(ConsoleError) -> String? {
        let isComplete = ["{z}", "{x}", "{y}"].allSatisfy { tiles.contains($0) }
        let isPlain = tiles.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") }
        let schemes = ["https://", "http://"]
        guard isComplete, isPlain, tiles.hasPrefix("/") || schemes.contains(where: tiles.hasPrefix)
        else {
            throw ConsoleError(
                reason: .invalidSetting,
                message: "http.tiles: \"\(tiles)\" is not a URL such as "
                    + "https://tile.example.org/{z}/{x}/{y}.png")
        }
        guard !tiles.hasPrefix("/") || tiles.hasPrefix("//") else { return nil }
        let parts = tiles.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        // `{s}` stands for one of several servers under one name.
        let server = parts[2].split(separator: "{s}", omittingEmptySubsequences: false).joined(
            separator: "*")
        return "\(parts[0])//\(server)"
    }
}
