/// Where the broker is and how to speak with it.
package struct MQTTSettings: Equatable, Sendable {
    /// Files for an encrypted connection, in PEM format.
    package struct TLS: Equatable, Sendable {
        /// Whom to trust; the system's certificates when `nil`.
        package var caFile: String?
        /// Our own certificate, with its key in `keyFile`.
        package var certFile: String?
        package var keyFile: String?

        package init(caFile: String? = nil, certFile: String? = nil, keyFile: String? = nil) {
            self.caFile = caFile
            self.certFile = certFile
            self.keyFile = keyFile
        }
    }

    /// Which MQTT to speak.
    package enum ProtocolVersion: Equatable, Sendable {
        /// 5 first, and 3.1.1 with brokers that do not know it.
        case auto
        case v5
        case v311
    }

    package var host: String
    package var port: Int
    package var username: String?
    package var password: String?
    /// `nil` for a connection in the clear.
    package var tls: TLS?
    package var version: ProtocolVersion
    /// Seconds of silence after which to ask whether the broker is still there, 5 to 65535.
    package var keepalive: Int
    /// How many QoS 1 messages an MQTT 5 broker may send ahead of their acknowledgement.
    package var receiveMaximum: Int
    /// Seconds for which an MQTT 5 broker keeps the subscriber's session while we are away.
    package var sessionExpiry: Int

    package init(
        host: String, port: Int, username: String? = nil, password: String? = nil,
        tls: TLS? = nil, version: ProtocolVersion = .auto, keepalive: Int = 60,
        receiveMaximum: Int = 65535, sessionExpiry: Int = 604_800
    ) {
        self.host = host
        self.port = port
        self.username = username
        self.password = password
        self.tls = tls
        self.version = version
        self.keepalive = keepalive
        self.receiveMaximum = receiveMaximum
        self.sessionExpiry = sessionExpiry
    }

    /// Returns the settings that a URL such as `mqtts://user:pass@host:8883` names.
    ///
    /// User and password are percent-decoded. The port is 1883, or 8883 for `mqtts`, by default.
    /// - Throws: `MQTTError.Reason.invalid`, saying which part is wrong, and never the password.
    package static func parse(url: String) throws(MQTTError) -> MQTTSettings {
        guard let schemeEnd = url.firstRange(of: "://") else {
            throw MQTTError(.invalid, "not a URL of the form mqtt://host:port")
        }
        let scheme = url[..<schemeEnd.lowerBound].lowercased()
        guard scheme == "mqtt" || scheme == "mqtts" else {
            throw MQTTError(.invalid, "scheme must be mqtt or mqtts, not '\(scheme)'")
        }
        let rest = url[schemeEnd.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard rest.dropFirst(authority.count).allSatisfy({ $0 == "/" }) else {
            throw MQTTError(.invalid, "nothing may follow the host and port")
        }
        var settings = MQTTSettings(host: "", port: scheme == "mqtts" ? 8883 : 1883)
        settings.tls = scheme == "mqtts" ? TLS() : nil
        var address = authority
        if let at = authority.lastIndex(of: "@") {
            address = authority[authority.index(after: at)...]
            try settings.setCredentials(authority[..<at])
        }
        try settings.setAddress(address)
        return settings
    }

    private mutating func setCredentials(_ text: Substring) throws(MQTTError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = percentDecoded(parts[0]) else {
            throw MQTTError(.invalid, "the user name holds a malformed percent escape")
        }
        username = user
        guard parts.count == 2 else { return }
        guard let secret = percentDecoded(parts[1]) else {
            throw MQTTError(.invalid, "the password holds a malformed percent escape")
        }
        password = secret
    }

    private mutating func setAddress(_ text: Substring) throws(MQTTError) {
        var name = text
        var portText: Substring?
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else {
                throw MQTTError(.invalid, "an IPv6 address needs a closing ]")
            }
            name = text[text.index(after: text.startIndex)..<end]
            let after = text[text.index(after: end)...]
            guard after.isEmpty || after.first == ":" else {
                throw MQTTError(.invalid, "only a port may follow the IPv6 address")
            }
            portText = after.isEmpty ? nil : after.dropFirst()
        } else if let colon = text.firstIndex(of: ":") {
            name = text[..<colon]
            portText = text[text.index(after: colon)...]
        }
        guard !name.isEmpty, !name.contains(where: \.isWhitespace), !name.contains("\0") else {
            throw MQTTError(.invalid, "the host is missing")
        }
        host = String(name)
        guard let portText else { return }
        let digits = portText.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard digits, let number = Int(portText), (1...65535).contains(number) else {
            throw MQTTError(.invalid, "the port must be a number from 1 to 65535")
        }
        port = number
    }
}

/// Returns the text with `%41` as `A`; `nil` for a bad escape, or one that is not UTF-8 or NUL.
private func percentDecoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        let digits = rest.prefix(2)
        rest = rest.dropFirst(2)
        guard digits.count == 2, let high = hexValue(digits.first), let low = hexValue(digits.last),
            high | low != 0
        else { return nil }
        bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
}

private func hexValue(_ byte: UInt8?) -> UInt8? {
    guard let byte else { return nil }
    return Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
}
