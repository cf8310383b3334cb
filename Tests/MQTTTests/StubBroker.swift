import Foundation
import Synchronization
import TestServers

/// A broker that does what a test says, for what no real one here does.
final class StubBroker: Sendable {
    let port: Int
    private let listener: Int32
    private let versions = Mutex<[UInt8]>([])

    /// The MQTT versions of the connections so far, as on the wire.
    var seenVersions: [UInt8] { versions.withLock { $0 } }

    /// Starts a broker that reads CONNECT, leaves the rest to `serve`, and then hangs up.
    init(_ serve: @escaping @Sendable (_ client: Int32, _ version: UInt8) -> Void) throws {
        (listener, port) = try TestServers.listen()
        Thread.detachNewThread { [self, listener] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                Thread.detachNewThread { [self] in
                    defer { Foundation.close(client) }
                    guard let packet = readPacket(client), packet.count > 8 else { return }
                    // Type, length, "MQTT" with its length, version.
                    let version = packet[8]
                    versions.withLock { $0.append(version) }
                    serve(client, version)
                }
            }
        }
    }

    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        Foundation.close(listener)
    }
}

/// Reads one packet whole, whose length must fit one byte; `nil` when the client has hung up.
func readPacket(_ client: Int32) -> [UInt8]? {
    var header = [UInt8](repeating: 0, count: 2)
    guard recv(client, &header, 2, Int32(MSG_WAITALL)) == 2, header[1] < 128 else {
        return nil
    }
    var body = [UInt8](repeating: 0, count: Int(header[1]))
    guard recv(client, &body, body.count, Int32(MSG_WAITALL)) == body.count else {
        return nil
    }
    return header + body
}

/// Writes bytes to the client of a stub.
func send(_ client: Int32, _ bytes: [UInt8]) {
    _ = writeAll(bytes[...], to: client)
}
