import Foundation
import Synchronization

/// Stands between a client and a server on this machine, and can cut or stall what it carries.
package final class TCPRelay: Sendable {
    package let port: Int
    private let target: Int
    private let listener: Int32
    private let state = Mutex(State())

    private struct State {
        var live: [Int32] = []
        var isStalled = false
        var isClosed = false
    }

    /// Starts to relay connections to a port of the loopback interface.
    package init(to target: Int) throws {
        self.target = target
        (listener, port) = try listen()
        Thread.detachNewThread { [self] in acceptAll() }
    }

    /// Ends the relay and all that it carries.
    package func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        cut()
    }

    /// Resets all connections; new ones are relayed.
    package func cut() {
        state.withLock { state in
            for descriptor in state.live {
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(
                    descriptor, SOL_SOCKET, SO_LINGER, &linger,
                    socklen_t(MemoryLayout<linger>.size))
                shutdown(descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    /// Lets nothing through in either direction while true; connections stay up.
    package func stall(_ isStalled: Bool) {
        state.withLock { $0.isStalled = isStalled }
    }

    private func acceptAll() {
        defer { Foundation.close(listener) }
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            let server = connect(toPort: target)
            let isWanted = state.withLock { state in
                guard !state.isClosed, server >= 0 else { return false }
                state.live += [client, server]
                return true
            }
            guard isWanted else {
                Foundation.close(client)
                if server >= 0 { Foundation.close(server) }
                continue
            }
            Thread.detachNewThread { [self] in carry(client, server) }
        }
    }

    private func carry(_ client: Int32, _ server: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var descriptors = [client, server].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        carrying: while poll(&descriptors, 2, 1000) >= 0 {
            for index in 0..<2 where descriptors[index].revents != 0 {
                while state.withLock({ $0.isStalled && !$0.isClosed }) { usleep(10_000) }
                let count = read(descriptors[index].fd, &buffer, buffer.count)
                guard count > 0, writeAll(buffer[..<count], to: descriptors[1 - index].fd)
                else { break carrying }
            }
        }
        state.withLock { state in
            state.live.removeAll { $0 == client || $0 == server }
            Foundation.close(client)
            Foundation.close(server)
        }
    }
}

/// Listens on a free port of the loopback interface; returns the descriptor and the port.
package func listen() throws -> (Int32, Int) {
    let port = try freePort()
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let result = withLoopback(port: port) { bind(descriptor, $0, $1) }
    guard result == 0, Foundation.listen(descriptor, 64) == 0 else {
        throw ServerError(String(cString: strerror(errno)))
    }
    return (descriptor, port)
}

/// Writes all bytes; returns whether that went well.
package func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}

private let noSignal = Int32(MSG_NOSIGNAL)
