import Glibc

/// Room on the disk that is given up so that a full spool can still be trimmed.
///
/// Deleting rows writes to SQLite's log first, and the log's room is used again only once it was moved
/// into the file, which may grow by as much. On a full disk both would fail for ever.
struct Ballast {
    private let path: String
    private let folder: String
    private let size: UInt64

    /// Creates the ballast of a spool with a bound, of sixteen megabytes at most.
    init(folder: String, maxBytes: Int64) {
        self.folder = folder
        path = folder + "/ballast"
        size = UInt64(min(max(maxBytes / 64, 1 << 20), 1 << 24))
    }

    /// Tells that the disk has room enough not to think of it.
    var isPlenty: Bool { free > 4 * size }

    /// Gives the room up.
    func release() {
        unlink(path)
    }

    /// Takes the room again where the disk has it, but not more than half: the log needs some.
    func restore() {
        let wanted = min(size, free / 2)
        guard access(path, F_OK) != 0, wanted > 0 else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(wanted)) != 0 { unlink(path) }
    }

    private var free: UInt64 {
        var room = statvfs()
        guard statvfs(folder, &room) == 0 else { return 0 }
        return UInt64(room.f_bavail) * UInt64(room.f_frsize)
    }
}
