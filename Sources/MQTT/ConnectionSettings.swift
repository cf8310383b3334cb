import CMosquitto
import Glibc

extension Connection {
    /// Passes everything on that the library must know before it connects.
    func configure(
        _ settings: MQTTSettings, isPersistent: Bool, will: Will?, mark: String
    ) throws(MQTTError) {
        mosquitto_threaded_set(handle, true)
        try check(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version), "version")
        try check(mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1), "TCP_NODELAY")
        let maximum = Int32(min(max(settings.receiveMaximum, 1), 65535))
        try check(
            mosquitto_int_option(handle, MOSQ_OPT_RECEIVE_MAXIMUM, maximum), "receive maximum")
        try check(mosquitto_int_option(handle, MOSQ_OPT_SEND_MAXIMUM, 65535), "send maximum")
        if settings.username != nil || settings.password != nil {
            let result = mosquitto_username_pw_set(
                handle, settings.username ?? "", settings.password)
            try check(result, "user name or password")
        }
        if let tls = settings.tls { try configure(tls) }
        if let will { try set(will, mark: mark) }
        if version == 5, isPersistent { try setSessionExpiry(settings.sessionExpiry) }
    }

    /// Throws what a failed call's return code means.
    func check(
        _ result: Int32, _ subject: String, otherwise reason: MQTTError.Reason = .invalid
    ) throws(MQTTError) {
        guard result != MOSQ_ERR_SUCCESS.rawValue else { return }
        var error = MQTTError.library(result, errno: errno, logged: logged, otherwise: reason)
        if result == MOSQ_ERR_INVAL.rawValue { error = MQTTError(.invalid, error.message) }
        // Before a byte was exchanged, only our own files can be at fault.
        if error.reason == .tls { error.isTransient = false }
        if !subject.isEmpty { error.message = "\(subject): \(error.message)" }
        throw error
    }

    private func configure(_ tls: MQTTSettings.TLS) throws(MQTTError) {
        for file in [tls.caFile, tls.certFile, tls.keyFile] {
            guard let file, access(file, R_OK) != 0 else { continue }
            throw MQTTError(.invalid, "\(file): \(String(cString: strerror(errno)))")
        }
        guard (tls.certFile == nil) == (tls.keyFile == nil) else {
            throw MQTTError(.invalid, "a client certificate and its key only work together")
        }
        let folder = tls.caFile == nil ? "/etc/ssl/certs" : nil
        let result = mosquitto_tls_set(
            handle, tls.caFile, folder, tls.certFile, tls.keyFile, nil)
        try check(result, "TLS")
    }

    private func set(_ will: Will, mark: String) throws(MQTTError) {
        var properties: OpaquePointer?
        if version == 5 {
            let result = mosquitto_property_add_string_pair(
                &properties, Int32(MQTT_PROP_USER_PROPERTY.rawValue), Self.markName, mark)
            try check(result, "last will")
        }
        let result = will.payload.withUnsafeBytes { bytes in
            mosquitto_will_set_v5(
                handle, will.topic, Int32(bytes.count), bytes.baseAddress, Int32(will.qos),
                will.isRetained, properties)
        }
        // The library owns the properties from here on, unless it failed.
        if result != MOSQ_ERR_SUCCESS.rawValue { mosquitto_property_free_all(&properties) }
        try check(result, "last will")
    }

    /// The name of the user property that tells one connection's will from another's.
    static let markName = "waygate-connection"

    private func setSessionExpiry(_ seconds: Int) throws(MQTTError) {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        let expiry = UInt32(clamping: seconds)
        let result = mosquitto_property_add_int32(
            &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), expiry)
        try check(result, "session expiry")
        // Connecting without blocking takes no properties. This call stores them for it, and then
        // ends at the missing host.
        mosquitto_connect_bind_v5(handle, nil, 0, 0, nil, properties)
    }
}
