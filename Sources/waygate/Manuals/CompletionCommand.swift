/// `waygate completion`: what a shell needs to complete `waygate` command lines.
struct CompletionCommand: Subcommand {
    static let manual = Manual(
        name: "completion", summary: "print a completion script for a shell",
        operands: [Operand(placeholder: "SHELL", help: "bash, zsh or fish")],
        details: """
            The script knows every command and option of this version. Packages install it; without \
            one, load it from the shell's start-up file.
            """,
        example: "source <(waygate completion bash)")

    private let shell: Completion.Shell

    init(_ arguments: Arguments) throws(UsageError) {
        let name = arguments.operands[0]
        guard let shell = Completion.Shell(rawValue: name) else {
            let names = Completion.Shell.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("SHELL must be one of \(names), not '\(name)'")
        }
        self.shell = shell
    }

    func run() throws {
        Output().text(Completion(Entry.commands.map { $0.manual }).script(for: shell))
    }
}
