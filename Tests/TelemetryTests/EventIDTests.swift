import Telemetry
import Testing

/// The answers are those of Python's `uuid.uuid5(uuid.NAMESPACE_URL, name)`.
@Test(arguments: [
    ("t-1", 1, "4d5b4a9a-0e2a-5675-8449-9d4c68f6af16"),
    ("t-1", 2, "54aca77a-9d11-58ed-82d0-850f9c611321"),
    ("Zürich / 東京:9", 40000, "7cf3d956-49d4-5c8c-b819-6ecb7ad92988"),
    (String(repeating: "a", count: 128), 9, "2ffc72d0-1c3a-52b0-a881-2a842667c57a"),
])
func namesEventsAsVersion5UUIDs(tripID: String, sequence: Int, id: String) {
    #expect(EventID.event(tripID: tripID, sequence: sequence) == id)
}

@Test func namesRejectionsByTheirPlaceInTheSpool() {
    let id = EventID.rejection(spoolID: "spool-a", position: 17)
    #expect(id == "f26def9d-d5bf-5435-b6d7-7541cb86eb57")
}
