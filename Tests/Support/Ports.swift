package import Foundation

/// Why a server for tests did not come up.
package struct ServerError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Returns a TCP port of the loopback interface on which nobody listens.
package func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withLoopback(port: 0, { bind(descriptor, $0, $1) }) == 0 else {
        throw ServerError(String(cString: strerror(errno)))
    }
    let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            getsockname(descriptor, $0, &size)
        }
    }
    guard result == 0 else { throw ServerError(String(cString: strerror(errno))) }
    return Int(UInt16(bigEndian: address.sin_port))
}

/// Waits up to ten seconds until the process listens on a port of the loopback interface.
package func waitForListener(port: Int, of process: Process) throws {
    for _ in 0..<1000 {
        guard process.isRunning else {
            throw ServerError("\(process.executableURL?.path ?? "server") ended at once")
        }
        if isListening(port: port) { return }
        usleep(10_000)
    }
    throw ServerError("\(process.executableURL?.path ?? "server") does not listen on \(port)")
}

/// Tells whether somebody accepts connections on a port of the loopback interface.
package func isListening(port: Int) -> Bool {
    let descriptor = connect(toPort: port)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
}

/// Connects to a port of the loopback interface; returns the descriptor, or -1.
package func connect(toPort port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard withLoopback(port: port, { connect(descriptor, $0, $1) }) != 0 else { return descriptor }
    close(descriptor)
    return -1
}

/// Calls `body` with the address of a port of the loopback interface.
package func withLoopback(
    port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
