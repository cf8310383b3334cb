/// What happens in one simulated run, step by step: made from a seed, replayed exactly, and cut down when
/// something goes wrong.
struct Story: Sendable {
    /// One thing that happens.
    enum Happening: Equatable, Sendable {
        /// A device reports its next place along its route.
        case position(vehicle: Int)
        /// A device reports a place far off its route.
        case stray(vehicle: Int)
        /// A device sends its last report once more.
        case copy(vehicle: Int)
        /// A device or a dispatcher sends what the database refuses a row of.
        case poison(vehicle: Int, Poison)
        /// A device sends what nobody understands.
        case garbage(vehicle: Int)
        /// Operations start a trip, with or without a route.
        case assign(vehicle: Int, withRoute: Bool)
        /// Operations send a command.
        case command(vehicle: Int, name: String)
        /// Operations send a command without an id, in always the same words.
        case bareCommand(vehicle: Int, name: String)
        /// Operations put a place on the vehicles' way, or change it.
        case putPlace(Int, PlaceShape, withID: Bool)
        /// Operations delete a place, there or not.
        case deletePlace(Int)
        /// A stage takes a turn.
        case turn(Stage)
        case pass(seconds: Double)
        /// The machine's clock is set, right or wrong.
        case setClock(ahead: Double)
        case cutBroker
        case setBroker(isThere: Bool)
        case forgetAcknowledgements
        /// The broker delivers its newest messages once more, as if they were new.
        case deliverUnderNewIDs
        /// The broker was restarted, and begins with the lowest packet id again.
        case countAnew
        /// The broker comes back without its retained messages.
        case loseKept
        /// An access list forbids topics with this in them; `nil` forbids nothing.
        case forbid(String?)
        case setDatabase(isThere: Bool)
        /// It answers, but takes no writes; or connects, and then does not do its work.
        case setWrites(areTaken: Bool, isStubborn: Bool)
        case failCommit(SimulatedTables.Fault)
        case failDisk(writes: Int)
        /// Another program fills the disk, or frees it.
        case fillDisk(isFull: Bool)
        /// The process dies, and another begins.
        case crash
    }

    enum Poison: CaseIterable, Sendable {
        case position, command, garbage
    }

    /// What is put: all tell enters, exits and dwellings, so that they alternate whatever is changed.
    enum PlaceShape: CaseIterable, Sendable {
        case small, large, elsewhere, limited, broken
        /// It closes the road, at once or for a minute that begins soon.
        case closing, closingSoon
    }

    enum Stage: CaseIterable, Sendable {
        case intake, tracking, store, publish, planner
    }

    var seed: UInt64
    var happenings: [Happening]

    /// Makes up a story.
    init(seed: UInt64, length: Int = 220) {
        var random = Randomness(seed: seed)
        self.seed = seed
        happenings = (0..<4).map { .assign(vehicle: $0, withRoute: $0 % 2 == 0) }
        happenings += (0..<2).map { .putPlace($0, .small, withID: true) }
        happenings += (0..<length).map { _ in Self.happening(&random) }
    }

    init(seed: UInt64, happenings: [Happening]) {
        self.seed = seed
        self.happenings = happenings
    }

    private static func happening(_ random: inout Randomness) -> Happening {
        let vehicle = Int.random(in: 0..<4, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<20: return .position(vehicle: vehicle)
        case 20..<22: return .stray(vehicle: vehicle)
        case 22: return place(&random)
        case 23..<25: return .copy(vehicle: vehicle)
        case 25: return .garbage(vehicle: vehicle)
        case 26:
            return .poison(
                vehicle: vehicle, Poison.allCases.randomElement(using: &random) ?? .position)
        case 27..<29: return .assign(vehicle: vehicle, withRoute: random.once(in: 2))
        case 29..<33: return .command(vehicle: vehicle, name: name(&random))
        case 33..<35: return .bareCommand(vehicle: vehicle, name: name(&random))
        case 35..<83: return .turn(Stage.allCases.randomElement(using: &random) ?? .intake)
        case 88:
            return .setClock(
                ahead: [0, 0, -172_800, 172_800, 7200, -30].randomElement(using: &random) ?? 0)
        case 83..<88: return .pass(seconds: Double.random(in: 0.1...12, using: &random))
        case 89..<90: return .cutBroker
        case 90..<91: return fault(&random)
        case 91..<92: return .forgetAcknowledgements
        case 92..<93: return .setBroker(isThere: random.once(in: 2))
        case 93..<95: return database(&random)
        case 95..<97: return .failCommit(random.once(in: 2) ? .before : .after)
        case 97: return disk(&random)
        default: return .crash
        }
    }

    private static func place(_ random: inout Randomness) -> Happening {
        let place = Int.random(in: 0..<4, using: &random)
        guard !random.once(in: 4) else { return .deletePlace(place) }
        return .putPlace(
            place, PlaceShape.allCases.randomElement(using: &random) ?? .small,
            withID: random.once(in: 2))
    }

    private static func database(_ random: inout Randomness) -> Happening {
        random.once(in: 2)
            ? .setDatabase(isThere: random.once(in: 2))
            : .setWrites(areTaken: random.once(in: 2), isStubborn: random.once(in: 3))
    }

    private static func disk(_ random: inout Randomness) -> Happening {
        random.once(in: 2)
            ? .failDisk(writes: Int.random(in: 1...2, using: &random))
            : .fillDisk(isFull: random.once(in: 2))
    }

    /// What a broker does seldom.
    private static func fault(_ random: inout Randomness) -> Happening {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .deliverUnderNewIDs
        case 1: .countAnew
        case 2: .loseKept
        case 3: .forbid(nil)
        default:
            .forbid(
                ["/event/", "/event/waypoint_", "/route", "v1/event/", "/event/command_rejected"]
                    .randomElement(using: &random))
        }
    }

    private static func name(_ random: inout Randomness) -> String {
        [
            "proceed", "proceed", "proceed", "skip", "reroute", "stop", "avoid", "accept",
            "accept", "decline", "nonsense",
        ]
        .randomElement(using: &random) ?? "proceed"
    }

    /// The shortest story that still fails: leaves out ever smaller parts.
    func shrunk(while fails: (Story) -> Bool) -> Story {
        var best = self
        var size = happenings.count / 2
        while size > 0 {
            var start = 0
            while start < best.happenings.count {
                var shorter = best
                shorter.happenings.removeSubrange(
                    start..<min(start + size, best.happenings.count))
                if fails(shorter) { best = shorter } else { start += size }
            }
            size /= 2
        }
        return best
    }
}
