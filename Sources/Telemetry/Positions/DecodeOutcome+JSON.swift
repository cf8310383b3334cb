import Tracking

extension DecodeOutcome {
    /// The outcome as one JSON object, as `waygate decode` prints it.
    ///
    /// - Parameter source: What the topic says of the message: it names the vehicle where no position does.
    package func json(source: MatchedSource) -> String {
        var writer = JSONWriter()
        writer.object { json in
            switch self {
            case .accepted(let reports, let rejected):
                let vehicleID = reports.first?.vehicleID ?? source.vehicleID
                json.outcome("accepted", vehicleID, reason: nil, reports, rejected)
            case .rejected(let reason, let items):
                json.outcome("rejected", source.vehicleID, reason: reason.rawValue, [], items)
            case .ignored(let reason):
                json.outcome("ignored", source.vehicleID, reason: reason.rawValue, [], [])
            }
        }
        return writer.text
    }
}

extension JSONWriter {
    fileprivate mutating func outcome(
        _ outcome: String, _ vehicleID: String?, reason: String?, _ reports: [PositionReport],
        _ rejected: [RejectedItem]
    ) {
        member("outcome", outcome)
        member("vehicle_id", vehicleID)
        member("reason", reason)
        // Only a payload that names its vehicles itself can be of several.
        let areOfSeveral = reports.contains { $0.vehicleID != vehicleID }
        key("fixes")
        array { json in
            for report in reports { json.report(report, isNamed: areOfSeveral) }
        }
        key("rejected_items")
        array { json in
            for item in rejected {
                json.object { json in
                    json.member("index", item.index)
                    json.member("reason", item.reason.rawValue)
                }
            }
        }
    }

    private mutating func report(_ report: PositionReport, isNamed: Bool) {
        object { json in
            json.members(of: report.fix.coordinate)
            json.member("time", report.fix.time)
            json.optional("speed_mps", report.fix.speed)
            json.optional("course_deg", report.fix.course)
            json.optional("accuracy_m", report.accuracy)
            json.optional("altitude_m", report.altitude)
            if let level = report.fix.level { json.member("level", level) }
            if let provider = report.provider { json.member("provider", provider) }
            if let attributes = report.attributes {
                json.key("attributes")
                json.raw(attributes)
            }
            if isNamed { json.member("vehicle_id", report.vehicleID) }
        }
    }

    private mutating func optional(_ name: StaticString, _ value: Double?) {
        if let value { member(name, exact: value) }
    }
}
