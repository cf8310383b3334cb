import Tracking

/// Reads how large and heavy a vehicle is.
enum VehicleSizeReader {
    /// Returns the size that the member `vehicle` of an assignment describes.
    ///
    /// The ranges leave room for anything that drives on roads.
    ///
    /// - Throws: A refusal that names the member that is wrong.
    static func size(_ value: JSONValue) throws(Refusal) -> VehicleSize {
        let object = try PayloadObject(value, at: "vehicle", reason: .invalidCommand)
        try object.checkNames(among: [
            "height_m", "width_m", "length_m", "weight_kg", "axle_load_kg", "axle_count", "hazmat",
            "top_speed_mps",
        ])
        var size = VehicleSize()
        size.height = try positive("height_m", upTo: 20, "metres", of: object)
        size.width = try positive("width_m", upTo: 20, "metres", of: object)
        size.length = try positive("length_m", upTo: 200, "metres", of: object)
        size.weight = try positive("weight_kg", upTo: 1_000_000, "kilograms", of: object)
        size.axleLoad = try positive("axle_load_kg", upTo: 100_000, "kilograms", of: object)
        size.axleCount = try axles(of: object)
        size.isHazardous = try object.flag("hazmat")
        size.topSpeed = try positive("top_speed_mps", upTo: 100, "metres per second", of: object)
        return size
    }

    private static func positive(
        _ name: StaticString, upTo most: Double, _ unit: String, of object: PayloadObject
    ) throws(Refusal) -> Double? {
        try object.number(
            name, in: Double.leastNonzeroMagnitude...most,
            expected: "a number of \(unit) above 0 and at most \(Int(most))")
    }

    private static func axles(of object: PayloadObject) throws(Refusal) -> Int? {
        guard let count = try object.count("axle_count", from: 2) else { return nil }
        guard count <= 50 else {
            throw object.refusal(
                of: "axle_count", object["axle_count"], expected: "a whole number of 2 to 50")
        }
        return count
    }
}
