internal import Synchronization

/// Counts what the console itself does, for the metrics.
final class RequestCounters: Sendable {
    private let byStatus = Mutex<[Int: Int]>([:])

    /// Counts an answer.
    func count(status: Int) {
        byStatus.withLock { $0[status, default: 0] += 1 }
    }

    /// Returns the console's own metrics in Prometheus' text format.
    func metrics(stream: EventStream.Counts) -> [UInt8] {
        let requests = byStatus.withLock { $0 }.sorted { $0.key < $1.key }
        var text = """
            # HELP waygate_http_requests_total Requests answered by the console, by status code.
            # TYPE waygate_http_requests_total counter

            """
        for (status, count) in requests {
            text += "waygate_http_requests_total{code=\"\(status)\"} \(count)\n"
        }
        text += """
            # HELP waygate_http_stream_clients Clients of the event stream that are connected.
            # TYPE waygate_http_stream_clients gauge
            waygate_http_stream_clients \(stream.clients)
            # HELP waygate_http_stream_turned_away_total Stream clients dropped as too slow or refused as too many.
            # TYPE waygate_http_stream_turned_away_total counter
            waygate_http_stream_turned_away_total{reason="slow"} \(stream.dropped)
            waygate_http_stream_turned_away_total{reason="too_many"} \(stream.refused)

            """
        return Array(text.utf8)
    }
}
