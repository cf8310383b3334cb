import Synchronization

/// Where the tracking stage leaves changes for the store stage, one set at a time.
///
/// While the database is away the tracking stage collects only up to a bound; beyond it the changes are
/// dropped, and the store stage makes them again from the spool, with a fleet of its own. When that fleet
/// is near the end of the spool, it asks for changes again, and goes on to where those begin.
package final class StoreHandover: Sendable {
    /// Whether changes are wanted.
    enum Flow: Equatable {
        /// They are handed over as they come.
        case flowing
        /// They were dropped: the store stage makes them itself.
        case lost
        /// They are wanted again from the next batch on.
        case wanted
        /// They are handed over again, from this position on.
        case joined(from: Int64)
    }

    private struct State {
        var offered: StoreChanges?
        var flow = Flow.flowing
        /// Seconds of uptime at which the database last took something.
        var storeSeenAt = -Double.infinity
        /// A fleet that the store stage has read from the database, for the tracking stage to begin with.
        var restored: RestoredFleet?
    }

    private let state = Mutex(State())

    /// Leaves changes; false when the last ones have not been taken.
    func offer(_ changes: StoreChanges) -> Bool {
        state.withLock { state in
            guard state.offered == nil else { return false }
            state.offered = changes
            return true
        }
    }

    /// Whether `offer` would succeed.
    var isFree: Bool { state.withLock { $0.offered == nil } }

    /// Takes what was left.
    func take() -> StoreChanges? {
        state.withLock { state in
            defer { state.offered = nil }
            return state.offered
        }
    }

    /// The position at which the changes begin that wait to be taken.
    var offeredFrom: Int64? { state.withLock { $0.offered?.from } }

    var flow: Flow {
        get { state.withLock { $0.flow } }
        set { state.withLock { $0.flow = newValue } }
    }

    /// Seconds of uptime at which the database last took something.
    var storeSeenAt: Double {
        get { state.withLock { $0.storeSeenAt } }
        set { state.withLock { $0.storeSeenAt = newValue } }
    }

    /// Hands the state from the database over.
    func restore(_ fleet: RestoredFleet) {
        state.withLock { $0.restored = fleet }
    }

    /// Takes the state from the database; `nil` while it has not been read.
    func takeRestored() -> RestoredFleet? {
        state.withLock { state in
            defer { state.restored = nil }
            return state.restored
        }
    }
}

/// A fleet on its way from the thread that read it to the one that moves it on.
///
/// Safe to send since the sender keeps no reference.
struct RestoredFleet: @unchecked Sendable {
    let fleet: Fleet
    /// Events that the broker has not acknowledged, as far as the tables know; to be sent first.
    let unpublished: [Publication]
    /// Everything published before this position is acknowledged.
    let published: Int64
}
