import Geometry
import Tracking

/// Reads one element, a message or a part of a batch, in the order of checks that the policy gives: kind of
/// message, no-fix flags, identity, coordinates, time.
struct ElementReader {
    /// What the topic says of the message.
    let source: MatchedSource
    /// When the message was received.
    let receivedAt: Timestamp
    /// The times that are taken.
    let window: TimeWindow

    /// Returns the position in a JSON value.
    ///
    /// - Throws: Why there is none.
    func report(of value: JSONValue) throws(NoPosition) -> PositionReport {
        guard let members = value.object else { throw .rejected(.unsupportedFormat) }
        let draft = try draft(of: value, members)
        let vehicleID = try vehicleID(payload: value)
        let coordinate = try draft.coordinate()
        do throws(RejectionReason) {
            let time = try Timestamp(reported: draft.time)
            try window.check(time)
            return draft.report(of: vehicleID, at: coordinate, time)
        } catch {
            throw .rejected(error)
        }
    }

    private func draft(
        of value: JSONValue, _ members: JSONObject
    ) throws(NoPosition) -> Draft {
        if let format = source.format, format != .native {
            return try draft(of: value, in: format)
        }
        let members = MemberIndex(value, members)
        guard let format = source.format ?? members.format else {
            throw .rejected(.unsupportedFormat)
        }
        return format == .native
            ? NativeFormat.draft(members) : try draft(of: value, in: format)
    }

    private func draft(
        of value: JSONValue, in format: PositionFormat
    ) throws(NoPosition) -> Draft {
        switch format {
        case .owntracks: try OwnTracksFormat.draft(value)
        case .traccar: try TraccarFormat.draft(value)
        case .flespi: try FlespiFormat.draft(value)
        case .teltonika: try TeltonikaFormat.draft(value)
        case .geojson: try GeoJSONFormat.draft(value)
        case .native, .nmea: throw .rejected(.unsupportedFormat)
        }
    }

    /// Returns whose position it is.
    ///
    /// - Parameter payload: The element; `nil` when it is not JSON.
    /// - Throws: `invalid_vehicle_id`.
    func vehicleID(payload: JSONValue?) throws(NoPosition) -> String {
        switch source.identity {
        case .known(let vehicleID): return vehicleID
        case .invalid: throw .rejected(.invalidVehicleID)
        case .inPayload(let template):
            let topic = UnsafeRawBufferPointer(start: nil, count: 0)
            guard let vehicleID = template.vehicleID(topic: topic, payload: payload) else {
                throw .rejected(.invalidVehicleID)
            }
            return vehicleID
        }
    }
}
