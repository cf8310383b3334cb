import Glibc

/// A plain socket to the console, so that a test can send what no decent client would.
final class Client {
    /// An answer with its body put together.
    struct Answer {
        var status: Int
        var headers: [String: String]
        var body: String
    }

    /// What went wrong on the way.
    enum Failure: Error {
        case notConnected(Int32)
        case closed
        case timedOut
    }

    private let socket: Int32
    private var received: [UInt8] = []

    /// Connects to the loopback address; every wait for bytes is bounded.
    init(port: Int, seconds: Int = 10, receiveBuffer: Int32? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(
                socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure.notConnected(errno) }
    }

    deinit { close(socket) }

    /// Sends bytes as they are; what the other side no longer takes is lost.
    func write(_ text: String) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    socket, $0.baseAddress?.advanced(by: sent), bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Sends a request and returns its answer.
    func request(
        _ method: String, _ path: String, headers: [String: String] = [:], body: String? = nil
    ) throws -> Answer {
        var text = "\(method) \(path) HTTP/1.1\r\n"
        if headers["Host"] == nil { text += "Host: 127.0.0.1\r\n" }
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        write(text + "\r\n" + (body ?? ""))
        return try readAnswer(hasBody: method != "HEAD")
    }

    /// Reads one answer.
    func readAnswer(hasBody: Bool = true) throws -> Answer {
        var answer = try readHead()
        guard hasBody, answer.status != 304, answer.status != 204 else { return answer }
        if let length = answer.headers["content-length"].flatMap({ Int($0) }) {
            while received.count < length { try receive() }
            answer.body = String(decoding: received.prefix(length), as: UTF8.self)
            received.removeFirst(length)
        } else {
            while let piece = try readChunk() { answer.body += piece }
        }
        return answer
    }

    /// Reads an answer's head; what follows is read by `readChunk` or `read(until:)`.
    func readHead() throws -> Answer {
        let head = try read(until: "\r\n\r\n")
        let lines = head.split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        return Answer(status: status ?? 0, headers: headers, body: "")
    }

    /// Reads one chunk; `nil` is the end.
    func readChunk() throws -> String? {
        let digits = try read(until: "\r\n").dropLast(1)
        guard let size = Int(digits.prefix { $0.isHexDigit }, radix: 16), size > 0 else {
            return nil
        }
        while received.count < size + 2 { try receive() }
        defer { received.removeFirst(size + 2) }
        return String(decoding: received.prefix(size), as: UTF8.self)
    }

    /// Reads chunks until `isComplete` is content with all of them; `nil` when they end before.
    func readChunks(until isComplete: (String) -> Bool) throws -> String? {
        var text = ""
        while !isComplete(text) {
            guard let chunk = try readChunk() else { return nil }
            text += chunk
        }
        return text
    }

    /// Returns whether the other side ends the connection, reading and dropping what still comes.
    func isClosedByServer() -> Bool {
        do {
            while true {
                received = []
                try receive()
            }
        } catch {
            if case Failure.closed = error { return true }
            return false
        }
    }

    private func read(until end: String) throws -> String {
        let mark = Array(end.utf8)
        while true {
            if let range = received.firstRange(of: mark) {
                defer { received.removeFirst(range.upperBound) }
                return String(decoding: received.prefix(range.upperBound), as: UTF8.self)
            }
            try receive()
        }
    }

    private func receive() throws {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &piece, piece.count, 0)
        if count < 0, errno == EAGAIN { throw Failure.timedOut }
        guard count > 0 else { throw Failure.closed }
        received.append(contentsOf: piece.prefix(count))
    }
}
