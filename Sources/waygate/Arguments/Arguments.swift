import Worker

/// A command line that does not say what to do; the exit status is 2.
struct UsageError: Error, Equatable {
    /// What is wrong and what would be right, in one line.
    var message: String

    init(_ message: String) {
        self.message = message
    }
}

/// A command's arguments, parsed by what its manual declares.
struct Arguments {
    /// The arguments without dashes, in order; as many as the manual demands, at least.
    private(set) var operands: [String] = []

    private var values: [Option: [String]] = [:]

    /// Parses what follows a command's name.
    ///
    /// - Throws: ``UsageError`` for what the manual does not declare, and for what is missing.
    init(_ words: [String], for manual: Manual) throws(UsageError) {
        var rest = words[...]
        var onlyOperands = false
        while let word = rest.popFirst() {
            if onlyOperands || word == "-" || !word.hasPrefix("-") {
                operands.append(word)
            } else if word == "--" {
                onlyOperands = true
            } else {
                try takeOption(word, from: &rest, for: manual)
            }
        }
        // Who asks for help need not know the operands.
        guard !has(.help), !has(.version) else { return }
        try checkOperands(for: manual)
    }

    /// Tells whether an option was given.
    func has(_ option: Option) -> Bool {
        values[option] != nil
    }

    /// Returns an option's value, or `nil` when it was not given.
    func text(_ option: Option) -> String? {
        values[option]?.last
    }

    /// Returns the values of an option that may be given more than once.
    func texts(_ option: Option) -> [String] {
        values[option] ?? []
    }

    /// Returns an option's value as a number, or `nil` when it was not given.
    ///
    /// - Throws: ``UsageError`` when the value is no number in `range`.
    func number(_ option: Option, in range: ClosedRange<Double>) throws(UsageError) -> Double? {
        guard let text = text(option) else { return nil }
        guard let number = decimal(text), range.contains(number) else {
            let bounds = "\(shown(range.lowerBound)) to \(shown(range.upperBound))"
            throw UsageError("\(option.written) must be a number from \(bounds), not '\(text)'")
        }
        return number
    }

    /// Returns an option's value as a whole number, or `nil` when it was not given.
    ///
    /// - Throws: ``UsageError`` when the value is no whole number in `range`.
    func integer(_ option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = text(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bounds = "\(range.lowerBound) to \(range.upperBound)"
            throw UsageError(
                "\(option.written) must be a whole number from \(bounds), not '\(text)'")
        }
        return number
    }

    private mutating func takeOption(
        _ word: String, from rest: inout ArraySlice<String>, for manual: Manual
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let written = parts[0] == "-h" ? Option.help.written : String(parts[0])
        guard let option = manual.allOptions.first(where: { $0.written == written }) else {
            let names = manual.allOptions.map(\.written)
            throw UsageError("unknown option '\(written)'\(suggestion(for: written, among: names))")
        }
        guard option.repeats || values[option] == nil else {
            throw UsageError("\(written) is there twice")
        }
        guard let placeholder = option.placeholder else {
            guard parts.count == 1 else { throw UsageError("\(written) takes no value") }
            values[option] = []
            return
        }
        if parts.count == 2 {
            values[option, default: []].append(String(parts[1]))
        } else if let next = rest.first, !next.hasPrefix("--") {
            values[option, default: []].append(next)
            rest.removeFirst()
        } else {
            throw UsageError("\(written) needs a value: \(written) \(placeholder)")
        }
    }

    private func checkOperands(for manual: Manual) throws(UsageError) {
        let required = manual.operands.filter { !$0.isOptional }
        if operands.count < required.count {
            throw UsageError(
                "\(required[operands.count].placeholder) is missing: \(manual.usage)")
        }
        guard operands.count <= manual.operands.count else {
            throw UsageError("'\(operands[manual.operands.count])' is too much: \(manual.usage)")
        }
    }
}

/// Returns the number that a plain decimal text is, or `nil`; Swift alone would read hexadecimal
/// and `nan`.
func decimal(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }) else { return nil }
    return Double(text)
}

/// Returns the hint that names the nearest of `names`, or an empty text when none is near.
func suggestion(for word: String, among names: [String]) -> String {
    let nearest = names.map { (name: $0, distance: editDistance($0, word)) }
        .min { $0.distance < $1.distance }
    guard let nearest, nearest.distance <= max(2, word.count / 4) else { return "" }
    return "; did you mean '\(nearest.name)'?"
}

private func shown(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
}
