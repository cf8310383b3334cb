/// `waygate man`: the manual as pages for `man`.
struct ManCommand: Subcommand {
    private static let folder = Option.value(
        "folder", "DIR", "write every page into DIR, as waygate.1, waygate-run.1 and so on")

    static let manual = Manual(
        name: "man", summary: "print a command's manual as a page for man",
        operands: [
            Operand(
                placeholder: "COMMAND", help: "whose page (default: the overview)", isOptional: true
            )
        ],
        options: [folder],
        details: """
            The pages say what '--help' says. Packages write them once, with --folder; without a \
            package, pipe one into 'man -l -'.
            """,
        example: "waygate man run | man -l -")

    private let name: String?
    private let folder: String?

    init(_ arguments: Arguments) throws(UsageError) {
        name = arguments.operands.first
        folder = arguments.text(Self.folder)
        guard name == nil || folder == nil else {
            throw UsageError("--folder writes every page: leave COMMAND out")
        }
        if let name, Self.manual(of: name) == nil {
            let names = Entry.commands.map { $0.manual.name }
            throw UsageError("there is no command '\(name)'\(suggestion(for: name, among: names))")
        }
    }

    func run() throws {
        if let folder {
            for page in Self.pages {
                try TextFile.write(page.text, to: "\(folder)/\(page.name).1")
            }
            return
        }
        let page = name.flatMap { Self.manual(of: $0) }.map(ManPage.init) ?? Self.overview
        Output().text(page.text)
    }

    private static var overview: ManPage { ManPage(overview: Entry.commands.map { $0.manual }) }

    private static var pages: [ManPage] {
        [overview] + Entry.commands.map { ManPage($0.manual) }
    }

    private static func manual(of name: String) -> Manual? {
        Entry.commands.first { $0.manual.name == name }?.manual
    }
}
