internal import CMicrohttpd
internal import Glibc

/// A connection's handle; valid from its start until libmicrohttpd says that it has closed.
///
/// libmicrohttpd takes its own lock for what is called here, from any thread.
struct HTTPConnection: Hashable, @unchecked Sendable {
    private let handle: OpaquePointer

    /// Wraps a handle that libmicrohttpd gave to a callback.
    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    /// Stops serving the connection until it is resumed; only while it asks for its answer, or for more
    /// of it.
    func suspend() { MHD_suspend_connection(handle) }

    /// Serves a suspended connection again.
    func resume() { MHD_resume_connection(handle) }

    /// The connection's socket, or -1.
    var socket: Int32 { waygate_connection_socket(handle) }

    /// Bounds what the kernel keeps for a client that does not read.
    func limitUnsentBytes(to count: Int32) {
        var count = count
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &count, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Returns all headers by their names in lower case, of repeated ones the first.
    var headers: [String: String] { values(.HEADER_KIND) { $0.lowercased() } }

    /// Returns the query's arguments by name, of repeated ones the first.
    var arguments: [String: String] { values(.GET_ARGUMENT_KIND) { $0 } }

    /// Hands an answer over to be sent; returns what the callback has to return.
    func send(_ response: HTTPResponse, with common: [(name: String, value: String)]) -> MHD_Result
    {
        let made =
            switch response.body {
            case .bytes(let bytes): Self.response(bytes)
            case .stream(let client): Self.response(client, on: self)
            // Is sent as what was given in its place.
            case .later: Self.response([])
            }
        guard let made else { return .NO }
        defer { MHD_destroy_response(made) }
        for (name, value) in response.headers + common {
            guard MHD_add_response_header(made, name, value) == .YES else { return .NO }
        }
        return MHD_queue_response(handle, UInt32(response.status), made)
    }

    private func values(
        _ kind: MHD_ValueKind, key: (String) -> String
    ) -> [String: String] {
        var pairs: [(String, String)] = []
        withUnsafeMutablePointer(to: &pairs) { pairs in
            _ = MHD_get_connection_values(
                handle, kind,
                { context, _, name, value in
                    guard let context, let name else { return .NO }
                    let text = value.map { String(cString: $0) } ?? ""
                    context.assumingMemoryBound(to: [(String, String)].self).pointee
                        .append((String(cString: name), text))
                    return .YES
                }, pairs)
        }
        return Dictionary(pairs.map { (key($0.0), $0.1) }) { first, _ in first }
    }

    private static func response(_ bytes: [UInt8]) -> OpaquePointer? {
        bytes.withUnsafeBytes {
            MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: $0.baseAddress),
                .RESPMEM_MUST_COPY)
        }
    }

    /// What a stream's reader is called with.
    private final class StreamReader {
        let client: StreamClient
        let connection: HTTPConnection

        init(client: StreamClient, connection: HTTPConnection) {
            self.client = client
            self.connection = connection
        }
    }

    private static func response(
        _ client: StreamClient, on connection: HTTPConnection
    ) -> OpaquePointer? {
        let reader = StreamReader(client: client, connection: connection)
        let context = Unmanaged.passRetained(reader).toOpaque()
        let made = MHD_create_response_from_callback(
            waygate_size_unknown, 32_768,
            { context, _, buffer, size in
                guard let context, let buffer else { return waygate_end_of_stream }
                let reader = Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
                let room = UnsafeMutableRawBufferPointer(start: buffer, count: size)
                switch reader.client.fill(room, on: reader.connection) {
                case .wrote(let count): return count
                case .idle: return 0
                case .ended: return waygate_end_of_stream
                }
            }, context,
            { context in
                guard let context else { return }
                let reader = Unmanaged<StreamReader>.fromOpaque(context).takeRetainedValue()
                reader.client.close()
            })
        if made == nil {
            Unmanaged<StreamReader>.fromOpaque(context).release()
            client.close()
        }
        return made
    }
}
