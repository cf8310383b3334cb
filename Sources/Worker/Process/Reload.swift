/// What became other between two readings of the settings, parted by what a running worker can take over.
struct Reload: Equatable {
    /// Keys whose new values are in force at once.
    var taken: [String] = []
    /// Keys whose new values wait for a restart.
    var waiting: [String] = []

    /// Whether a running worker takes a key over.
    ///
    /// All others shape sessions, topics, files or rules that trips were begun under.
    private static func isLive(_ path: String) -> Bool {
        path == "log.level" || path == "http.command_token" || path.hasPrefix("retention.")
    }

    /// Compares what is in force with what was read.
    init(from old: Configuration, to new: Configuration) {
        // The token's file is another way to give the token, which has its own key.
        let keys = ConfigurationKey.all.filter { $0.path != "http.command_token_file" }
        for key in keys where key.differs(old, new) {
            if Self.isLive(key.path) {
                taken.append(key.path)
            } else {
                waiting.append(key.path)
            }
        }
        // The map's page shows its buttons from the start or not at all.
        if (old.http.commandToken == nil) != (new.http.commandToken == nil) {
            waiting.append("http.command_token (for the map's buttons)")
        }
    }
}

extension Configuration {
    /// These settings, with the values of the others that a running worker takes over.
    func taking(liveOf new: Configuration) -> Configuration {
        var settings = self
        settings.log.level = new.log.level
        settings.http.commandToken = new.http.commandToken
        settings.retention = new.retention
        return settings
    }
}
