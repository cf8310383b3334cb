package import Geometry
import Tracking
package import Watching

/// Writes places: as the retained definition, and as a `put`.
package enum PlaceEncoder {
    /// Writes a place as the GeoJSON feature that its retained topic holds.
    ///
    /// A circle is a Point with `radius_m`, a line a LineString with `width_m`; a rectangle is a polygon, and its four
    /// numbers are in `rectangle`.
    package static func encode(definition place: Place, into json: inout JSONWriter) {
        let area = place.content.area
        json.object { json in
            json.member("type", "Feature")
            json.member("id", place.id)
            json.key("geometry")
            json.geometry(of: area)
            json.key("properties")
            json.object { json in
                json.members(of: place.content)
                switch area.shape {
                case .circle(_, let radius): json.member("radius_m", exact: radius)
                case .line(_, let width): json.member("width_m", exact: width)
                case .rectangle(let box):
                    json.key("rectangle")
                    json.rectangle(box)
                case .point, .polygon: break
                }
                json.member("revision", place.revision)
                json.member("put_at", place.putAt)
                json.member("area_m2", area.squareMetres, decimals: 1)
            }
        }
    }

    /// Writes the payload of a `put` of a content.
    ///
    /// - Parameter commandID: The sender's id for the command.
    package static func encode(
        put content: PlaceContent, commandID: String? = nil, into json: inout JSONWriter
    ) {
        json.object { json in
            if let commandID { json.member("command_id", commandID) }
            json.key("geometry")
            json.shape(content.area.shape)
            json.members(of: content)
        }
    }

    /// Writes a shape as the member `geometry` of a `put`.
    package static func encode(shape: Area.Shape, into json: inout JSONWriter) {
        json.shape(shape)
    }

    /// Writes a place's area as a GeoJSON geometry for those who know no circles: one is a polygon.
    package static func encode(outline area: Area, into json: inout JSONWriter) {
        guard case .circle(let center, let radius) = area.shape else {
            return json.geometry(of: area)
        }
        var ring = stride(from: 0.0, to: 360, by: 360 / 64).map {
            center.destination(course: $0, distance: radius)
        }
        ring.append(ring[0])
        json.geometry(ofRing: ring)
    }

    /// Writes a place's area as a GeoJSON geometry.
    package static func encode(geometry area: Area, into json: inout JSONWriter) {
        json.geometry(of: area)
    }
}

extension JSONWriter {
    /// Writes what is said of a place besides its shape, into the object that is open.
    fileprivate mutating func members(of content: PlaceContent) {
        if let name = content.name { member("name", name) }
        if let category = content.category { member("category", category) }
        if let level = content.level { member("level", level) }
        if let profile = content.profile { members(of: profile) }
        key("tell")
        array { json in
            for (alarm, name) in PlaceAlarmSet.names where content.tells.contains(alarm) {
                json.string(name)
            }
        }
        members(of: content.terms)
    }

    private mutating func members(of profile: PlaceProfile) {
        if let description = profile.description { member("description", description) }
        if let color = profile.color {
            let digits = String(color, radix: 16)
            member("color", "#" + String(repeating: "0", count: 6 - digits.count) + digits)
        }
        if profile.rank != .medium { member("rank", profile.rank.rawValue) }
        if !profile.labels.isEmpty { member("labels", profile.labels) }
        if let parent = profile.parent { member("parent", parent) }
        if let attributes = profile.attributes {
            key("attributes")
            raw(attributes)
        }
    }

    private mutating func members(of terms: PlaceTerms) {
        if let vehicles = terms.vehicles { member("vehicles", vehicles.patterns) }
        if let hours = terms.hours {
            key("active")
            object { $0.members(of: hours) }
        }
        if let dwell = terms.dwell { member("dwell_s", exact: dwell) }
        if let confirmation = terms.confirmation { member("confirm_s", exact: confirmation) }
        if let margin = terms.exitMargin { member("exit_margin_m", exact: margin) }
        if let limit = terms.speedLimit { member("speed_limit_mps", exact: limit) }
        if let approach = terms.approach {
            key("approach")
            object { json in
                if let distance = approach.distance { json.member("distance_m", exact: distance) }
                if let seconds = approach.seconds { json.member("seconds", exact: seconds) }
                json.member("on_route", approach.isOnRoute)
            }
        }
        if let roadblock = terms.roadblock {
            key("roadblock")
            object { json in
                if let since = roadblock.since { json.member("since", since) }
                if let until = roadblock.until { json.member("until", until) }
                if let profiles = roadblock.profiles { json.member("profiles", profiles) }
            }
        }
    }

    private mutating func members(of hours: ActiveHours) {
        if let zone = hours.zone { member("tz", zone) }
        if !hours.weekly.isEmpty {
            key("weekly")
            array { json in
                for window in hours.weekly { json.window(window) }
            }
        }
        if let since = hours.since { member("since", since) }
        if let until = hours.until { member("until", until) }
    }

    private mutating func window(_ window: ActiveHours.Window) {
        object { json in
            let days = ActiveHoursReader.dayNames.enumerated().filter { day in
                window.days & 1 << UInt8(day.offset) != 0
            }
            json.member("days", days.map(\.element))
            json.member("from", Self.time(window.from))
            json.member("to", Self.time(window.to))
        }
    }

    /// Returns minutes from midnight as `hh:mm`.
    private static func time(_ minutes: UInt16) -> String {
        let digits = [minutes / 600, minutes / 60 % 10, minutes % 60 / 10, minutes % 10]
        return "\(digits[0])\(digits[1]):\(digits[2])\(digits[3])"
    }
}
