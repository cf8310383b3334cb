import Glibc

/// What the command line tool takes from, and gives to, the process that it is.
enum Process {
    /// The environment variables; of a name that is there twice the first counts, as for `getenv`.
    static var environment: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, variables[String(pair[0])] == nil {
                variables[String(pair[0])] = String(pair[1])
            }
            entry += 1
        }
        return variables
    }

    /// Ends the process.
    static func end(_ status: ExitStatus) -> Never {
        exit(status.rawValue)
    }

    /// Writes a line to standard error.
    static func complain(_ line: String) {
        write(Array("\(line)\n".utf8), to: STDERR_FILENO)
    }

    /// Writes all bytes, and returns `false` when nobody reads them any more.
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// What the process tells its parent at its end.
enum ExitStatus: Int32 {
    /// It did what it was asked.
    case success = 0
    /// It failed.
    case failure = 1
    /// It was not told properly what to do.
    case usage = 2
}
