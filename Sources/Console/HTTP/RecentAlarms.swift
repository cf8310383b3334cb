internal import Synchronization

/// The newest alarms, for clients that ask now and then.
final class RecentAlarms: Sendable {
    /// How many are kept.
    static let most = 1000

    private struct State {
        var alarms: [[UInt8]] = []
        /// The number of the newest one; they count up from 1 with each start.
        var last = 0
    }

    private let state = Mutex(State())

    /// Takes an alarm, a JSON object.
    func append(_ json: [UInt8]) {
        state.withLock { state in
            state.last += 1
            state.alarms.append(json)
            if state.alarms.count > 2 * Self.most { state.alarms.removeFirst(Self.most) }
        }
    }

    /// Returns `{"last":…,"alarms":[…]}`, oldest first.
    ///
    /// - Parameter number: Only those after it are told; the answer to an earlier request names it as `last`.
    func json(after number: Int) -> String {
        let (last, alarms) = state.withLock { state in
            let newer = max(state.last - max(number, 0), 0)
            // A number of an earlier start says nothing: all are told.
            let wanted = number > state.last ? Self.most : min(newer, Self.most)
            return (state.last, Array(state.alarms.suffix(wanted)))
        }
        let list = alarms.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
        return "{\"last\":\(last),\"alarms\":[\(list)]}"
    }
}
