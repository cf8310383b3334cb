import Geometry
import Telemetry
import Watching

/// Prints the places in force.
enum PlaceList {
    /// Prints a table, or the definitions as they are.
    static func print(_ items: [PlaceCatalogue.Item], asJSON: Bool) {
        let output = Output()
        if asJSON {
            for item in items { output.line(item.definition) }
            return
        }
        for line in TextTable.lines(items.map(row)) { output.line(line) }
    }

    /// Prints a GeoJSON collection, a feature a line.
    static func export(_ items: [PlaceCatalogue.Item]) {
        let output = Output()
        output.line(#"{"type":"FeatureCollection","features":["#)
        for (index, item) in items.enumerated() {
            let comma = Array((index + 1 < items.count ? "," : "").utf8)
            output.line(item.definition + comma)
        }
        output.line("]}")
    }

    /// Id, kind, category, what it tells, and name.
    private static func row(_ item: PlaceCatalogue.Item) -> [String] {
        guard let place = item.place else {
            return [item.id.printable, "?", "", "", "cannot be read by this version"]
        }
        let kind =
            switch place.content.area.shape {
            case .point: "point"
            case .circle: "circle"
            case .rectangle: "rectangle"
            case .polygon: "polygon"
            case .line: "line"
            }
        let tells = PlaceAlarmSet.names.filter { place.content.tells.contains($0.alarm) }
        return [
            item.id.printable, kind, place.content.category?.printable ?? "-",
            tells.isEmpty ? "-" : tells.map(\.name).joined(separator: ","),
            place.name.printable,
        ]
    }
}
