/// Reads from a position's attributes whether the ignition is on.
///
/// Keeps a parser from position to position, so that one thread should have one of these.
package final class IgnitionReader {
    /// Where it is; `nil` reads nothing.
    package var path: IgnitionPath?
    private let parser = JSONParser()

    /// Creates a reader that reads nothing.
    package init() {}

    /// Whether the ignition is on; `nil` where the attributes, a JSON object as text, do not say.
    package func isOn(_ attributes: String?) -> Bool? {
        guard let path, var attributes, !attributes.isEmpty else { return nil }
        return attributes.withUTF8 { bytes in
            path.isOn(in: try? parser.parse(UnsafeRawBufferPointer(bytes)))
        }
    }
}
