internal import Glibc

/// An address and port to listen on.
struct ListenAddress: Equatable, Sendable {
    /// A name or a number, without an IPv6 number's brackets.
    var host: String
    /// 0 for any free port.
    var port: UInt16

    /// Reads `127.0.0.1:8088`, `[::1]:8088` or `localhost:8088`.
    ///
    /// - Throws: `ConsoleError.Reason.invalidSetting` when it is none of them.
    init(_ text: String) throws(ConsoleError) {
        let colon = text.lastIndex(of: ":")
        var host = colon.map { text[..<$0] } ?? ""
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            host = ""
        }
        guard let colon, !host.isEmpty, let port = UInt16(text[text.index(after: colon)...]) else {
            throw ConsoleError(
                reason: .invalidSetting,
                message: "http.listen: \"\(text)\" is not an address and port such as "
                    + "127.0.0.1:8088 or [::1]:8088")
        }
        self.host = String(host)
        self.port = port
    }

    /// Whether only this machine can reach it.
    var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    /// Opens a socket that listens here; returns it with the port that it got.
    ///
    /// - Throws: `ConsoleError.Reason.cannotListen` with the system's words.
    func listen() throws(ConsoleError) -> (socket: Int32, port: Int) {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &found)
        guard status == 0, let address = found else {
            throw cannotListen(String(cString: gai_strerror(status)))
        }
        defer { freeaddrinfo(found) }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(address.pointee.ai_family, type, 0)
        guard socket >= 0 else { throw cannotListen(String(cString: strerror(errno))) }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, size)
        guard bind(socket, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
            Glibc.listen(socket, 128) == 0
        else {
            let message = String(cString: strerror(errno))
            close(socket)
            throw cannotListen(message)
        }
        return (socket, Self.port(of: socket))
    }

    private static func port(of socket: Int32) -> Int {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length)
            }
        }
        // The port is at the same place in the addresses of both families.
        return Int(UInt16(bigEndian: address.sin6_port))
    }

    private func cannotListen(_ message: String) -> ConsoleError {
        ConsoleError(
            reason: .cannotListen,
            message: "http.listen: cannot listen on \(host) port \(port): \(message)")
    }
}
