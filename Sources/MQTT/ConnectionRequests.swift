import CMosquitto
import Glibc

extension Connection {
    /// Asks for a subscription to all filters with QoS 1; returns the requests to be answered.
    ///
    /// An MQTT 5 broker is asked to send retained messages only for subscriptions that are new to it.
    func subscribe(to filters: [String]) -> Set<Int32> {
        let options = version == 5 ? Int32(MQTT_SUB_OPT_SEND_RETAIN_NEW.rawValue) : 0
        return request(filters) { id, count, names in
            mosquitto_subscribe_multiple(handle, &id, count, names, 1, options, nil)
        }
    }

    /// Asks to end the subscriptions to all filters; returns the requests to be answered.
    func unsubscribe(from filters: [String]) -> Set<Int32> {
        request(filters) { id, count, names in
            mosquitto_unsubscribe_multiple(handle, &id, count, names, nil)
        }
    }

    /// Queues a message; returns its number until the broker, or for QoS 0 the socket, has it.
    ///
    /// Fails when no broker, or not this one, would take the message.
    func publish(
        topic: String, payload: UnsafeRawBufferPointer, qos: Int, retain: Bool
    ) -> Result<Int32, MQTTError> {
        var id: Int32 = 0
        let result = mosquitto_publish_v5(
            handle, &id, topic, Int32(clamping: payload.count), payload.baseAddress, Int32(qos),
            retain, nil)
        guard result == MOSQ_ERR_SUCCESS.rawValue else {
            let words = String(cString: mosquitto_strerror(result))
            if result == MOSQ_ERR_OVERSIZE_PACKET.rawValue {
                return .failure(MQTTError(.tooLarge, words))
            }
            if Self.hopeless.contains(result) { return .failure(MQTTError(.invalid, words)) }
            fail(result)
            return .failure(MQTTError(.lost, words))
        }
        return .success(id)
    }

    /// What the library says about messages that are at fault themselves.
    private static let hopeless = [
        MOSQ_ERR_INVAL, MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_QOS_NOT_SUPPORTED,
    ].map(\.rawValue)

    /// Returns the broker's answers since the last call.
    func takeAnswers() -> [Answer] {
        defer { answers.removeAll(keepingCapacity: true) }
        return answers
    }

    private func request(
        _ filters: [String],
        _ send: (inout Int32, Int32, UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Int32
    ) -> Set<Int32> {
        guard !filters.isEmpty else { return [] }
        let names = filters.map { strdup($0) }
        defer { names.forEach { free($0) } }
        var id: Int32 = 0
        let result = send(&id, Int32(filters.count), names)
        if result != MOSQ_ERR_SUCCESS.rawValue { fail(result) }
        return [id]
    }
}
