/// What the worker's retained status topic says of it.
package enum WorkerStatus: String, Sendable {
    /// Subscribed, with the trips' state loaded.
    case online
    /// Gone: by last will, or after a clean stop.
    case offline

    /// The payload.
    package var payload: [UInt8] { Array("{\"state\":\"\(rawValue)\"}".utf8) }
}
