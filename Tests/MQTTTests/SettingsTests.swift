import MQTT
import Testing

private struct Row: CustomTestStringConvertible {
    var url: String
    var settings: MQTTSettings?
    var complaint = ""
    var testDescription: String { url }
}

private func settings(
    _ host: String, _ port: Int, _ user: String? = nil, _ password: String? = nil,
    tls: Bool = false
) -> MQTTSettings {
    MQTTSettings(
        host: host, port: port, username: user, password: password, tls: tls ? .init() : nil)
}

struct SettingsTests {
    @Test(
        "a URL says where the broker is and who we are",
        arguments: [
            Row(url: "mqtt://127.0.0.1:1883", settings: settings("127.0.0.1", 1883)),
            Row(url: "mqtt://broker", settings: settings("broker", 1883)),
            Row(url: "MQTTS://broker/", settings: settings("broker", 8883, tls: true)),
            Row(url: "mqtts://broker:1884", settings: settings("broker", 1884, tls: true)),
            Row(url: "mqtt://me@broker", settings: settings("broker", 1883, "me")),
            Row(url: "mqtt://me:@broker", settings: settings("broker", 1883, "me", "")),
            Row(url: "mqtt://me:s%3Ae%40c@b:1", settings: settings("b", 1, "me", "s:e@c")),
            Row(url: "mqtt://me:a:b@b", settings: settings("b", 1883, "me", "a:b")),
            Row(url: "mqtt://m%C3%BC@b", settings: settings("b", 1883, "mü")),
            Row(url: "mqtt://[::1]:1885", settings: settings("::1", 1885)),
            Row(url: "mqtt://[fe80::1]", settings: settings("fe80::1", 1883)),
            Row(url: "broker:1883", complaint: "mqtt://host:port"),
            Row(url: "", complaint: "mqtt://host:port"),
            Row(url: "http://broker", complaint: "not 'http'"),
            Row(url: "mqtt://", complaint: "host is missing"),
            Row(url: "mqtt://:1883", complaint: "host is missing"),
            Row(url: "mqtt://user:secret@", complaint: "host is missing"),
            Row(url: "mqtt://broker:0", complaint: "port"),
            Row(url: "mqtt://broker:65536", complaint: "port"),
            Row(url: "mqtt://broker:", complaint: "port"),
            Row(url: "mqtt://broker:+5", complaint: "port"),
            Row(url: "mqtt://broker:18a", complaint: "port"),
            Row(url: "mqtt://a:b%4@broker", complaint: "password"),
            Row(url: "mqtt://a%zz:b@broker", complaint: "user name"),
            Row(url: "mqtt://a%00:b@broker", complaint: "user name"),
            Row(url: "mqtt://a:%ff@broker", complaint: "password"),
            Row(url: "mqtt://broker/path", complaint: "nothing may follow"),
            Row(url: "mqtt://broker?x=1", complaint: "nothing may follow"),
            Row(url: "mqtt://[::1", complaint: "]"),
            Row(url: "mqtt://[::1]x", complaint: "port"),
        ])
    private func parses(_ row: Row) {
        do {
            let parsed = try MQTTSettings.parse(url: row.url)
            #expect(parsed == row.settings)
        } catch {
            #expect(row.settings == nil)
            #expect(error.message.contains(row.complaint), "\(error.message)")
            #expect(error.reason == .invalid && !error.isTransient)
            #expect(!error.message.contains("secret"))
        }
    }
}
