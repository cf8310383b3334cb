import Foundation
import Glibc

/// What a fake engine was asked.
package struct FakeRequest: Sendable, Equatable {
    package var method: String
    /// Path and query.
    package var target: String
    package var headers: [String: String]
    package var body: String
}

/// What a fake engine does with a request.
package enum FakeReply: Sendable {
    /// A whole HTTP answer.
    case json(String, status: Int = 200)
    /// These bytes instead of HTTP, then the connection is closed.
    case raw(String)
    /// A good header, and a body that never ends.
    case endless
    /// The header and half a body, then the connection is closed.
    case half(String)
    /// A header and then a byte now and again.
    case drip
    /// Nothing, ever.
    case silence
    /// The connection is closed.
    case hangUp
}

/// A small HTTP server on a port of its own that misbehaves as told: one thread a connection.
package final class FakeEngine: @unchecked Sendable {
    package let port: UInt16
    private let listener: Int32
    private let respond: @Sendable (FakeRequest) -> FakeReply
    private let lock = NSCondition()
    private var log: [FakeRequest] = []
    private var sockets: Set<Int32> = []
    private var connections = 0
    private var busy = 0
    private var mostBusy = 0
    private var isStopped = false

    package var url: String { "http://127.0.0.1:\(port)" }
    package var requests: [FakeRequest] { lock.withLock { log } }
    /// How many connections were opened in all.
    package var connectionCount: Int { lock.withLock { connections } }
    /// The most requests that were being answered at once.
    package var mostAtOnce: Int { lock.withLock { mostBusy } }

    /// Listens on a port, a free one by default.
    package init(port: UInt16 = 0, _ respond: @escaping @Sendable (FakeRequest) -> FakeReply) throws
    {
        self.respond = respond
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var isReused: Int32 = 1
        setsockopt(
            listener, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_port = port.bigEndian
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 1024) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        self.port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in accept() }
    }

    /// Closes the port and all connections.
    package func stop() {
        lock.withLock {
            isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            lock.broadcast()
        }
    }

    private func accept() {
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            guard socket >= 0 else { break }
            let isWelcome = lock.withLock {
                connections += 1
                return !isStopped && sockets.insert(socket).inserted
            }
            guard isWelcome else {
                close(socket)
                continue
            }
            Thread.detachNewThread { [self] in serve(socket) }
        }
        close(listener)
    }

    private func serve(_ socket: Int32) {
        var buffer: [UInt8] = []
        while let request = read(from: socket, &buffer) {
            lock.withLock {
                log.append(request)
                busy += 1
                mostBusy = max(mostBusy, busy)
                lock.broadcast()
            }
            let reply = respond(request)
            lock.withLock { busy -= 1 }
            guard send(reply, to: socket) else { break }
        }
        lock.withLock { _ = sockets.remove(socket) }
        close(socket)
    }

    /// Returns the next request, or `nil` when the connection is closed.
    private func read(from socket: Int32, _ buffer: inout [UInt8]) -> FakeRequest? {
        let blank = Array("\r\n\r\n".utf8)
        while true {
            if let end = buffer.firstRange(of: blank) {
                let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                var lines = head.components(separatedBy: "\r\n")
                let start = lines.removeFirst().components(separatedBy: " ")
                let pairs = lines.map { $0.components(separatedBy: ": ") }
                let headers = Dictionary(
                    pairs.map { ($0[0].lowercased(), $0[1]) }, uniquingKeysWith: { $1 })
                let length = headers["content-length"].flatMap { Int($0) } ?? 0
                if buffer.count >= end.upperBound + length {
                    let body = buffer[end.upperBound..<end.upperBound + length]
                    buffer.removeFirst(end.upperBound + length)
                    return FakeRequest(
                        method: start[0], target: start[1], headers: headers,
                        body: String(decoding: body, as: UTF8.self))
                }
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            buffer += chunk[..<count]
        }
    }

    /// Sends a reply; `false` when the connection is to be closed.
    private func send(_ reply: FakeReply, to socket: Int32) -> Bool {
        let header = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        switch reply {
        case .json(let text, let status):
            return write(
                "HTTP/1.1 \(status) Whatever\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(text.utf8.count)\r\n\r\n" + text, to: socket)
        case .raw(let text):
            _ = write(text, to: socket)
            return false
        case .half(let text):
            _ = write(header + "Content-Length: \(text.utf8.count * 2)\r\n\r\n" + text, to: socket)
            return false
        case .endless:
            guard write(header + "\r\n", to: socket) else { return false }
            let chunk = String(repeating: "[", count: 65_536)
            while write(chunk, to: socket) {}
            return false
        case .drip:
            guard write(header + "\r\n", to: socket) else { return false }
            repeat { waitForStop(seconds: 0.02) } while write(" ", to: socket)
            return false
        case .silence:
            waitForStop(seconds: 60)
            return false
        case .hangUp:
            return false
        }
    }

    private func write(_ text: String, to socket: Int32) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    private func waitForStop(seconds: Double) {
        let deadline = Date(timeIntervalSinceNow: seconds)
        lock.withLock { while !isStopped { guard lock.wait(until: deadline) else { return } } }
    }
}
