import Telemetry
import Testing

/// The answers are those of Python's `uuid.uuid5(uuid.NAMESPACE_URL, name)`.
@Test(arguments: [
    ("van-7", "t-1", 1, "9629f6c7-893f-52a5-8004-a28d28d8aa8b"),
    ("van-7", "t-1", 2, "70df947a-d35d-586d-85a6-8fd627c3d715"),
    ("van-8", "t-1", 1, "ad86c767-d228-5eca-8eb4-ed80ce4f5f3c"),
    ("камион 5", "Zürich / 東京:9", 40000, "888cfea1-cee4-5776-bacf-502669d8805a"),
    ("v", String(repeating: "a", count: 128), 9, "417c4db4-34e9-5bfd-a331-8c99d3e0f7be"),
])
func namesEventsAsVersion5UUIDs(vehicleID: String, tripID: String, sequence: Int, id: String) {
    #expect(EventID.event(vehicleID: vehicleID, tripID: tripID, sequence: sequence) == id)
}

@Test func namesRejectionsByTheirPlaceInTheSpool() {
    let id = EventID.rejection(spoolID: "spool-a", position: 17)
    #expect(id == "f26def9d-d5bf-5435-b6d7-7541cb86eb57")
}
