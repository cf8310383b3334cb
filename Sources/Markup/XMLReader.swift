internal import CExpat

/// What comes next in an XML text.
package enum XMLEvent: Equatable, Sendable {
    /// An element begins; its name and those of its attributes are without prefixes.
    case open(String, attributes: [String: String])
    /// Text, whole up to the next beginning or end of an element.
    case text(String)
    /// An element ends.
    case close(String)
}

/// Why an XML text cannot be read.
package struct XMLError: Error, Equatable {
    /// The line where it stopped, from 1.
    package var line: Int
    /// What is wrong there, in expat's words.
    package var message: String
}

/// Reads XML from beginning to end, with expat.
///
/// Texts are strangers': no other file is ever read because of one, and expat bounds what entities may grow to.
package final class XMLReader {
    private let parser: XML_Parser
    private let handle: (XMLEvent) -> Void
    private var text = ""

    /// Hands over what is in a text, in order.
    ///
    /// - Throws: `XMLError` where it is not well-formed; what came before has been handed over.
    package static func read(
        _ bytes: [UInt8], _ handle: (XMLEvent) -> Void
    ) throws(XMLError) {
        let error = withoutActuallyEscaping(handle) { handle -> XMLError? in
            guard let reader = XMLReader(handle) else {
                return XMLError(line: 1, message: "out of memory")
            }
            return reader.parse(bytes)
        }
        if let error { throw error }
    }

    private init?(_ handle: @escaping (XMLEvent) -> Void) {
        guard let parser = XML_ParserCreate(nil) else { return nil }
        self.parser = parser
        self.handle = handle
    }

    deinit { XML_ParserFree(parser) }

    private func parse(_ bytes: [UInt8]) -> XMLError? {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let name else { return }
                XMLReader.of(context).open(String(cString: name), attributes)
            },
            { context, name in
                guard let name else { return }
                XMLReader.of(context).close(String(cString: name))
            })
        XML_SetCharacterDataHandler(parser) { context, text, count in
            guard let text else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
            XMLReader.of(context).text += String(decoding: bytes, as: UTF8.self)
        }
        // In pieces, because expat counts in 32 bits.
        var rest = bytes[...]
        repeat {
            let piece = rest.prefix(1 << 20)
            rest = rest.dropFirst(piece.count)
            let status = piece.withUnsafeBytes {
                XML_Parse(
                    parser, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count),
                    rest.isEmpty ? 1 : 0)
            }
            guard status == XML_STATUS_OK else { return error }
        } while !rest.isEmpty
        return nil
    }

    private var error: XMLError {
        let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
        return XMLError(
            line: Int(XML_GetCurrentLineNumber(parser)), message: words ?? "it is not XML")
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> XMLReader {
        guard let context else { preconditionFailure("expat has lost its reader") }
        return Unmanaged<XMLReader>.fromOpaque(context).takeUnretainedValue()
    }

    private func open(
        _ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        handOverText()
        var found: [String: String] = [:]
        var next = attributes
        while let place = next, let key = place[0], let value = place[1] {
            found[Self.local(String(cString: key))] = String(cString: value)
            next = place + 2
        }
        handle(.open(Self.local(name), attributes: found))
    }

    private func close(_ name: String) {
        handOverText()
        handle(.close(Self.local(name)))
    }

    private func handOverText() {
        guard !text.isEmpty else { return }
        handle(.text(text))
        text = ""
    }

    /// A name without its prefix: many writers forget to declare theirs.
    private static func local(_ name: String) -> String {
        name.split(separator: ":").last.map(String.init) ?? name
    }
}
