import Console
import Foundation

/// Serves the live map with a fleet that drives around a made-up town.
///
/// Arguments: port (0 for any), vehicles, one in how many is held until told to proceed, seconds.
/// Prints the address once it is served, and ends by itself.
@main
enum ConsoleDemo {
    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
        guard numbers.count == 4 else {
            print("usage: ConsoleDemo PORT VEHICLES HOLD-EVERY SECONDS")
            exit(2)
        }
        let fleet = Fleet(count: numbers[1], holdEvery: max(1, numbers[2]), seed: 7)
        let settings = ConsoleSettings(listen: "127.0.0.1:\(numbers[0])", commandToken: "demo")
        let server = try ConsoleServer(
            settings, source: fleet, ground: StreetGround(fleet.streets))
        defer { server.stop() }
        print("http://127.0.0.1:\(server.port)/")
        fflush(nil)
        let parts = 20
        let end = Date().addingTimeInterval(Double(numbers[3]))
        var part = 0
        var next = Date()
        while Date() < end {
            for event in fleet.drive(part: part, of: parts) + fleet.takeAnswers() {
                server.broadcast(event)
            }
            part = (part + 1) % parts
            next.addTimeInterval(1 / Double(parts))
            Thread.sleep(until: next)
        }
    }
}
