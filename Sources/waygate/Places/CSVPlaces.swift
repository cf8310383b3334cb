/// Reads the places of a CSV text: `id,name,lat,lon,radius_m,category`, in any order, the place alone being needed.
enum CSVPlaces {
    static func read(
        _ text: String, radius: Double?
    ) throws(RouteFileError) -> [PlaceDraft] {
        let table = try CSVTable(text)
        let id = table.column(["id", "place_id"])
        let name = table.column(["name"])
        let radii = table.column(["radius_m", "radius"])
        let category = table.column(["category"])
        var naming = PlaceNaming()
        var places: [PlaceDraft] = []
        for row in table.rows {
            let origin = "line \(row.line)"
            let title = row[name].map(String.init)
            var place = PlaceDraft(
                origin: origin,
                id: try naming.id(row[id].map(String.init), name: title, at: origin))
            var own: Double?
            if let cell = row[radii], !cell.isEmpty {
                guard let number = decimal(cell) else {
                    throw RouteFileError("\(origin): radius_m is no number: '\(cell)'")
                }
                own = number
            }
            place.set(PlaceFile.shape(try table.place(in: row), radius: own ?? radius))
            place.set("name", text: title)
            place.set("category", text: row[category].map(String.init))
            places.append(place)
        }
        return places
    }
}
