extension CoordinateBox {
    /// Returns the stretches of a way inside, as fractions.
    func stretches(of way: Way) -> [SIMD2<Double>] {
        let north = way.end.latitude - way.start.latitude
        let latitudes = shares(from: way.start.latitude, by: north, south, self.north)
        guard let latitudes else { return [] }
        let start = offset(of: way.start.longitude)
        var intervals = Intervals()
        // The way may lead round the earth to the other side of the box.
        for turn in [-360.0, 0, 360] {
            let longitudes =
                isBelt ? SIMD2(0, 1) : shares(from: start + turn, by: way.turn, 0, width)
            guard let longitudes else { continue }
            let both = SIMD2(max(latitudes.x, longitudes.x), min(latitudes.y, longitudes.y))
            if both.x <= both.y { intervals.add(both.x, both.y) }
        }
        return intervals.united()
    }

    private func shares(
        from start: Double, by change: Double, _ low: Double, _ high: Double
    ) -> SIMD2<Double>? {
        guard change != 0 else { return start >= low && start <= high ? SIMD2(0, 1) : nil }
        let ends = ((low - start) / change, (high - start) / change)
        let shares = SIMD2(max(min(ends.0, ends.1), 0), min(max(ends.0, ends.1), 1))
        return shares.x <= shares.y ? shares : nil
    }
}
