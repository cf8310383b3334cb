import CSimdjson

/// Why a text is not the JSON that is asked for.
package struct JSONError: Error, Equatable, Sendable {
    /// What is wrong with the text.
    package enum Reason: Sendable {
        /// Its bytes are not UTF-8.
        case invalidUTF8
        /// Objects and arrays nest deeper than 64.
        case tooDeep
        /// It breaks the grammar of RFC 8259.
        case syntax
        /// There is no memory left to parse it with.
        case outOfMemory
    }

    /// What is wrong with the text.
    package var reason: Reason
    /// The same in simdjson's own words.
    package var message: String
}

/// One simdjson parser with its buffers, reused from text to text.
///
/// Strict: RFC 8259 in UTF-8, nesting at most 64 deep, lone surrogates refused. Numbers may be of any
/// size. Of a repeated key the first counts.
package final class JSONParser {
    private let handle: OpaquePointer?

    /// Creates a parser; its buffers grow with the texts it meets.
    package init() {
        handle = waygate_json_parser_new()
    }

    deinit { waygate_json_parser_free(handle) }

    /// Parses one text; the value and all views of it are valid until the next call.
    ///
    /// - Throws: `JSONError` when the text is not JSON, or nests too deep.
    package func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
        guard let handle else {
            throw JSONError(reason: .outOfMemory, message: "no memory for a parser")
        }
        guard let start = bytes.baseAddress else {
            throw JSONError(reason: .syntax, message: "The text is empty.")
        }
        var document = waygate_json_document()
        let status = waygate_json_parser_parse(handle, start, bytes.count, &document)
        guard status == WAYGATE_JSON_OK, let tape = document.tape, let strings = document.strings
        else {
            throw JSONError(
                reason: Self.reason(of: status),
                message: String(cString: waygate_json_parser_message(handle)))
        }
        return JSONValue(tape: tape, strings: strings, index: 1)
    }

    /// Parses one text, hands its root to `body`, and returns what that made of it.
    ///
    /// - Throws: `JSONError` when the text is not JSON, or nests too deep; what `body` throws.
    package func parse<Result>(
        _ text: String, _ body: (JSONValue) throws -> Result
    ) throws -> Result {
        var text = text
        return try text.withUTF8 { try body(parse(UnsafeRawBufferPointer($0))) }
    }

    private static func reason(of status: waygate_json_status) -> JSONError.Reason {
        switch status {
        case WAYGATE_JSON_INVALID_UTF8: .invalidUTF8
        case WAYGATE_JSON_TOO_DEEP: .tooDeep
        case WAYGATE_JSON_OUT_OF_MEMORY: .outOfMemory
        default: .syntax
        }
    }
}
