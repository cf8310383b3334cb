import CMosquitto
import Glibc

/// A message copied because it came before anybody could know that the connection stands.
struct EarlyMessage {
    var topic: [UInt8]
    var payload: [UInt8]
    var qos: Int
    var isRetained: Bool
    var packetID: UInt16
}

extension Connection {
    /// Has the library tell this object what happens.
    func setCallbacks() {
        mosquitto_connect_v5_callback_set(handle) { _, object, code, flags, properties in
            Connection.from(object)?.wasAnswered(code: code, flags: flags, properties)
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, object, code, _ in
            // Below 128 it is a return code of the library, which the failing call returns too.
            guard let connection = Connection.from(object), code >= 128 else { return }
            connection.verdict = connection.verdict ?? .farewell(code: code)
        }
        mosquitto_message_v5_callback_set(handle) { _, object, message, properties in
            guard let message else { return }
            Connection.from(object)?.received(message.pointee, properties)
        }
        mosquitto_subscribe_v5_callback_set(handle) { _, object, id, count, granted, _ in
            let codes = UnsafeBufferPointer(start: granted, count: Int(count))
            Connection.from(object)?.answered(.subscribed(id: id, granted: Array(codes)))
        }
        mosquitto_unsubscribe_v5_callback_set(handle) { _, object, id, _ in
            Connection.from(object)?.answered(.unsubscribed(id: id))
        }
        mosquitto_publish_v5_callback_set(handle) { _, object, id, reason, _ in
            Connection.from(object)?.answered(.published(id: id, reason: reason))
        }
        mosquitto_log_callback_set(handle) { _, object, level, text in
            guard level == MOSQ_LOG_ERR, let text else { return }
            Connection.from(object)?.logged = String(cString: text)
        }
    }

    /// Hands on what came together with the answer to CONNECT.
    func deliverEarly() {
        let copies = early
        early = []
        for message in copies {
            message.topic.withUnsafeBytes { topic in
                message.payload.withUnsafeBytes { payload in
                    handOn(
                        ReceivedMessage(
                            topic: topic, payload: payload, qos: message.qos,
                            isRetained: message.isRetained, packetID: message.packetID))
                }
            }
        }
    }

    private static func from(_ object: UnsafeMutableRawPointer?) -> Connection? {
        object.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func answered(_ answer: Answer) {
        callbacks += 1
        answers.append(answer)
    }

    private func wasAnswered(code: Int32, flags: Int32, _ properties: OpaquePointer?) {
        callbacks += 1
        guard code == 0 else {
            verdict = .refusal(code: code, version: version)
            return
        }
        // The library would write a line about every packet, if only for us to drop it.
        mosquitto_log_callback_set(handle, nil)
        // The defaults that MQTT 5 gives; 3.1.1 knows no limit.
        var maximum: UInt16 = 65535
        var seconds = UInt16(clamping: keepalive)
        var largest: UInt32 = 0
        var keeps: UInt8 = 1
        mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &maximum, false)
        mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_SERVER_KEEP_ALIVE.rawValue), &seconds, false)
        mosquitto_property_read_int32(
            properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), &largest, false)
        mosquitto_property_read_byte(
            properties, Int32(MQTT_PROP_RETAIN_AVAILABLE.rawValue), &keeps, false)
        phase = .standing(
            Acceptance(
                isSessionPresent: flags & 1 != 0, version: version == 5 ? .v5 : .v311,
                receiveMaximum: Int(maximum), keepalive: Int(seconds),
                maximumPacketSize: largest == 0 ? nil : Int(largest), keepsMessages: keeps != 0))
    }

    /// The value of our own user property, if it is the first one.
    private func mark(in properties: OpaquePointer?) -> String? {
        guard properties != nil else { return nil }
        var name: UnsafeMutablePointer<CChar>?
        var value: UnsafeMutablePointer<CChar>?
        defer {
            free(name)
            free(value)
        }
        mosquitto_property_read_string_pair(
            properties, Int32(MQTT_PROP_USER_PROPERTY.rawValue), &name, &value, false)
        guard let name, let value, String(cString: name) == Self.markName else { return nil }
        return String(cString: value)
    }

    private func handOn(_ message: ReceivedMessage) {
        messages += 1
        onMessage?(message)
    }

    private func received(_ message: mosquitto_message, _ properties: OpaquePointer?) {
        callbacks += 1
        willMark = message.retain ? mark(in: properties) : nil
        guard let name = message.topic else { return }
        let topic = UnsafeRawBufferPointer(start: name, count: strlen(name))
        let payload = UnsafeRawBufferPointer(
            start: message.payload, count: Int(message.payloadlen))
        let packetID = UInt16(truncatingIfNeeded: message.mid)
        if readsGreeting {
            early.append(
                EarlyMessage(
                    topic: Array(topic), payload: Array(payload), qos: Int(message.qos),
                    isRetained: message.retain, packetID: packetID))
            return
        }
        handOn(
            ReceivedMessage(
                topic: topic, payload: payload, qos: Int(message.qos), isRetained: message.retain,
                packetID: packetID))
    }
}
