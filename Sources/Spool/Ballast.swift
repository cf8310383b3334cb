import Glibc

/// Room on the disk that is given up so that a full spool can still be trimmed.
///
/// Deleting rows writes to SQLite's log first; on a full disk that would fail for ever.
struct Ballast {
    private static let size = 1 << 20
    private let path: String

    init(folder: String) {
        path = folder + "/ballast"
    }

    /// Gives the room up; returns whether there was any.
    func release() -> Bool {
        unlink(path) == 0
    }

    /// Takes the room again, where the disk has plenty.
    func restore() {
        guard access(path, F_OK) != 0 else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var room = statvfs()
        let isPlenty =
            fstatvfs(descriptor, &room) == 0
            && UInt64(room.f_bavail) * UInt64(room.f_frsize) > UInt64(4 * Self.size)
        guard isPlenty, posix_fallocate(descriptor, 0, Self.size) == 0 else {
            unlink(path)
            return
        }
    }
}
