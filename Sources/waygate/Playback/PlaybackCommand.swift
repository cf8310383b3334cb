import Geometry
import Glibc
import Store
import Telemetry
import Tracking
import Worker

/// `waygate playback`: lets recorded positions happen again, over MQTT.
struct PlaybackCommand: Subcommand {
    private static let alias = Option.value(
        "as", "VEHICLE", "the vehicle to speak for; required")
    private static let speed = Option.value(
        "speed", "N", "so many times as fast as it was (default: 1)")
    private static let start = Option.value(
        "start", "TIME", "leave out what was recorded before, as 2026-12-01T06:00Z")
    private static let loop = Option.flag("loop", "begin again at the end, for ever")
    private static let keepTimes = Option.flag(
        "keep-times", "publish the times that were recorded, not those of now")
    private static let force = Option.flag(
        "force", "speak for the vehicle though it was heard of in the last hour")

    static let manual = Manual(
        name: "playback", summary: "publish recorded positions again, as if they happened now",
        operands: [
            Operand(
                placeholder: "VEHICLE",
                help: "whose trip, where several vehicles have one of that id", isOptional: true),
            Operand(
                placeholder: "TRIP|FILE",
                help:
                    "a trip's id, or a recorded track: GPX, KML, NMEA 0183, CSV, GeoJSON or JSON lines",
                isOptional: true),
        ],
        options: [alias] + Recording.options
            + [speed, start, loop, keepTimes, force, .config],
        details: """
            Publishes {root}/VEHICLE/position for the vehicle that --as names, at the pace of the \
            recording. Times are moved to now, so that rules, progress and map do what they did then; \
            at another speed everything happens so many times as fast, and the speeds that the \
            positions tell stay as they were recorded.

            SIGUSR1 pauses it, and lets it go on ('kill -USR1 PID'). Ends with the recording, or with \
            Ctrl-C, and prints what has been published.

            A vehicle that the broker or the database has heard of in the last hour may be on the road: \
            without --force nobody else speaks for it.
            """,
        example: "waygate playback trip-4711 --as demo-1 --speed 4 --loop")

    private let source: Source
    private let vehicleID: String
    private let plan: Playback.Plan
    private let start: Timestamp?
    private let isForced: Bool
    private let settings: ConfigurationSource

    /// Where the recording is.
    private enum Source {
        case file(String)
        case database(Recording)
    }

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        guard let vehicleID = arguments.text(Self.alias) else {
            throw UsageError("--as VEHICLE is missing: whom to speak for?")
        }
        guard vehicleID.isVehicleID else {
            throw UsageError(
                "--as must be 1 to 128 bytes without '/', '+', '#' and control characters, not '\(vehicleID)'"
            )
        }
        self.vehicleID = vehicleID
        var plan = Playback.Plan()
        plan.speed = try arguments.number(Self.speed, in: 0.01...1000) ?? 1
        plan.loops = arguments.has(Self.loop)
        plan.keepsTimes = arguments.has(Self.keepTimes)
        guard !plan.loops || !plan.keepsTimes else {
            throw UsageError("--keep-times has no place beside --loop: the past happens once")
        }
        self.plan = plan
        start = try arguments.time(Self.start)
        isForced = arguments.has(Self.force)
        if arguments.operands.count == 1, !Recording.options.contains(where: arguments.has),
            access(arguments.operands[0], R_OK) == 0
        {
            source = .file(arguments.operands[0])
        } else {
            source = .database(try Recording(arguments))
        }
    }

    func run() throws {
        let configuration = try settings.load()
        var positions = try recorded(configuration)
        if let start { positions.removeAll { $0.time < start } }
        guard !positions.isEmpty else {
            throw CommandFailure("there is no position to play")
        }
        let topic = "\(configuration.topicRoot)/\(vehicleID)"
        let session = try BrokerSession(configuration, filters: ["\(topic)/progress"])
        if !isForced { try refuseLiveVehicle(session) }
        var playback = Playback(positions, plan: plan)
        try play(&playback, session, topic: "\(topic)/position")
        try session.drain(within: 5)
        var json = JSONWriter()
        json.object { $0.member("positions", playback.count) }
        Output().line(json.bytes)
    }

    private func play(
        _ playback: inout Playback, _ session: BrokerSession, topic: String
    ) throws {
        let interrupt = Interrupt()
        let pause = PauseSignal()
        var clock = PlayClock()
        while !interrupt.isDue, let next = playback.nextMoment {
            let wait = min(max(next - clock.seconds, 0), 0.1)
            _ = try session.turn(timeout: Int32(wait * 1000))
            clock.tick(.now, isPaused: pause.isPaused)
            // A broker that takes nothing for long would otherwise fill the memory.
            guard session.inFlight < 10_000 else { continue }
            for (position, time) in playback.take(after: clock.seconds, at: .now) {
                var json = JSONWriter()
                json.object { $0.members(of: position, at: time) }
                session.publish(topic: topic, payload: json.bytes)
            }
        }
    }

    private func recorded(_ configuration: Configuration) throws -> [PositionRow] {
        switch source {
        case .file(let file):
            return try TrackFile.read(file, vehicleID: nil, interval: 1).map(PositionRow.init)
                .sorted { $0.fixTime < $1.fixTime }
        case .database(let recording):
            let store = try StoreConnection(configuration.storeSettings)
            if !isForced, let last = try store.lastFix(of: vehicleID) {
                try refuse(heardOf: Timestamp(microseconds: last))
            }
            var positions: [PositionRow] = []
            try recording.read(recording.subject(in: store), in: store) { positions.append($0) }
            return positions
        }
    }

    /// What the broker knows of the vehicle is retained, and comes with the subscription.
    private func refuseLiveVehicle(_ session: BrokerSession) throws {
        let parser = JSONParser()
        let end = ContinuousClock.now + .milliseconds(500)
        while ContinuousClock.now < end {
            for message in try session.turn(timeout: 50) {
                let time = try? message.payload.withUnsafeBytes { bytes throws(JSONError) in
                    try parser.parse(bytes)["time"]?.string
                }
                if let time, let last = Timestamp(written: time[...]) { try refuse(heardOf: last) }
            }
        }
    }

    private func refuse(heardOf last: Timestamp) throws(CommandFailure) {
        let age = Timestamp.now.elapsed(since: last)
        guard age < 3600 else { return }
        throw CommandFailure(
            "vehicle '\(vehicleID)' was heard of at \(last.iso8601), in the last hour: it may be on the "
                + "road; --force speaks for it all the same")
    }
}

extension PositionRow {
    /// A position that a file tells.
    fileprivate init(_ fix: Fix) {
        self.init(
            vehicleID: "", fixTime: fix.time.microseconds, latitude: fix.coordinate.latitude,
            longitude: fix.coordinate.longitude, accuracy: fix.accuracy, speed: fix.speed,
            course: fix.course, level: fix.level?.written, tracked: false,
            receivedAt: fix.time.microseconds)
    }
}

extension Timestamp {
    /// The machine's time.
    fileprivate static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
