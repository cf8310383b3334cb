import Store
import Tracking

/// Recorded positions that happen again: what is due when.
///
/// It has no clock of its own: it is told how long it has been playing.
struct Playback {
    /// How a recording is played.
    struct Plan {
        /// How many times as fast as it was.
        var speed = 1.0
        /// Whether it begins again when it has ended.
        var loops = false
        /// Whether positions keep the times that they were recorded at.
        var keepsTimes = false
    }

    private let plan: Plan
    private let positions: [PositionRow]
    private var next = 0
    /// Seconds of playing when the first position of this round was due.
    private var begun = 0.0
    /// How many positions have been played.
    private(set) var count = 0

    /// Creates the playback of positions in order of their times.
    init(_ positions: [PositionRow], plan: Plan) {
        self.positions = positions
        self.plan = plan
    }

    /// Seconds of playing at which the next position is due; `nil` when all have been played.
    var nextMoment: Double? {
        guard next < positions.count else { return nil }
        return begun + offset(of: next)
    }

    /// Takes the positions that are due, each with the time that it has now.
    ///
    /// - Parameters:
    ///   - seconds: For how long it has been playing, pauses left out.
    ///   - now: What time that is.
    mutating func take(after seconds: Double, at now: Timestamp) -> [(PositionRow, Timestamp)] {
        var due: [(PositionRow, Timestamp)] = []
        while let moment = nextMoment, moment <= seconds {
            let position = positions[next]
            let time = plan.keepsTimes ? position.time : now.advanced(by: moment - seconds)
            due.append((position, time))
            count += 1
            next += 1
            if next == positions.count, plan.loops {
                // As long after the last one as that came after the one before it, and no less than a second.
                let pause = positions.count > 1 ? offset(of: next - 1) - offset(of: next - 2) : 1
                begun = moment + max(pause, 1 / plan.speed)
                next = 0
            }
        }
        return due
    }

    /// Seconds of playing from the first position to another.
    private func offset(of index: Int) -> Double {
        positions[index].time.elapsed(since: positions[0].time) / plan.speed
    }
}
