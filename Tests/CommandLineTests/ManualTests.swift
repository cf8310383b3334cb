import Foundation
import TestServers
import Testing

@testable import waygate

/// The manuals in the forms that packages install.
struct ManualTests {
    @Test func aPageSaysWhatTheHelpSays() {
        let page = ManPage(RunCommand.manual)
        #expect(page.name == "waygate-run")
        #expect(page.text.hasPrefix(".TH WAYGATE-RUN 1"))
        for option in RunCommand.manual.allOptions {
            #expect(page.text.contains(option.written.replacing("-", with: "\\-")))
        }
        #expect(page.text.contains(".SH EXIT STATUS"))
    }

    @Test func textIsNoRequestToTheFormatter() {
        let manual = Manual(
            name: "x", summary: "y", details: ".so /etc/passwd\n\n'tis \\fBnot\\fR bold",
            example: "waygate x")
        let page = ManPage(manual).text
        #expect(page.contains("\n\\&.so /etc/passwd\n"))
        #expect(page.contains("\n\\&'tis \\efBnot\\efR bold\n"))
    }

    @Test func everyCommandHasAPageOnceAFolderIsNamed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "waygate-man-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try Tool.run("man", "--folder", folder.path)
        #expect(result.status == 0, "\(result.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let names = Entry.commands.map { "waygate-\($0.manual.name).1" } + ["waygate.1"]
        #expect(files == names.sorted())
    }

    @Test func anUnknownPageIsRefusedWithAHint() throws {
        let result = try Tool.run("man", "rnu")
        #expect(result.status == 2)
        #expect(
            result.errors
                == "waygate man: there is no command 'rnu'; did you mean 'run'?; see 'waygate man --help'\n"
        )
    }

    @Test func bashCompletesCommandsAndTheirOptions() throws {
        let script = try Tool.run("completion", "bash").output
        let asks = """
            \(script)
            COMP_WORDS=(waygate exp) COMP_CWORD=1; _waygate; echo "${COMPREPLY[*]}"
            COMP_WORDS=(waygate decode --t) COMP_CWORD=2; _waygate; echo "${COMPREPLY[*]}"
            """
        let bash = Foundation.Process()
        let output = Pipe()
        bash.executableURL = URL(filePath: "/bin/bash")
        bash.arguments = ["-c", asks]
        bash.standardOutput = output
        try bash.runUnblocked()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        bash.waitUntilExit()
        #expect(String(decoding: data, as: UTF8.self) == "export\n--topic\n")
    }

    @Test(arguments: Completion.Shell.allCases)
    func everyShellHearsOfEveryCommand(_ shell: Completion.Shell) {
        let script = Completion(Entry.commands.map { $0.manual }).script(for: shell)
        for command in Entry.commands { #expect(script.contains(command.manual.name)) }
    }
}
