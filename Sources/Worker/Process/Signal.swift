import Glibc

/// Wakes a stage that waits: a pipe that `poll` can watch beside sockets.
package final class Signal: Sendable {
    /// The file descriptor to watch for input.
    package let descriptor: Int32
    private let writer: Int32

    /// Creates a signal that has not been raised.
    package init() {
        var ends: [Int32] = [-1, -1]
        // Without descriptors nothing else would work either; waits then end by their time-outs.
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
        }
        descriptor = ends[0]
        writer = ends[1]
    }

    deinit {
        close(descriptor)
        close(writer)
    }

    /// Wakes the waiting stage, or keeps the next wait from sleeping.
    package func raise() {
        var byte: UInt8 = 1
        // A full pipe means that the stage is being woken already.
        _ = write(writer, &byte, 1)
    }

    /// Takes back what was raised.
    package func clear() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }

    /// Waits until raised, at most `seconds`, and clears.
    package func wait(seconds: Double) {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(min(max(seconds, 0) * 1000, 60_000).rounded(.up))
        if poll(&watched, 1, milliseconds) > 0 { clear() }
    }
}
