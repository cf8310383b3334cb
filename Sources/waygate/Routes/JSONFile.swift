import Telemetry

/// Reads a JSON text of a file.
enum JSONFile {
    /// Hands over the text's root, and returns what comes of it.
    ///
    /// - Throws: ``RouteFileError`` where it is not JSON, or `body` says that something is wrong in it.
    static func read<Value>(
        _ text: String, _ body: (JSONValue) throws -> Value
    ) throws(RouteFileError) -> Value {
        do {
            return try JSONParser().parse(text, body)
        } catch let error as RouteFileError {
            throw error
        } catch let error as JSONError {
            throw RouteFileError("it is not JSON: \(error.message)")
        } catch {
            throw RouteFileError("\(error)")
        }
    }
}
