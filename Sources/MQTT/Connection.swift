import CMosquitto
import Glibc

/// One libmosquitto client, good for one connection; destroyed with whatever it had still to write.
///
/// It is told to be driven by threads and then driven by our own loop: so libmosquitto queues what
/// it has to say, acknowledgements included, and writes nothing until `flush`.
final class Connection {
    /// What the broker said when it accepted the connection.
    struct Acceptance: Equatable {
        var isSessionPresent: Bool
        var version: MQTTSettings.ProtocolVersion
        /// How many QoS 1 messages the broker takes ahead of its acknowledgement.
        var receiveMaximum: Int
        /// Seconds of silence that the broker allows.
        var keepalive: Int
        /// The largest packet that the broker takes, in bytes; `nil` where it does not say.
        var maximumPacketSize: Int?
        /// Whether the broker keeps messages for later subscribers.
        var keepsMessages: Bool
    }

    /// What the broker answered to what we had asked.
    enum Answer {
        case subscribed(id: Int32, granted: [Int32])
        case unsubscribed(id: Int32)
        /// A message was acknowledged, or one of QoS 0 was written.
        case published(id: Int32, reason: Int32)
    }

    enum Phase {
        /// The TCP connection is being made.
        case reaching
        /// The TLS handshake and the broker's answer to CONNECT are awaited.
        case greeting
        case standing(Acceptance)
        case closed(MQTTError)
    }

    var phase = Phase.reaching
    var answers: [Answer] = []
    /// Takes each message; must be set while reading, since what is read will be acknowledged.
    var onMessage: ((ReceivedMessage) -> Void)?
    /// Tells that the broker hung up instead of answering CONNECT.
    var hungUpEarly = false
    /// Tells that the broker ended the connection, rather than the network or ourselves.
    var wasHungUp = false
    /// Tells that the address did not even answer.
    var isSilent = false
    /// The mark of the last will that is being handed on as a kept message; MQTT 5 only.
    var willMark: String?
    /// Tells that `read` stopped at its limit.
    var mayHaveMore = false

    let handle: OpaquePointer
    let version: Int32
    let keepalive: Int
    let isEncrypted: Bool
    let deadline: Double
    /// Counts callbacks: a read without any has found nothing.
    var callbacks = 0
    /// Counts the messages handed on.
    var messages = 0
    /// What came in one read with the answer to CONNECT; handed on by the next read.
    var early: [EarlyMessage] = []
    var readsGreeting = false
    /// The broker's reason for refusing or ending the connection.
    var verdict: MQTTError?
    var logged: String?
    private var hasUnwritten = false
    private var descriptors = [pollfd](repeating: pollfd(), count: 2)

    /// Starts to connect, without waiting for the outcome.
    ///
    /// - Parameters:
    ///   - isPersistent: Whether the broker keeps a session for this client id.
    ///   - willMark: Tells this connection's will from others of the same text, with MQTT 5.
    ///   - bindAddress: The local address to connect from; chooses IPv4 or IPv6.
    ///   - deadline: When the broker must have answered, on the clock of `now()`.
    /// - Throws: When the settings are unusable or the system refuses the connection at once.
    init(
        clientID: String, settings: MQTTSettings, version: Int32, isPersistent: Bool, will: Will?,
        willMark: String, bindAddress: String?, deadline: Double
    ) throws(MQTTError) {
        _ = Self.library
        guard let handle = mosquitto_new(clientID, !isPersistent, nil) else {
            throw MQTTError(.invalid, "client id: " + String(cString: strerror(errno)))
        }
        self.handle = handle
        self.version = version
        self.keepalive = settings.keepalive
        self.isEncrypted = settings.tls != nil
        self.deadline = deadline
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        setCallbacks()
        try configure(settings, isPersistent: isPersistent, will: will, mark: willMark)
        let result = mosquitto_connect_bind_async(
            handle, settings.host, Int32(settings.port), Int32(settings.keepalive), bindAddress)
        try check(result, "", otherwise: .unreachable)
    }

    deinit { mosquitto_destroy(handle) }

    private static let library = mosquitto_lib_init()

    /// Waits until something can be done, `wake` is readable, or `timeout` milliseconds are over.
    ///
    /// Where the connection is still being made, this also takes it further.
    /// - Parameter reading: Whether to wait for what the broker sends, once the connection stands.
    func wait(timeout: Int32, wake: Int32, reading: Bool) {
        var isStanding = false
        var interest = Int16(POLLIN) | hangUp
        var limit = timeout
        switch phase {
        case .reaching: interest = Int16(POLLOUT)
        case .greeting: limit = min(timeout, 100)
        case .standing:
            isStanding = true
            interest = reading ? Int16(POLLIN) : 0
            limit = mayHaveMore && reading ? 0 : min(timeout, 1000)
        case .closed: return
        }
        if hasUnwritten { interest |= Int16(POLLOUT) }
        // A socket that nobody waits for would still report that it was hung up, again and again.
        descriptors[0] = pollfd(fd: interest == 0 ? -1 : socket, events: interest, revents: 0)
        descriptors[1] = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptors, 2, limit) >= 0 || errno == EINTR else { return }
        if isStanding {
            if descriptors[0].revents & Int16(POLLOUT) != 0 { write() }
        } else {
            establish(seen: descriptors[0].revents)
        }
    }

    /// Reads what has arrived, until nothing is left or `limit` messages were handed on.
    ///
    /// Stops once the broker has accepted the connection, so that this is known before any message
    /// is. On an encrypted connection some messages more than `limit` may come.
    func read(limit: Int) {
        let end = messages + limit
        deliverEarly()
        mayHaveMore = false
        while messages < end {
            let before = callbacks
            readsGreeting = if case .standing = phase { false } else { true }
            let result = mosquitto_loop_read(handle, 1)
            let systemError = errno
            guard result == MOSQ_ERR_SUCCESS.rawValue, socket >= 0 else {
                return close(result, errno: systemError)
            }
            if callbacks == before { return }
            if readsGreeting { break }
        }
        mayHaveMore = true
    }

    /// Writes what is queued, after a ping where one is due.
    func flush() {
        guard case .standing = phase else { return }
        let result = mosquitto_loop_misc(handle)
        guard result == MOSQ_ERR_SUCCESS.rawValue else { return close(result, errno: errno) }
        write()
    }

    /// Writes what is queued, says goodbye, and waits up to `limit` seconds for the broker to hang up.
    func finish(within limit: Double) {
        guard case .standing = phase else { return }
        let end = now() + limit
        // libmosquitto closes its socket at once, and with unread data that would be a reset, which
        // may overtake the goodbye. The copy keeps the connection until the broker has closed it.
        let copy = dup(socket)
        defer { Glibc.close(copy) }
        mosquitto_disconnect(handle)
        repeat {
            write()
            if hasUnwritten { wait(timeout: 50, wake: -1, reading: false) }
        } while socket >= 0 && now() < end
        shutdown(copy, Int32(SHUT_WR))
        var scratch = [UInt8](repeating: 0, count: 4096)
        while now() < end {
            var descriptor = pollfd(fd: copy, events: Int16(POLLIN), revents: 0)
            let left = Int32(max(0, end - now()) * 1000)
            guard poll(&descriptor, 1, left) > 0, Glibc.read(copy, &scratch, scratch.count) > 0
            else { break }
        }
        phase = .closed(MQTTError(.lost, "disconnected"))
    }

    /// Notes that a request to the library has failed, so that the connection is of no more use.
    func fail(_ result: Int32) {
        close(result, errno: errno)
    }

    /// The socket, or -1 when there is none.
    var socket: Int32 { mosquitto_socket(handle) }

    private func establish(seen: Int16) {
        if case .reaching = phase, seen & Int16(POLLOUT | POLLERR | POLLHUP) != 0 {
            var code: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size)
            guard code == 0 else {
                phase = .closed(MQTTError(.unreachable, String(cString: strerror(code))))
                return
            }
            // Without it, a broker that vanished is noticed only after minutes of repeated sending.
            var patience: UInt32 = 20_000
            setsockopt(
                socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &patience,
                socklen_t(MemoryLayout<UInt32>.size))
            phase = .greeting
        }
        guard case .greeting = phase else { return expire() }
        read(limit: 1)
        guard case .greeting = phase else { return }
        // libmosquitto takes a hang-up during the TLS handshake for a reason to try again.
        if seen & (Int16(POLLHUP | POLLERR) | hangUp) != 0 {
            return close(MOSQ_ERR_CONN_LOST.rawValue, errno: 0)
        }
        write()
        expire()
    }

    private func expire() {
        guard now() >= deadline else { return }
        switch phase {
        case .reaching:
            isSilent = true
            phase = .closed(MQTTError(.unreachable, "no answer in time"))
        case .greeting:
            phase = .closed(MQTTError(.unreachable, "connected, but no answer to MQTT in time"))
        case .standing, .closed: break
        }
    }

    private func write() {
        hasUnwritten = false
        guard mosquitto_want_write(handle) else { return }
        // The library writes each packet by itself, which would be a segment and a wake-up of the broker each.
        cork(true)
        defer { cork(false) }
        // libmosquitto returns success when the socket takes no more; only `errno` tells.
        errno = 0
        let result = mosquitto_loop_write(handle, 1)
        let systemError = errno
        hasUnwritten = systemError == EAGAIN
        guard result != MOSQ_ERR_SUCCESS.rawValue else { return }
        close(result, errno: systemError)
    }

    /// Has the system collect what is written, or send what it has collected.
    private func cork(_ isCorked: Bool) {
        var value: Int32 = isCorked ? 1 : 0
        setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private func close(_ result: Int32, errno: Int32) {
        if case .closed = phase { return }
        wasHungUp =
            verdict != nil || errno == ECONNRESET || errno == EPIPE
            || result == MOSQ_ERR_CONN_LOST.rawValue
        var isGreeting = false
        if case .greeting = phase { isGreeting = true }
        if let verdict {
            phase = .closed(verdict)
        } else if isGreeting, result == MOSQ_ERR_CONN_LOST.rawValue || errno == ECONNRESET {
            hungUpEarly = true
            phase = .closed(
                MQTTError(.unreachable, "the broker closed the connection before it answered"))
        } else if result == MOSQ_ERR_SUCCESS.rawValue {
            phase = .closed(MQTTError(.lost, "the broker ended the connection"))
        } else {
            phase = .closed(
                .library(
                    result, errno: errno, logged: logged,
                    otherwise: isGreeting ? .unreachable : .lost))
        }
    }
}

/// POLLRDHUP, which Glibc's module does not show: the other side sends no more.
private let hangUp: Int16 = 0x2000

/// Returns seconds on a clock that is never set.
func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
