import Foundation

/// A volume of a few megabytes, for tests that run as root.
package final class SmallDisk {
    package let path: String

    /// Mounts it; `nil` where that is not allowed.
    ///
    /// - Parameter path: Where, a folder that is made; by default one of its own.
    package init?(megabytes: Int, at path: String? = nil) {
        self.path = path ?? "/tmp/waygate-disk-\(UUID().uuidString)"
        mkdir(self.path, 0o700)
        guard mount("tmpfs", self.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            rmdir(self.path)
            return nil
        }
    }

    /// Has another program take every byte that is free.
    ///
    /// - Throws: When the disk took it all.
    package func fill() throws {
        let file = open(path + "/other", O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        lseek(file, 0, SEEK_END)
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        for size in [1 << 16, 4096, 1] { while write(file, zeros, size) == size {} }
        guard errno == ENOSPC else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Has it give them back.
    package func free() {
        unlink(path + "/other")
    }

    /// Unmounts it, after which the folder that it is in can be removed; does nothing the second time.
    package func remove() {
        // What still has a file open there, as a worker that is being killed, must not keep it.
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    deinit { remove() }
}
