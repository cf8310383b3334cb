import Telemetry
import Testing
import Tracking
import Watching

/// Decodes a `put` as the worker does.
func decodePut(_ payload: String, limits: PlaceLimits = PlaceLimits()) -> PlaceCommandMessage {
    Array(payload.utf8).withUnsafeBytes {
        PlaceCommandDecoder().decode(name: "put", payload: $0, isRetained: false, limits: limits)
    }
}

/// Returns the content of a `put` that must be accepted.
func content(_ payload: String) throws -> PlaceContent {
    guard case .put(let content) = try decodePut(payload).outcome.get() else {
        throw Refusal(.invalidCommand, "not a put")
    }
    return content
}

/// Returns the definition of a place as text.
func definition(_ place: Place) -> String {
    var json = JSONWriter()
    PlaceEncoder.encode(definition: place, into: &json)
    return json.text
}

/// Returns a content as a `put`.
func put(_ content: PlaceContent) -> String {
    var json = JSONWriter()
    PlaceEncoder.encode(put: content, into: &json)
    return json.text
}
