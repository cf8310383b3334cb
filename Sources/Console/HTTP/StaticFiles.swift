internal import Glibc

/// The live map's files, all in memory: a request can name one of them and nothing else.
struct StaticFiles: Sendable {
    /// One file with what its answer says about it.
    struct File: Sendable {
        private let type: String
        private let bytes: [UInt8]
        private let tag: String

        /// Creates a file whose type its name tells.
        init(name: String, bytes: [UInt8]) {
            self.type = Self.type(ofName: name)
            self.bytes = bytes
            // FNV-1a: only has to differ from one version of the worker to the next.
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            self.tag = "\"\(String(hash, radix: 16))\""
        }

        /// Returns the file, or that the client's copy still holds.
        func answer(to headers: [String: String]) -> HTTPResponse {
            let isKnown = headers["if-none-match"]?.contains(tag) ?? false
            return HTTPResponse(
                status: isKnown ? 304 : 200, type: type,
                headers: [("ETag", tag), ("Cache-Control", "no-cache")], body: isKnown ? [] : bytes)
        }

        private static func type(ofName name: String) -> String {
            switch name.split(separator: ".").last {
            case "html": "text/html; charset=utf-8"
            case "js": "text/javascript; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            case "svg": "image/svg+xml"
            case "png": "image/png"
            default: "application/octet-stream"
            }
        }
    }

    private var files: [String: File] = [:]

    /// Loads the page's own files and, from the folder `assets`, those of Leaflet that are there.
    init(_ settings: ConsoleSettings, commandsAreOn: Bool, hasGround: Bool) {
        var page = PageFiles.all()
        let index = page.removeValue(forKey: "index.html") ?? []
        let values = [
            ("{{tiles}}", settings.tiles ?? ""),
            ("{{attribution}}", settings.tilesAttribution ?? ""),
            ("{{languages}}", Self.languages(page.keys)), ("{{ground}}", hasGround ? "on" : "off"),
            ("{{commands}}", commandsAreOn ? "on" : "off"),
        ]
        let filled = Self.filled(index, values, modules: page.keys.sorted())
        add("", filled, as: "index.html")
        for (name, bytes) in page { add("page/\(name)", bytes) }
        // A distribution's package has both, the project's own only the second.
        for (name, asset) in [
            ("leaflet.js", "leaflet.min.js"), ("leaflet.js", "leaflet.js"),
            ("leaflet.css", "leaflet.css"),
        ] where files["leaflet/\(name)"] == nil {
            if let bytes = Self.read("\(settings.assets)/\(asset)") {
                add("leaflet/\(name)", bytes)
            }
        }
    }

    /// Returns the file of a path without its leading slash, `""` for the page itself.
    subscript(path: String) -> File? { files[path] }

    private mutating func add(_ path: String, _ bytes: [UInt8], as name: String? = nil) {
        files[path] = File(name: name ?? path, bytes: bytes)
    }

    /// Returns the page with what it has to know of the settings.
    private static func filled(
        _ index: [UInt8], _ values: [(String, String)], modules: [String]
    ) -> [UInt8] {
        var text = String(decoding: index, as: UTF8.self)
        // All at once, instead of each when another one asks for it.
        let links = modules.filter { $0.hasSuffix(".js") && !$0.hasPrefix("words-") }.map {
            "<link rel=\"modulepreload\" href=\"page/\($0)\">"
        }
        text = replace("{{modules}}", in: text, with: links.joined(separator: "\n"))
        for (mark, value) in values { text = replace(mark, in: text, with: escaped(value)) }
        return Array(text.utf8)
    }

    /// Returns what the page can be read in, by the names of its files of words.
    private static func languages(_ names: some Sequence<String>) -> String {
        names.filter { $0.hasPrefix("words-") && $0.hasSuffix(".js") }
            .map { $0.dropFirst(6).dropLast(3) }.sorted().joined(separator: ",")
    }

    private static func replace(_ mark: String, in text: String, with value: String) -> String {
        text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: value)
    }

    /// Returns `text` as it is written between the quotes of an attribute.
    private static func escaped(_ text: String) -> String {
        let names: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
        return text.map { names[$0] ?? String($0) }.joined()
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            guard count > 0 else { return ferror(file) == 0 ? bytes : nil }
            bytes.append(contentsOf: piece[..<count])
        }
    }
}
