/// What tracking made of drives.
struct DriveTally: Equatable {
    var drives = 0
    /// Told to have left a route that they were on.
    var reroutes = 0
    /// Via points that were passed and not reached.
    var missed = 0
    /// Via points that were reached twice, or before the ones before them.
    var outOfOrder = 0
    /// Via points and ends that were reached 150 m too soon.
    var early = 0
    /// Vehicles that stand at their destination and have not arrived.
    var notArrived = 0
    /// Fixes on a route, and those that were placed more than 150 m along it from where the vehicle was.
    var places = 0
    var wrong = 0

    /// Share of the places that are wrong.
    var wrongShare: Double { places > 0 ? Double(wrong) / Double(places) : 0 }

    static func += (left: inout DriveTally, right: DriveTally) {
        left.drives += right.drives
        left.reroutes += right.reroutes
        left.missed += right.missed
        left.outOfOrder += right.outOfOrder
        left.early += right.early
        left.notArrived += right.notArrived
        left.places += right.places
        left.wrong += right.wrong
    }

    /// The heading of a table of tallies.
    static let heading = row(
        "", ["drives", "reroutes", "missed", "disorder", "early", "lost", "places", "wrong", "%"])

    /// A line of it.
    func row(_ name: String) -> String {
        let percent = (wrongShare * 1e6).rounded() / 1e4
        return Self.row(
            name,
            [drives, reroutes, missed, outOfOrder, early, notArrived, places, wrong].map { "\($0)" }
                + ["\(percent)"])
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        func pad(_ width: Int, _ text: String) -> String {
            String(repeating: " ", count: max(0, width - text.count))
        }
        return name + pad(18, name) + cells.map { pad(9, $0) + $0 }.joined()
    }
}
