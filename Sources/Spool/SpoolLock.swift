import Glibc

/// The ownership of a spool's folder, given up with the last reference or the process.
package final class SpoolLock: Sendable {
    /// The folder that is owned.
    package let folder: String
    private let descriptor: Int32

    /// Takes the lock if nobody holds it; returns `nil` if somebody does.
    ///
    /// Makes the folder where it is missing, for its owner's eyes only.
    /// - Throws: `SpoolError.Reason.unusable` when the folder cannot be made or written.
    package static func tryLock(folder: String) throws(SpoolError) -> SpoolLock? {
        try makeFolder(folder)
        let path = folder + "/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SpoolError(.unusable, "\(path): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            guard code == EWOULDBLOCK else {
                throw SpoolError(.unusable, "\(path): \(String(cString: strerror(code)))")
            }
            return nil
        }
        return SpoolLock(folder: folder, descriptor: descriptor)
    }

    private init(folder: String, descriptor: Int32) {
        self.folder = folder
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func makeFolder(_ folder: String) throws(SpoolError) {
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += part + "/"
            guard mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
            throw SpoolError(.unusable, "\(path): \(String(cString: strerror(errno)))")
        }
    }
}
