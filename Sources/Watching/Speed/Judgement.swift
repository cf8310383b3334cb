/// What a fix says of a vehicle's speed: rules S4 to S6.
struct Judgement: Equatable, Sendable {
    /// How it is over, the reported speed first; empty where it is not.
    private(set) var readings: [SpeedReading] = []
    /// Whether it is at or below the limit and half of its tolerance.
    let isLawful: Bool
    /// Whether it says neither, for want of a speed.
    let isNeutral: Bool

    /// - Parameters:
    ///   - speed: As reported, where that can be believed.
    ///   - limit: That at the fix.
    ///   - bound: That on the way to the fix; `nil` where there is none to judge.
    ///   - isNews: Whether the way begins no earlier than the last fix that was over. If not, a reported speed
    ///     outweighs the bound.
    init(
        speed: Double?, limit: SpeedLimit, bound: SpeedBound?, isNews: Bool,
        _ settings: WatchSettings
    ) {
        let reported = speed.map { SpeedBound(speed: $0, limit: limit, settings) }
        if let reported, reported.isOver {
            readings.append(
                SpeedReading(speed: reported.speed, basis: .reported, limit: limit))
        }
        if let bound, bound.isOver, isNews || reported?.isOver ?? true {
            readings.append(
                SpeedReading(speed: bound.speed, basis: .distance, limit: bound.limit))
        }
        let isOver = !readings.isEmpty
        isLawful = !isOver && (reported ?? bound)?.isLawful ?? false
        isNeutral = !isOver && reported == nil && !isLawful
    }
}
