import Glibc

/// The volume that a spool's folder is on.
package struct SpoolVolume: Sendable {
    /// A volume smaller than this has too little room for SQLite's log and what is kept free for it.
    package static let smallest: Int64 = 8 << 20

    /// Bytes of the whole volume.
    package let size: Int64
    /// Bytes that are free.
    package let free: Int64
    /// Bytes that the spool's files occupy.
    package let held: Int64

    /// Bytes that the spool has, or may yet get.
    package var available: Int64 { free + held }

    /// Measures a folder's volume; `nil` when the system does not tell.
    package init?(of folder: String) {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        size = Int64(status.f_blocks) * Int64(status.f_frsize)
        free = Int64(status.f_bavail) * Int64(status.f_frsize)
        let database = SpoolFile.path(in: folder)
        held = [database, database + "-wal", DiskRoom.path(in: folder)].reduce(0) { sum, path in
            var file = stat()
            return stat(path, &file) == 0 ? sum + Int64(file.st_size) : sum
        }
    }
}
