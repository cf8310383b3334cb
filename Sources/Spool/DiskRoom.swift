import Glibc

/// The room on a spool's volume, and what of it is kept for the spool's own needs.
///
/// SQLite writes to its log first, and uses the log's room again only once it was moved into the file,
/// which may grow by as much. So a margin stays free; and a file, the ballast, holds room that is given up
/// when another program has filled the volume: without any, a full spool could not even be trimmed.
struct DiskRoom {
    /// The most that one append may need: a batch of the intake's with a message of the largest size.
    static let append: Int64 = 640 << 10

    /// Bytes at which the log is moved into the file; less on a small volume.
    let logSize: Int64

    private let folder: String
    private let path: String
    /// Bytes that the ballast holds.
    private var held: Int64

    /// Measures the volume of a spool's folder.
    ///
    /// - Parameter maxBytes: The spool's bound: a small spool needs a small log.
    init(folder: String, maxBytes: Int64) {
        self.folder = folder
        path = Self.path(in: folder)
        let volume = SpoolVolume(of: folder)?.size ?? .max
        logSize = max(min(4 << 20, volume / 16, maxBytes / 8), 256 << 10)
        var file = stat()
        held = stat(path, &file) == 0 ? Int64(file.st_size) : 0
    }

    /// How much may be lacking at once: the log as long as it gets.
    private var ballast: Int64 { logSize + Self.append }

    /// Bytes that stay free: for the log, and for the file when it takes the log in.
    private var margin: Int64 { 2 * ballast }

    /// Bytes by which the spool may grow; negative when the margin is touched.
    var spare: Int64 { free - margin }

    /// Bytes that are free on the volume; 0 when it cannot be asked.
    var free: Int64 { SpoolVolume(of: folder)?.free ?? 0 }

    /// The ballast's path in a spool's folder.
    static func path(in folder: String) -> String { folder + "/ballast" }

    /// Gives the ballast up.
    mutating func giveUpBallast() {
        unlink(path)
        held = 0
    }

    /// Takes the ballast again as far as the volume has it, but not more than half: the log needs some.
    mutating func takeBallast() {
        guard held < ballast else { return }
        let wanted = min(ballast, held + free / 2)
        guard wanted > held else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(wanted)) == 0 {
            held = wanted
        } else {
            giveUpBallast()
        }
    }
}
