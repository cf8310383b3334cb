/// Stretches of a way, which may overlap or have no length.
struct Intervals {
    private var stretches: [SIMD2<Double>] = []

    mutating func add(_ start: Double, _ end: Double) {
        stretches.append(SIMD2(start, end))
    }

    /// Returns what all stretches cover together, in order, those that touch as one.
    func united() -> [SIMD2<Double>] {
        var united: [SIMD2<Double>] = []
        for stretch in stretches.sorted(by: { $0.x < $1.x }) {
            if let last = united.last, stretch.x <= last.y {
                united[united.count - 1].y = max(last.y, stretch.y)
            } else {
                united.append(stretch)
            }
        }
        return united
    }
}
