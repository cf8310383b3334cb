/// A recursive-descent parser of JSON5 (https://spec.json5.org), which counts lines as it goes.
struct JSON5Parser {
    private static let deepestNesting = 64

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var line = 1
    private var depth = 0

    init(_ text: String) {
        self.scalars = Array(text.unicodeScalars)
    }

    /// Parses the whole text as one value.
    mutating func document() throws(JSON5Error) -> JSON5Value {
        try skipBlanks()
        let value = try value()
        try skipBlanks()
        guard current == nil else { throw unexpected("the end of the file") }
        return value
    }

    // MARK: Values

    private mutating func value() throws(JSON5Error) -> JSON5Value {
        let start = line
        switch current {
        case "{": return JSON5Value(try object(), line: start)
        case "[": return JSON5Value(try list(), line: start)
        case "\"", "'": return JSON5Value(.text(try string()), line: start)
        case .some(let scalar) where scalar.startsNumber:
            return JSON5Value(.number(try number()), line: start)
        case .some(let scalar) where scalar.startsName:
            return JSON5Value(try word(), line: start)
        case .some, .none: throw unexpected("a value")
        }
    }

    private mutating func object() throws(JSON5Error) -> JSON5Value.Content {
        var members: [JSON5Value.Member] = []
        try items(closedBy: "}") { (parser) throws(JSON5Error) in
            let start = parser.line
            let key = try parser.key()
            guard !members.contains(where: { $0.key == key }) else {
                throw JSON5Error(line: start, message: "the key '\(key)' is there twice")
            }
            try parser.skipBlanks()
            guard parser.take(":") else { throw parser.unexpected("':' after '\(key)'") }
            try parser.skipBlanks()
            members.append(.init(key: key, line: start, value: try parser.value()))
        }
        return .object(members)
    }

    private mutating func list() throws(JSON5Error) -> JSON5Value.Content {
        var values: [JSON5Value] = []
        try items(closedBy: "]") { (parser) throws(JSON5Error) in
            values.append(try parser.value())
        }
        return .list(values)
    }

    /// Parses what stands between brackets, separated by commas, a last comma allowed.
    private mutating func items(
        closedBy bracket: Unicode.Scalar,
        item: (inout JSON5Parser) throws(JSON5Error) -> Void
    ) throws(JSON5Error) {
        depth += 1
        guard depth <= Self.deepestNesting else {
            throw JSON5Error(line: line, message: "nested too deeply")
        }
        position += 1
        try skipBlanks()
        while !take(bracket) {
            try item(&self)
            try skipBlanks()
            guard take(",") || current == bracket else {
                throw unexpected("',' or '\(bracket)'")
            }
            try skipBlanks()
        }
        depth -= 1
    }

    private mutating func key() throws(JSON5Error) -> String {
        switch current {
        case "\"", "'": return try string()
        case .some(let scalar) where scalar.startsName: return name()
        case .some, .none: throw unexpected("a key")
        }
    }

    private mutating func name() -> String {
        let start = position
        while let scalar = current, scalar.startsName || scalar.properties.numericType == .decimal {
            position += 1
        }
        return text(from: start)
    }

    private mutating func word() throws(JSON5Error) -> JSON5Value.Content {
        let start = line
        let word = name()
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "Infinity": return .number(.infinity)
        case "NaN": return .number(.nan)
        default:
            throw JSON5Error(line: start, message: "'\(word)' is no value; text needs quotes")
        }
    }

    // MARK: Numbers

    private mutating func number() throws(JSON5Error) -> Double {
        let start = position
        let negative = current == "-"
        if negative || current == "+" { position += 1 }
        let digits = position
        var before: Unicode.Scalar = "0"
        while let scalar = current, scalar.continuesNumber(after: before) {
            before = scalar
            position += 1
        }
        let written = text(from: digits)
        guard let magnitude = Self.magnitude(written) else {
            throw JSON5Error(line: line, message: "'\(text(from: start))' is no number")
        }
        return negative ? -magnitude : magnitude
    }

    private static func magnitude(_ written: String) -> Double? {
        if written == "Infinity" { return .infinity }
        if written == "NaN" { return .nan }
        if written.hasPrefix("0x") || written.hasPrefix("0X") {
            let digits = written.dropFirst(2)
            guard digits.allSatisfy({ $0.isHexDigit }) else { return nil }
            return UInt64(digits, radix: 16).map { Double($0) }
        }
        let mantissa = written.prefix { $0 != "e" && $0 != "E" }
        let whole = mantissa.prefix { $0 != "." }
        guard mantissa.contains(where: { $0.isNumber }), whole.count < 2 || whole.first != "0",
            written.allSatisfy({ "0123456789.eE+-".contains($0) })
        else { return nil }
        // Swift wants digits on both sides of the point, JSON5 on one.
        let point = mantissa.hasPrefix(".") ? "0" : ""
        let end = mantissa.hasSuffix(".") ? "0" : ""
        return Double(point + mantissa + end + written.dropFirst(mantissa.count))
    }

    // MARK: Strings

    private mutating func string() throws(JSON5Error) -> String {
        let start = line
        let quote = scalars[position]
        position += 1
        var result = String.UnicodeScalarView()
        while let scalar = current, scalar != quote {
            position += 1
            switch scalar {
            case "\\": try escape(into: &result)
            case "\n", "\r":
                throw JSON5Error(line: start, message: "the text has no closing \(quote)")
            default: result.append(scalar)
            }
        }
        guard take(quote) else {
            throw JSON5Error(line: start, message: "the text has no closing \(quote)")
        }
        return String(result)
    }

    private mutating func escape(into result: inout String.UnicodeScalarView) throws(JSON5Error) {
        guard let scalar = current else { throw unexpected("an escaped character") }
        position += 1
        switch scalar {
        case "b": result.append("\u{8}")
        case "f": result.append("\u{C}")
        case "n": result.append("\n")
        case "r": result.append("\r")
        case "t": result.append("\t")
        case "v": result.append("\u{B}")
        case "0" where current?.properties.numericType == nil: result.append("\0")
        case "x": result.append(try scalarValue(of: try hexadecimal(digits: 2)))
        case "u": result.append(try unicodeEscape())
        case "\r", "\n", "\u{2028}", "\u{2029}":
            if scalar == "\r" { _ = take("\n") }
            line += 1
        case "0"..."9": throw JSON5Error(line: line, message: "'\\\(scalar)' is no escape")
        default: result.append(scalar)
        }
    }

    private mutating func unicodeEscape() throws(JSON5Error) -> Unicode.Scalar {
        let unit = try hexadecimal(digits: 4)
        guard (0xD800..<0xDC00).contains(unit) else { return try scalarValue(of: unit) }
        guard take("\\"), take("u") else { return try scalarValue(of: unit) }
        let low = try hexadecimal(digits: 4)
        guard (0xDC00..<0xE000).contains(low) else { return try scalarValue(of: unit) }
        return try scalarValue(of: 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    }

    private func scalarValue(of number: UInt32) throws(JSON5Error) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(number) else {
            throw JSON5Error(line: line, message: "half of a surrogate pair")
        }
        return scalar
    }

    private mutating func hexadecimal(digits: Int) throws(JSON5Error) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<digits {
            guard let scalar = current, let digit = Character(scalar).hexDigitValue else {
                throw unexpected("\(digits) hexadecimal digits")
            }
            number = number << 4 + UInt32(digit)
            position += 1
        }
        return number
    }

    // MARK: Characters

    private var current: Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        position += 1
        return true
    }

    private func text(from start: Int) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[start..<position])
        return String(view)
    }

    private mutating func skipBlanks() throws(JSON5Error) {
        while let scalar = current {
            if scalar == "/" {
                try skipComment()
            } else if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
                if scalar == "\n" { line += 1 }
                position += 1
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(JSON5Error) {
        let start = line
        position += 1
        if take("/") {
            while current != nil, current != "\n" { position += 1 }
            return
        }
        guard take("*") else { throw unexpected("a comment after '/'") }
        while let scalar = current {
            position += 1
            if scalar == "\n" { line += 1 }
            if scalar == "*", take("/") { return }
        }
        throw JSON5Error(line: start, message: "the comment has no end")
    }

    private func unexpected(_ expectation: String) -> JSON5Error {
        let found = current.map { "'\($0)'" } ?? "the end of the file"
        return JSON5Error(line: line, message: "expected \(expectation), found \(found)")
    }
}

extension Unicode.Scalar {
    fileprivate var startsName: Bool {
        properties.isAlphabetic || self == "_" || self == "$"
    }

    fileprivate var startsNumber: Bool {
        ("0"..."9").contains(self) || self == "-" || self == "+" || self == "."
    }

    /// Tells whether the scalar belongs to the number whose last scalar is `before`.
    fileprivate func continuesNumber(after before: Unicode.Scalar) -> Bool {
        if self == "-" || self == "+" { return before == "e" || before == "E" }
        return self == "." || isASCII && (properties.isAlphabetic || ("0"..."9").contains(self))
    }
}
