import CSimdjson
package import Tracking

/// Makes positions out of what devices and gateways publish.
///
/// Keeps a parser and its buffers from message to message, so that one thread should have one of these.
package final class PositionDecoder {
    /// What positions are taken.
    package var limits: DecodeLimits

    /// No more elements than these get room before they are known to be positions.
    private static let usualBatch = 5_000

    private let parser = JSONParser()

    /// Creates a decoder.
    package init(limits: DecodeLimits = DecodeLimits()) {
        self.limits = limits
    }

    /// Decodes one message.
    ///
    /// - Parameters:
    ///   - payload: What was published.
    ///   - length: How long that was, where `payload` is only its beginning.
    ///   - source: What the topic says of it.
    ///   - receivedAt: When it was received: the measure of too old and too new.
    package func decode(
        _ payload: UnsafeRawBufferPointer, length: Int? = nil, source: MatchedSource,
        receivedAt: Timestamp
    ) -> DecodeOutcome {
        guard (length ?? payload.count) <= limits.maxPayloadBytes else {
            return .rejected(.payloadTooLarge, items: [])
        }
        let text = Self.unframed(payload)
        if text.isEmpty { return .ignored(.emptyPayload) }
        let reader = ElementReader(
            source: source, receivedAt: receivedAt,
            window: TimeWindow(receivedAt: receivedAt, limits: limits))
        if source.format == .nmea || (source.format == nil && Self.looksLikeNMEA(text)) {
            guard waygate_is_utf8(text.baseAddress, text.count) else {
                return .rejected(.invalidUTF8, items: [])
            }
            return NMEAFormat.outcome(of: text, reader)
        }
        return decodeJSON(text, reader)
    }

    private func decodeJSON(
        _ text: UnsafeRawBufferPointer, _ reader: ElementReader
    ) -> DecodeOutcome {
        let root: JSONValue
        do throws(JSONError) {
            root = try parser.parse(text)
        } catch {
            let reason =
                error.reason == .invalidUTF8
                ? RejectionReason.invalidUTF8 : RejectionReason.invalidJSON
            return .rejected(reason, items: [])
        }
        if let elements = root.array { return decodeBatch(elements, reader) }
        do throws(NoPosition) {
            return .accepted(reports: [try reader.report(of: root)], rejected: [])
        } catch {
            switch error {
            case .rejected(let reason): return .rejected(reason, items: [])
            case .ignored(let reason): return .ignored(reason)
            }
        }
    }

    private func decodeBatch(_ elements: JSONArray, _ reader: ElementReader) -> DecodeOutcome {
        var batch = BatchCollector()
        batch.reports.reserveCapacity(min(elements.count, Self.usualBatch))
        for (index, element) in elements.enumerated() {
            do throws(NoPosition) {
                batch.reports.append(try reader.report(of: element))
            } catch {
                batch.note(error, at: index)
            }
        }
        return batch.outcome
    }

    /// Strips one byte order mark, blanks, and the NULs with which C firmware ends its text.
    private static func unframed(_ payload: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let mark: StaticString = "\u{FEFF}"
        guard payload.hasPrefix(mark) else { return payload.trimmed }
        return payload.from(mark.utf8CodeUnitCount).trimmed
    }

    /// Tells whether a sentence begins somewhere, for the first line may have lost its beginning.
    private static func looksLikeNMEA(_ text: UnsafeRawBufferPointer) -> Bool {
        switch text[0] {
        case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "\\"): return true
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return false
        default: break
        }
        var before: UInt8 = 0
        for byte in text {
            let startsLine = before == UInt8(ascii: "\n") || before == UInt8(ascii: "\r")
            let startsSentence = byte == UInt8(ascii: "$") || byte == UInt8(ascii: "\\")
            if startsLine, startsSentence { return true }
            before = byte
        }
        return false
    }
}

/// What the elements of a batch came to.
struct BatchCollector {
    /// The positions, in the order of the batch.
    var reports: [PositionReport] = []
    private(set) var rejected: [RejectedItem] = []
    private var ignored: IgnoreReason?

    /// Notes that an element gave no position; `index` never falls, and an element is rejected once.
    mutating func note(_ reason: NoPosition, at index: Int) {
        switch reason {
        case .rejected(let reason):
            if rejected.last?.index == index { break }
            rejected.append(RejectedItem(index: index, reason: reason))
        // A receiver without a fix says more about a message than what else is in it.
        case .ignored(let reason):
            if ignored == nil || reason == .noFix { ignored = reason }
        }
    }

    /// What the batch came to as a whole.
    var outcome: DecodeOutcome {
        if !reports.isEmpty { return .accepted(reports: reports, rejected: rejected) }
        if let first = rejected.first { return .rejected(first.reason, items: rejected) }
        return .ignored(ignored ?? .emptyBatch)
    }
}
