/// What a request for places asks for.
package struct PlaceQuery: Equatable, Sendable {
    /// A rectangle in degrees; `west` above `east` crosses the antimeridian.
    package struct Box: Equatable, Sendable {
        package var west, south, east, north: Double
    }

    /// Only those that meet it; `nil` for anywhere.
    package var box: Box?
    /// Only those of the category, or below it.
    package var category: String?
    /// Only those of the floor, as it is written.
    package var level: String?
    /// Only those that a person may mean by it: in id, name, labels or category.
    package var text: String?
    /// The nearest to it first: latitude and longitude in degrees.
    package var near: (latitude: Double, longitude: Double)? {
        get { nearest.map { ($0.latitude, $0.longitude) } }
        set { nearest = newValue.map { Point(latitude: $0.latitude, longitude: $0.longitude) } }
    }
    /// At most so many, 1 to 2,000.
    package var limit = 500

    private struct Point: Equatable, Sendable {
        var latitude, longitude: Double
    }

    private var nearest: Point?

    /// Asks for any places.
    package init() {}

    /// What is wrong with a request, in a sentence.
    struct Mistake: Error { var message: String }

    /// Reads a request's arguments.
    ///
    /// - Throws: What is wrong with them.
    init(_ arguments: [String: String]) throws(Mistake) {
        category = arguments["category"].flatMap { $0.isEmpty ? nil : $0 }
        level = arguments["level"].flatMap { $0.isEmpty ? nil : $0 }
        text = arguments["q"].flatMap { $0.isEmpty ? nil : $0 }
        if let written = arguments["bbox"] {
            let numbers = try Self.numbers(written, count: 4, "bbox", "west,south,east,north")
            box = Box(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
            guard numbers[1] <= numbers[3] else {
                throw Mistake(
                    message: "bbox must be west,south,east,north: its south is above its north")
            }
        }
        if let written = arguments["near"] {
            let numbers = try Self.numbers(written, count: 2, "near", "latitude,longitude")
            near = (numbers[0], numbers[1])
        }
        if let written = arguments["limit"] {
            guard let limit = Int(written), (1...2000).contains(limit) else {
                throw Mistake(
                    message: "limit must be a whole number from 1 to 2000, not '\(written)'")
            }
            self.limit = limit
        }
    }

    private static func numbers(
        _ text: String, count: Int, _ name: String, _ form: String
    ) throws(Mistake) -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { "0123456789.+-eE".utf8.contains($0) } ? Double(part) : nil
        }
        guard parts.count == count, numbers.count == count, numbers.allSatisfy(\.isFinite) else {
            throw Mistake(message: "\(name) must be \(form) in degrees, not '\(text)'")
        }
        return numbers
    }
}
