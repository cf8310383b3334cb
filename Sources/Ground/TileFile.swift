internal import Glibc

/// A file that is read at any place.
final class TileFile {
    /// How long it is, in bytes.
    let count: Int
    private let descriptor: Int32
    private let path: String

    /// Opens a file; `nil` when it does not exist.
    ///
    /// - Throws: `GroundError.Reason.unreadable` with the system's words.
    init?(_ path: String) throws(GroundError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw GroundError(.unreadable, "\(path): \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw GroundError(.unreadable, "\(path) is no file")
        }
        self.path = path
        self.descriptor = descriptor
        count = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Reads a stretch of it.
    ///
    /// - Throws: `damaged` when it is not all there, `unreadable` with the system's words.
    func read(at offset: Int, count: Int) throws(GroundError) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
            throw GroundError(.damaged, "\(path) ends before what it should hold")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let step = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress?.advanced(by: done), count - done, offset + done)
            }
            if step < 0, errno == EINTR { continue }
            guard step > 0 else {
                let words = step < 0 ? String(cString: strerror(errno)) : "has become shorter"
                throw GroundError(.unreadable, "\(path): \(words)")
            }
            done += step
        }
        return bytes
    }
}
