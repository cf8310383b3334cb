/// Tells by its topic what a message is for.
package struct SourceTable: Sendable {
    private struct Source: Sendable {
        let filter: TopicFilter
        let format: PositionFormat?
        let template: VehicleIDTemplate
    }

    /// What has to be subscribed to, each filter once.
    package let subscriptions: [String]

    private let root: [UInt8]
    private let sources: [Source]

    /// Creates a table of the native topics under `root` and of further sources.
    ///
    /// - Throws: `SourceError` with all that is wrong with them.
    package init(root: String, sources: [SourceDefinition]) throws(SourceError) {
        var mistakes: [SourceError.Mistake] = []
        if let message = Self.mistake(inRoot: root) {
            mistakes.append(.init(key: "topic_root", message: message))
        }
        var read: [Source] = []
        for (index, definition) in sources.enumerated() {
            let source = Self.source(definition) { key, message in
                mistakes.append(.init(key: "sources[\(index)].\(key)", message: message))
            }
            if let source { read.append(source) }
        }
        guard mistakes.isEmpty else { throw SourceError(mistakes: mistakes) }
        self.root = Array(root.utf8)
        self.sources = read
        var subscriptions = [
            "\(root)/+/position", "\(root)/+/command/+", "\(root)-place/+/command/+",
        ]
        for source in sources where !subscriptions.contains(source.filter) {
            subscriptions.append(source.filter)
        }
        self.subscriptions = subscriptions
    }

    private static func mistake(inRoot root: String) -> String? {
        if root.isEmpty { return "it is empty" }
        if root.utf8.count > 1024 { return "it is longer than 1,024 bytes" }
        if root.hasPrefix("$") { return "topics with $ belong to the broker" }
        if root.hasSuffix("/") { return "it ends in /" }
        let isPlain = root.utf8.allSatisfy {
            $0 > 0x1F && $0 != 0x7F && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "#")
        }
        return isPlain ? nil : "it holds +, # or a control character"
    }

    private static func source(
        _ definition: SourceDefinition, report: (_ key: String, _ message: String) -> Void
    ) -> Source? {
        let format = definition.format.map { PositionFormat.named($0) }
        if case .some(.none) = format {
            let names = PositionFormat.allCases.map(\.rawValue).joined(separator: ", ")
            report("format", "it must be one of \(names)")
        }
        let filter = Result { () throws(SourceFault) in
            try TopicFilter(definition.filter)
        }
        let template = Result { () throws(SourceFault) in
            try VehicleIDTemplate(definition.vehicleID)
        }
        if case .failure(let fault) = filter { report("filter", fault.message) }
        if case .failure(let fault) = template { report("vehicle_id", fault.message) }
        guard case .success(let filter) = filter, case .success(let template) = template else {
            return nil
        }
        if let level = template.highestLevel, level >= filter.shortestMatch, !filter.isOpen {
            report("vehicle_id", "{\(level)} is beyond the filter's last level")
        }
        return Source(filter: filter, format: format ?? nil, template: template)
    }

    /// Tells what a topic is for: the native topics come before the sources, and of these the first that
    /// matches counts.
    package func match(_ topic: UnsafeRawBufferPointer) -> TopicMatch {
        if let match = matchNative(topic) { return match }
        for source in sources where source.filter.matches(topic) {
            return .position(
                MatchedSource(
                    format: source.format, identity: Self.identity(source.template, topic)))
        }
        return .nothing
    }

    /// Tells what a topic is for.
    package func match(_ topic: String) -> TopicMatch {
        var topic = topic
        return topic.withUTF8 { match(UnsafeRawBufferPointer($0)) }
    }

    private static func identity(
        _ template: VehicleIDTemplate, _ topic: UnsafeRawBufferPointer
    ) -> MatchedSource.Identity {
        if template.readsPayload {
            return template.filled(from: topic).map { .inPayload($0) } ?? .invalid
        }
        return template.vehicleID(topic: topic, payload: nil).map { .known($0) } ?? .invalid
    }

    /// Returns what a topic under the root is for; `nil` for the sources to say.
    private func matchNative(_ topic: UnsafeRawBufferPointer) -> TopicMatch? {
        guard topic.count > root.count, root.withUnsafeBytes({ topic.hasPrefix($0) }) else {
            return nil
        }
        let below = topic.from(root.count)
        if below.hasPrefix("-worker/") { return .nothing }
        if below.hasPrefix("-place/") { return matchPlace(below.from("-place".utf8.count)) }
        guard below[0] == UInt8(ascii: "/") else { return nil }
        let end = below.place(of: UInt8(ascii: "/"), from: 1)
        guard end < below.count else { return nil }
        let vehicle = UnsafeRawBufferPointer(rebasing: below[1..<end])
        let kind = below.from(end + 1)
        if kind.equals("position") {
            let vehicleID = VehicleID.checked(vehicle)
            return .position(
                MatchedSource(format: nil, identity: vehicleID.map { .known($0) } ?? .invalid))
        }
        return matchCommand(kind, vehicle) ?? matchOwn(kind)
    }

    private func matchCommand(
        _ kind: UnsafeRawBufferPointer, _ vehicle: UnsafeRawBufferPointer
    ) -> TopicMatch? {
        guard let name = commandName(kind) else { return nil }
        guard let vehicleID = VehicleID.checked(vehicle) else { return .invalidVehicleID }
        return .command(vehicleID: vehicleID, name: name)
    }

    /// What a topic of places is for, from the slash before the place on.
    private func matchPlace(_ below: UnsafeRawBufferPointer) -> TopicMatch {
        let end = below.place(of: UInt8(ascii: "/"), from: 1)
        guard end < below.count, let name = commandName(below.from(end + 1)) else {
            return .nothing
        }
        let place = UnsafeRawBufferPointer(rebasing: below[1..<end])
        guard let placeID = VehicleID.checked(place) else { return .invalidVehicleID }
        return .placeCommand(placeID: placeID, name: name)
    }

    private func commandName(_ kind: UnsafeRawBufferPointer) -> String? {
        let prefix: StaticString = "command/"
        guard kind.hasPrefix(prefix) else { return nil }
        let name = kind.from(prefix.utf8CodeUnitCount)
        guard !name.contains(UInt8(ascii: "/")) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// Recognises what the worker itself publishes, so that a wide filter does not bring it back.
    private func matchOwn(_ kind: UnsafeRawBufferPointer) -> TopicMatch? {
        let isOwn =
            kind.hasPrefix("event/") || kind.hasPrefix("alarm/") || kind.equals("progress")
            || kind.equals("route") || kind.equals("proposal")
        return isOwn ? .nothing : nil
    }
}
