package import Tracking

/// One position out of a payload, with what is stored of it besides the fix.
package struct PositionReport: Equatable, Sendable {
    /// Whose position it is.
    package var vehicleID: String
    /// The position; its accuracy is negative where the device says that the position is invalid: such
    /// a fix is stored without an accuracy, and not tracked.
    package var fix: Fix
    /// Height above sea level, in metres.
    package var altitude: Double?
    /// What the position was measured with, such as `gps`.
    package var provider: String?
    /// The sender's own data: a JSON object as text, without U+0000.
    package var attributes: String?

    /// Creates a report.
    package init(
        vehicleID: String, fix: Fix, altitude: Double? = nil, provider: String? = nil,
        attributes: String? = nil
    ) {
        self.vehicleID = vehicleID
        self.fix = fix
        self.altitude = altitude
        self.provider = provider
        self.attributes = attributes
    }

    /// The accuracy to store, in metres; `nil` when unknown.
    package var accuracy: Double? {
        fix.accuracy.flatMap { $0 > 0 ? $0 : nil }
    }
}

/// What a payload came to.
package enum DecodeOutcome: Equatable, Sendable {
    /// There is at least one position. `rejected` are the elements of a batch that are none.
    case accepted(reports: [PositionReport], rejected: [RejectedItem])
    /// There is none, and something is wrong; `items` is empty unless the payload is a batch, and else
    /// holds every element that is wrong.
    case rejected(RejectionReason, items: [RejectedItem])
    /// Nothing is wrong, and there is nothing to store.
    case ignored(IgnoreReason)
}

/// An element of a batch that is rejected.
package struct RejectedItem: Equatable, Sendable {
    /// Its place in the array, or among the lines that are not empty, from 0.
    package var index: Int
    /// What is wrong with it.
    package var reason: RejectionReason

    /// Creates an item.
    package init(index: Int, reason: RejectionReason) {
        self.index = index
        self.reason = reason
    }
}

/// Why a message or an element of a batch is rejected.
package enum RejectionReason: String, Error, CaseIterable, Sendable {
    case payloadTooLarge = "payload_too_large"
    case invalidUTF8 = "invalid_utf8"
    case invalidJSON = "invalid_json"
    case unsupportedFormat = "unsupported_format"
    case missingCoordinates = "missing_coordinates"
    case coordinatesNotNumeric = "coordinates_not_numeric"
    case coordinatesOutOfRange = "coordinates_out_of_range"
    case zeroCoordinates = "zero_coordinates"
    case missingTime = "missing_time"
    case invalidTime = "invalid_time"
    case timeInFuture = "time_in_future"
    case timeTooOld = "time_too_old"
    case nmeaChecksumMismatch = "nmea_checksum_mismatch"
    case nmeaChecksumMissing = "nmea_checksum_missing"
    case nmeaMalformed = "nmea_malformed"
    case encryptedPayload = "encrypted_payload"
    case invalidVehicleID = "invalid_vehicle_id"
    /// The database would not take it.
    case storeRefused = "store_refused"
}

/// Why there is nothing to store of a message.
package enum IgnoreReason: String, CaseIterable, Sendable {
    case emptyPayload = "empty_payload"
    case emptyBatch = "empty_batch"
    /// The device says that it does not know where it is.
    case noFix = "no_fix"
    /// A message of another kind.
    case notALocation = "not_a_location"
}

/// What positions may be taken.
package struct DecodeLimits: Equatable, Sendable {
    /// The longest payload, in bytes.
    package var maxPayloadBytes: Int
    /// How much older than its reception a position may be, in days.
    package var maxAgeDays: Int
    /// How far a position's time may be ahead of its reception, in seconds.
    package var maxFuture: Double

    /// Creates limits.
    ///
    /// - Parameter maxAgeDays: Counts no further than 366 days.
    package init(
        maxPayloadBytes: Int = 262_144, maxAgeDays: Int = 366, maxFuture: Double = 300
    ) {
        self.maxPayloadBytes = maxPayloadBytes
        self.maxAgeDays = min(maxAgeDays, 366)
        self.maxFuture = maxFuture
    }
}
