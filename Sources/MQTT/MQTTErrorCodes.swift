import CMosquitto
import Glibc

extension MQTTError {
    /// Creates an error from what a broker answered to a connection attempt.
    ///
    /// - Parameter version: 5, or 4 for MQTT 3.1.1, whose codes are others.
    static func refusal(code: Int32, version: Int32) -> MQTTError {
        guard version == 5 else {
            let words = String(cString: mosquitto_connack_string(code))
            switch code {
            case 1: return MQTTError(.protocolVersion, words)
            case 3: return MQTTError(.unreachable, words)
            default: return MQTTError(.refused, words)
            }
        }
        let words = String(cString: mosquitto_reason_string(code))
        switch mqtt5_return_codes(rawValue: UInt32(bitPattern: code)) {
        case MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION:
            return MQTTError(.protocolVersion, words)
        case MQTT_RC_RETAIN_NOT_SUPPORTED:
            return keepsNothing
        case MQTT_RC_SERVER_UNAVAILABLE, MQTT_RC_SERVER_BUSY,
            MQTT_RC_QUOTA_EXCEEDED, MQTT_RC_CONNECTION_RATE_EXCEEDED,
            MQTT_RC_UNSPECIFIED, MQTT_RC_IMPLEMENTATION_SPECIFIC:
            return MQTTError(.unreachable, words)
        default:
            return MQTTError(.refused, words)
        }
    }

    /// Creates an error from the reason that an MQTT 5 broker gave for ending the connection.
    static func farewell(code: Int32) -> MQTTError {
        let reason = String(cString: mosquitto_reason_string(code))
        let words = "the broker ended the connection: \(reason)"
        switch mqtt5_return_codes(rawValue: UInt32(bitPattern: code)) {
        case MQTT_RC_SESSION_TAKEN_OVER: return MQTTError(.takenOver, words)
        case MQTT_RC_NOT_AUTHORIZED, MQTT_RC_BANNED:
            return MQTTError(.refused, words)
        default: return MQTTError(.lost, words)
        }
    }

    /// Creates an error from the reason that a broker gave against one message or subscription.
    static func notAccepted(code: Int32) -> MQTTError {
        let words = String(cString: mosquitto_reason_string(code))
        let isTooLarge = UInt32(bitPattern: code) == MQTT_RC_PACKET_TOO_LARGE.rawValue
        return MQTTError(isTooLarge ? .tooLarge : .notAccepted, words)
    }

    /// What a broker is that keeps no messages for later subscribers.
    static let keepsNothing = MQTTError(
        .refused,
        "it keeps no retained messages, which status, progress and routes are; turn them on "
            + "(mosquitto: retain_available true)")

    /// Creates an error from a return code of the library.
    ///
    /// - Parameters:
    ///   - errno: The system's error number right after the call.
    ///   - logged: The last error that the library logged; says more about TLS than its code.
    static func library(
        _ code: Int32, errno: Int32, logged: String?, otherwise reason: Reason
    ) -> MQTTError {
        switch code {
        case MOSQ_ERR_EAI.rawValue:
            return MQTTError(.unreachable, String(cString: gai_strerror(errno)))
        case MOSQ_ERR_TLS.rawValue:
            return MQTTError(.tls, logged ?? String(cString: mosquitto_strerror(code)))
        case MOSQ_ERR_ERRNO.rawValue where errno == EPROTO && logged != nil:
            return MQTTError(.tls, logged ?? "")
        case MOSQ_ERR_ERRNO.rawValue where errno != 0:
            return MQTTError(reason, String(cString: strerror(errno)))
        default:
            return MQTTError(reason, String(cString: mosquitto_strerror(code)))
        }
    }
}
