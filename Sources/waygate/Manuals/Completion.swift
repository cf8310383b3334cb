/// Completion scripts, made from the manuals.
struct Completion: Sendable {
    /// A shell that is known.
    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    private let manuals: [Manual]

    /// Creates the scripts' maker for the commands of the manuals.
    init(_ manuals: [Manual]) {
        self.manuals = manuals
    }

    /// The script for a shell, to be sourced or installed.
    func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private var bash: String {
        let cases = manuals.map { manual in
            let words = manual.allOptions.map(\.written).joined(separator: " ")
            return "    \(manual.name)) words='\(words)' ;;\n"
        }.joined()
        return """
            _waygate() {
                local word=${COMP_WORDS[COMP_CWORD]} words
                if [ "$COMP_CWORD" -eq 1 ]; then
                    words='\(manuals.map(\.name).joined(separator: " ")) --help --version'
                    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(cases)    *) words= ;;
                esac
                # What is no option is most often a file.
                if [ "${word:0:1}" = - ]; then
                    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
                else
                    mapfile -t COMPREPLY < <(compgen -f -- "$word")
                fi
            }
            complete -o filenames -F _waygate waygate

            """
    }

    private var zsh: String {
        let commands = manuals.map { "        '\($0.name):\(Self.quoted($0.summary))'\n" }.joined()
        let cases = manuals.map { manual in
            let options = manual.allOptions.map { option in
                let value = option.placeholder.map { ":\($0):_files" } ?? ""
                let repeats = option.repeats ? "*" : ""
                return " '\(repeats)\(option.written)[\(Self.bracketed(option.help))]\(value)'"
            }.joined()
            return "        \(manual.name)) _arguments\(options) '*:file:_files' ;;\n"
        }.joined()
        return """
            #compdef waygate
            _waygate() {
                local -a commands
                commands=(
            \(commands)    )
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                local command=$words[2]
                shift words
                (( CURRENT-- ))
                case $command in
            \(cases)    esac
            }
            if [ "$funcstack[1]" = _waygate ]; then _waygate "$@"; else compdef _waygate waygate; fi

            """
    }

    private var fish: String {
        var script = "complete -c waygate -n __fish_use_subcommand -f\n"
        for manual in manuals {
            script +=
                "complete -c waygate -n __fish_use_subcommand -a \(manual.name) "
                + "-d '\(Self.quoted(manual.summary))'\n"
            for option in manual.allOptions {
                script +=
                    "complete -c waygate -n '__fish_seen_subcommand_from \(manual.name)' "
                    + "-l \(option.name) -d '\(Self.quoted(option.help))'"
                    + (option.placeholder == nil ? "\n" : " -r\n")
            }
        }
        return script
    }

    /// Text within single quotes, as all three shells read it: none has an escape for the quote itself.
    private static func quoted(_ text: String) -> String {
        text.replacing("'", with: "’").replacing("\\", with: "/")
    }

    /// Text within zsh's brackets, in single quotes.
    private static func bracketed(_ text: String) -> String {
        quoted(text).replacing("[", with: "(").replacing("]", with: ")").replacing(
            ":", with: "\\:")
    }
}
