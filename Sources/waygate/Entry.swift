import Glibc
import Worker

/// The command line tool: chooses the command, and the exit status.
@main
enum Entry {
    /// Every command, in the order of the help.
    static let commands: [any Subcommand.Type] = [
        RunCommand.self,
        MigrateCommand.self,
        CheckCommand.self,
        SimulateCommand.self,
        WatchCommand.self,
        AssignCommand.self,
        ProceedCommand.self,
        SkipCommand.self,
        RerouteCommand.self,
        AvoidCommand.self,
        AcceptCommand.self,
        DeclineCommand.self,
        StopCommand.self,
        PlaceSubcommand.self,
        ExportCommand.self,
        ReportCommand.self,
        ReplayCommand.self,
        PlaybackCommand.self,
        DecodeCommand.self,
        ManCommand.self,
        CompletionCommand.self,
    ]

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        Process.end(perform(Array(CommandLine.arguments.dropFirst())))
    }

    /// Carries out a command line.
    static func perform(_ words: [String]) -> ExitStatus {
        guard let name = words.first else {
            Process.complain(overview)
            return .usage
        }
        switch name {
        case "--help", "-h", "help":
            return help(on: words.dropFirst().first)
        case "--version":
            return print("waygate \(Release.version)")
        default:
            guard let command = commands.first(where: { $0.manual.name == name }) else {
                return refuse(unknown(name))
            }
            return perform(command, Array(words.dropFirst()))
        }
    }

    private static func perform(
        _ command: any Subcommand.Type, _ words: [String]
    ) -> ExitStatus {
        let name = "waygate \(command.manual.name)"
        do {
            let arguments = try Arguments(words, for: command.manual)
            if arguments.has(.help) { return print(command.manual.text) }
            if arguments.has(.version) { return print("waygate \(Release.version)") }
            try command.init(arguments).run()
            return .success
        } catch let error as UsageError {
            return refuse("\(name): \(error.message); see '\(name) --help'")
        } catch {
            for line in "\(error)".split(separator: "\n") { Process.complain("\(name): \(line)") }
            return .failure
        }
    }

    private static func help(on name: String?) -> ExitStatus {
        guard let name else { return print(overview) }
        guard let command = commands.first(where: { $0.manual.name == name }) else {
            return refuse(unknown(name))
        }
        return print(command.manual.text)
    }

    private static func print(_ text: String) -> ExitStatus {
        Output().line(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        return .success
    }

    private static func refuse(_ message: String) -> ExitStatus {
        Process.complain(message)
        return .usage
    }

    private static func unknown(_ name: String) -> String {
        let names = commands.map { $0.manual.name }
        let hint = suggestion(for: name, among: names)
        return "waygate: unknown command '\(name)'\(hint); see 'waygate --help'"
    }

    private static var overview: String {
        let rows = commands.map { ($0.manual.name, $0.manual.summary) }
        return """
            waygate: turns vehicle positions from MQTT into trips, events and rows.

            Usage: waygate COMMAND [arguments] [options]

            \(Manual.table(rows))
            'waygate COMMAND --help' explains a command with an example. Settings come from
            a JSON5 file (--config FILE, or WAYGATE_CONFIG) and WAYGATE_* variables.
            """
    }
}
