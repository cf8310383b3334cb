import Glibc

/// Standard output, written in blocks, or line by line where a person or a pipe waits for each.
final class Output {
    /// Whether a person reads along.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How many characters a line of the terminal holds.
    static var width: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else {
            return 80
        }
        return Int(size.ws_col)
    }

    private var buffer: [UInt8] = []
    private let isLive: Bool

    /// Opens standard output.
    ///
    /// - Parameter isLive: Whether each line is written at once.
    init(isLive: Bool = false) {
        self.isLive = isLive
    }

    deinit { flush() }

    /// Writes a line.
    func line(_ text: String) {
        line(Array(text.utf8))
    }

    /// Writes a line.
    func line(_ bytes: [UInt8]) {
        buffer += bytes
        buffer.append(UInt8(ascii: "\n"))
        if isLive || buffer.count >= 65_536 { flush() }
    }

    /// Writes text without ending the line.
    func text(_ text: String) {
        buffer += text.utf8
        if isLive { flush() }
    }

    /// Writes out what has been kept back.
    ///
    /// Where nobody reads any more (`waygate watch | head`), the process ends as a tool that did
    /// its part.
    func flush() {
        guard Process.write(buffer, to: STDOUT_FILENO) else { Process.end(.success) }
        buffer.removeAll(keepingCapacity: true)
    }
}
