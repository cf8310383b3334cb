import Foundation
import Testing

@testable import Console

@Suite struct PageTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../Sources/Console/Page").standardized

    @Test func servesEveryFileOfThePage() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        let client = try Client(port: server.port)
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(names.count > 20)
        for name in names where name != "index.html" {
            let answer = try client.request("GET", "/page/\(name)")
            #expect(answer.status == 200, "\(name)")
            let file = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
            #expect(answer.body == file, "\(name)")
        }
    }

    @Test func loadsNothingFromElsewhere() throws {
        for file in try FileManager.default.contentsOfDirectory(
            at: Self.folder, includingPropertiesForKeys: nil)
        {
            let text = try String(contentsOf: file, encoding: .utf8)
            for mark in ["src=\"http", "href=\"http", "url(http", "@import", "from \"http"] {
                let found = text.replacing("<a href=\"https://www.openstreetmap.org/", with: "")
                #expect(!found.contains(mark), "\(file.lastPathComponent): \(mark)")
            }
        }
    }
}
