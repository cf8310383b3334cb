import Foundation
import Telemetry

/// Writes the vectors as seeds into the folder that `WAYGATE_FUZZ_SEEDS` names, before libFuzzer reads it.
@_cdecl("LLVMFuzzerInitialize")
func fuzzInitialize(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    guard let folder = ProcessInfo.processInfo.environment["WAYGATE_FUZZ_SEEDS"] else { return 0 }
    do {
        try writeSeeds(to: URL(filePath: folder))
    } catch {
        fatalError("the seeds cannot be written: \(error)")
    }
    return 0
}

/// Each vector once for its own format fixed and once for recognition by content, and a command of each name.
private func writeSeeds(to folder: URL) throws {
    let commands =
        #"{"trip_id":"t","route":{"coordinates":[[13.4,52.5],[13.5,52.6]]},"#
        + #""via_points":[{"lat":52.55,"lon":13.45}],"options":{"arrival_radius_m":40}}"#
    for (index, topic) in PayloadFuzz.topics.enumerated() where topic.contains("/command/") {
        let name = topic.replacing("/", with: "-")
        try write([UInt8(index)] + Array(commands.utf8), name, to: folder)
    }
    for file in ["payloads.json", "payloads-2.json"] { try writeVectors(of: file, to: folder) }
    try writePlaces(to: folder)
}

/// Each place of the geometry cases.
private func writePlaces(to folder: URL) throws {
    let fixture = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/places/geometry.json")
    let text = try String(contentsOf: fixture, encoding: .utf8)
    try JSONParser().parse(text) { root in
        for row in root.array.map(Array.init) ?? [] {
            let name = "put-\(row["name"]?.string ?? "")"
            let place = row["place"]?.rawText ?? ""
            try write([UInt8(PayloadFuzz.put)] + Array(place.utf8), name, to: folder)
        }
    }
}

private func writeVectors(of file: String, to folder: URL) throws {
    let fixture = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/payloads/\(file)")
    let text = try String(contentsOf: fixture, encoding: .utf8)
    try JSONParser().parse(text) { root in
        for vector in root.array.map(Array.init) ?? [] {
            let name = vector["name"]?.string ?? ""
            let base64 = vector["payload_base64"]?.string.flatMap { Data(base64Encoded: $0) }
            let payload = vector["payload"]?.text.map { Array($0.bytes) } ?? base64.map(Array.init)
            let format = vector["format"]?.string.flatMap(PositionFormat.named)
            let fixed = PayloadFuzz.topics.firstIndex(of: "fixed/\(format?.rawValue ?? "")")
            for choice in [0, 1, 2, fixed ?? 0] {
                try write([UInt8(choice)] + (payload ?? []), "\(name)-\(choice)", to: folder)
            }
        }
    }
}

private func write(_ bytes: [UInt8], _ name: String, to folder: URL) throws {
    try Data(bytes).write(to: folder.appending(path: name))
}
