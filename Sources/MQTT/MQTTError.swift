/// Why something about a broker went wrong, in the library's own words.
package struct MQTTError: Error, Equatable, Sendable {
    /// What to decide on.
    package enum Reason: Equatable, Sendable {
        /// Nobody answers at the address, or not in time, or the broker says that it is busy.
        case unreachable
        /// The broker knows us and says no: credentials, rights, client id.
        case refused
        /// The broker does not speak this version of MQTT.
        case protocolVersion
        /// The encrypted connection could not be made.
        case tls
        /// A connection that stood is gone.
        case lost
        /// Another client has connected with our client id; coming back would throw it out in turn.
        case takenOver
        /// A setting, topic or filter that no broker would take.
        case invalid
        /// The broker does not take this one message or subscription now.
        case notAccepted
        /// The message is larger than the broker takes.
        case tooLarge
    }

    package var reason: Reason
    /// The library's or the broker's own words; never holds a secret.
    package var message: String
    /// Tells whether waiting and trying again may help.
    package var isTransient: Bool

    package init(reason: Reason, message: String, isTransient: Bool) {
        self.reason = reason
        self.message = message
        self.isTransient = isTransient
    }

    /// Creates an error that is as transient as errors of its reason usually are.
    init(_ reason: Reason, _ message: String) {
        self.init(reason: reason, message: message, isTransient: reason.isUsuallyTransient)
    }
}

extension MQTTError.Reason {
    /// Tells whether errors for this reason heal by themselves, unless said otherwise.
    var isUsuallyTransient: Bool {
        switch self {
        case .unreachable, .lost, .tls: true
        case .refused, .protocolVersion, .takenOver, .invalid, .notAccepted, .tooLarge: false
        }
    }
}
