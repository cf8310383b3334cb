import Foundation
import Testing

@testable import Worker

/// What `deploy/` shows and watches must be what the worker counts.
@Suite struct DashboardTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../deploy").standardized

    /// The names of the metrics, with those that a histogram is made of.
    private static let known: Set<String> = {
        var gauges = WorkerGauges()
        // Known only once the database has told its time.
        gauges.clockDifference = 0
        let text = String(decoding: WorkerMetrics().text(gauges), as: UTF8.self)
        var names: Set<String> = []
        for line in text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
            let words = line.split(separator: " ")
            let suffixes = words[3] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
            for suffix in suffixes { names.insert(words[2] + suffix) }
        }
        return names
    }()

    @Test(arguments: ["alerts.yml", "grafana-dashboard.json"])
    func namesOnlyWhatIsCounted(file: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
        let names = Set(text.matches(of: /waygate_[a-z_]+/).map { String($0.output) })
        #expect(names.count > 10)
        // The console counts its own requests.
        let unknown = names.filter { !$0.hasPrefix("waygate_http_") }.subtracting(Self.known)
        #expect(unknown.isEmpty)
    }

    /// Prometheus sees no increase in the first value of a series.
    @Test(arguments: [
        "waygate_reconnects_total{connection=\"intake\"} 0",
        "waygate_reconnects_total{connection=\"publish\"} 0",
        "waygate_route_requests_total{result=\"answered\"} 0",
        "waygate_route_requests_total{result=\"failed\"} 0",
    ])
    func countsFromZeroWhatAlertsWatch(line: String) {
        let text = String(decoding: WorkerMetrics().text(WorkerGauges()), as: UTF8.self)
        #expect(text.split(separator: "\n").contains { $0 == line })
    }

    @Test func isADashboardThatGrafanaReads() throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "grafana-dashboard.json"))
        let board = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(board["panels"] as? [[String: Any]])
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
        for panel in panels where panel["type"] as? String != "row" {
            #expect(panel["gridPos"] != nil && (panel["targets"] as? [Any])?.isEmpty == false)
        }
    }
}
