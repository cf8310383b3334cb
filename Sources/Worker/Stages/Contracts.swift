package import MQTT
package import Routing
package import Spool
package import Store
package import Tracking

/// What the time is.
package protocol WorkerClock: Sendable {
    /// The time of day, UTC.
    var now: Timestamp { get }
    /// Seconds since some moment, never set back.
    var uptime: Double { get }
    /// Names the run of the machine that `uptime` is counted in; processes of one run share it.
    var boot: String { get }
}

/// The subscription to the broker, with acknowledgements that wait to be told.
package protocol IntakeConnection: AnyObject {
    /// Whether the subscription is in force.
    var isReady: Bool { get }
    /// Connects when due, waits for the socket or `wake`, and reads what has arrived.
    func turn(
        timeout: Int32, wake: Int32, paused: Bool, maxMessages: Int,
        handler: (ReceivedMessage) -> Void
    ) -> [SubscriberEvent]
    /// Acknowledges all that was read.
    func acknowledge()
    /// Closes the connection without a byte: all that was not acknowledged comes again.
    func abandon()
    /// Says goodbye; the session stays.
    func disconnect()
}

/// The connection that events go out on.
package protocol EventConnection: AnyObject {
    /// Whether the broker is there.
    var isConnected: Bool { get }
    /// How many messages the broker has not acknowledged.
    var inFlight: Int { get }
    /// Sends a message; false when there is no room for it now.
    func publish(topic: String, payload: [UInt8], qos: Int, retain: Bool, token: UInt64) -> Bool
    /// Connects when due, waits for the socket or `wake`, sends and reads acknowledgements.
    func turn(timeout: Int32, wake: Int32) -> [PublisherEvent]
    /// Sends what is left and one last message, and says goodbye.
    func disconnect(final: Will?) -> [PublisherEvent]
}

/// The durable queue, from its writer's side.
package protocol SpoolWriting: AnyObject {
    var id: String { get }
    /// The position of the oldest entry that can be read.
    var start: Int64 { get }
    /// The position that the next entry gets.
    var end: Int64 { get }
    /// Why nothing should be taken in now; `nil` while there is room.
    var shortage: SpoolError? { get }
    var bytes: Int64 { get }
    func append(
        _ blob: UnsafeRawBufferPointer, count: Int, at time: Int64, marks: [Mark], isUrgent: Bool
    ) throws(SpoolError) -> Int64
    /// When the batch was appended that holds `position` or comes next; `nil` at the end.
    func time(at position: Int64) throws(SpoolError) -> Int64?
    func trim(before position: Int64, keeping marginBytes: Int64) throws(SpoolError)
    func marks() throws(SpoolError) -> [Mark]
    func forgetMarks() throws(SpoolError)
    /// The value kept under a name, or `nil`.
    func value(_ key: String) throws(SpoolError) -> [UInt8]?
    /// Keeps a small value under a name, or forgets it.
    func setValue(_ key: String, _ value: [UInt8]?) throws(SpoolError)
}

/// The durable queue, from its readers' side.
package protocol SpoolReading: AnyObject {
    func read(from position: Int64, maxBytes: Int) throws(SpoolError) -> [SpoolBatch]
}

/// Opens sessions with the database.
package protocol Database: AnyObject {
    func connect() throws(StoreError) -> any DatabaseSession
}

/// One session with the database, until it fails.
package protocol DatabaseSession: AnyObject {
    func claim(spoolID: String, takeOver: Bool) throws(StoreError) -> StoreConnection.Claim
    /// What the tables hold of a spool, without the right to write.
    func look(spoolID: String) throws(StoreError) -> StoreConnection.Checkpoint?
    func commit(_ batch: StoreBatch) throws(StoreError)
    /// Writes a batch as `commit` does, and takes it back.
    func rehearse(_ batch: StoreBatch) throws(StoreError)
    func heartbeat() throws(StoreError)
    func loadState(_ handle: (StoredItem) -> Void) throws(StoreError)
    func maintain(now: Microseconds) throws(StoreError) -> StoreConnection.Maintenance
    /// Gives the database up, so that another may claim it at once.
    func release() throws(StoreError)
}

/// A routing engine.
package protocol RoutePlanner: AnyObject {
    /// What kind of server it asks, for the metrics.
    var engineName: String { get }

    func ask(_ question: PlannerQuestion)
    func cancel(vehicleID: String)
    func turn(timeout: Int32, wake: Int32) -> [PlannerAnswer]
}

extension Subscriber: IntakeConnection {}
extension Publisher: EventConnection {}
extension Spool: SpoolWriting {}
extension SpoolReader: SpoolReading {}
extension StoreConnection: DatabaseSession {}
extension PlannerClient: RoutePlanner {}
