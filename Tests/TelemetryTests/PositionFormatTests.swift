import Testing

@Suite("Position formats")
struct PositionFormatTests {
    private static let traccar =
        #""fixTime":"2026-03-01T11:59:30Z","latitude":52.5,"longitude":13.4"#

    @Test(arguments: [
        DecodeSample(
            "traccar outdated", #"{"position":{"valid":true,"outdated":true,\#(traccar)}}"#,
            "ignored no_fix"),
        DecodeSample(
            "traccar keeps its attributes", #"{"position":{"attributes":{"sat":9},\#(traccar)}}"#,
            #"{"attributes":{"sat":9}}"#),
        DecodeSample(
            "a traccar event repeats a position",
            #"{"event":{"type":"deviceOnline"},"position":{\#(traccar)},"device":{}}"#,
            "ignored not_a_location"),
        DecodeSample(
            "traccar's other times do not date",
            #"{"position":{"deviceTime":1772366370,"latitude":52.5,"longitude":13.4}}"#,
            "rejected missing_time"),
        DecodeSample(
            "traccar client is not traccar",
            #"{"device_id":"1","location":{"coords":{"latitude":1}}}"#,
            "rejected unsupported_format"),
        DecodeSample(
            "flespi dates by the fix",
            #"{"timestamp":1772366390,"position.timestamp":1772366370,"position.latitude":52.5,"#
                + #""position.longitude":13.4}"#, "{}"),
        DecodeSample(
            "flespi dates by the message where the fix has no good time",
            #"{"timestamp":1772366370,"position.timestamp":"?","position.latitude":52.5,"#
                + #""position.longitude":13.4}"#, "{}"),
        DecodeSample(
            "flespi's reception does not date",
            #"{"server.timestamp":1772366370,"position.latitude":52.5,"position.longitude":13.4}"#,
            "rejected missing_time"),
        DecodeSample(
            "flespi with half a position", #"{"timestamp":1772366370,"position.latitude":52.5}"#,
            "rejected missing_coordinates"),
        DecodeSample(
            "flespi at 0, 0 without satellites",
            #"{"timestamp":1772366370,"position.latitude":0,"position.longitude":0,"#
                + #""position.satellites":0}"#, "ignored no_fix"),
        DecodeSample(
            "flespi at 0, 0",
            #"{"timestamp":1772366370,"position.latitude":0,"position.longitude":0}"#,
            "rejected zero_coordinates"),
        DecodeSample(
            "teltonika with a decimal comma",
            #"{"state":{"reported":{"ts":1772366370000,"latlng":"52,5,13,4"}}}"#,
            "rejected coordinates_not_numeric"),
        DecodeSample(
            "teltonika with blanks",
            #"{"state":{"reported":{"ts":1772366370000,"latlng":" 52.5 , 13.4 "}}}"#, "{}"),
        DecodeSample(
            "teltonika with half a place",
            #"{"state":{"reported":{"ts":1772366370000,"latlng":"52.5,"}}}"#,
            "rejected missing_coordinates"),
        DecodeSample(
            "teltonika with numbers for a place",
            #"{"state":{"reported":{"ts":1772366370000,"latlng":[52.5,13.4]}}}"#,
            "rejected coordinates_not_numeric"),
        DecodeSample(
            "teltonika with other things than a place",
            #"{"state":{"reported":{"ts":1772366370000,"66":12600,"239":1}}}"#, "ignored no_fix"),
        DecodeSample(
            "teltonika with an empty place",
            #"{"state":{"reported":{"ts":1772366370000,"latlng":""}}}"#,
            "rejected missing_coordinates"),
        DecodeSample(
            "teltonika with no place in a batch",
            #"[{"state":{"reported":{"ts":1772366370000,"sp":0}}},"#
                + #"{"state":{"reported":{"ts":1772366370000,"latlng":"52.5,13.4"}}}]"#, "{}"),
        DecodeSample(
            "teltonika asleep repeats its last place",
            #"{"state":{"reported":{"ts":1772366370000,"latlng":"52.5,13.4","sat":"0"}}}"#,
            "ignored no_fix"),
        DecodeSample("a teltonika command", #"{"CMD":"getver"}"#, "ignored not_a_location"),
        DecodeSample(
            "a feature without a geometry", #"{"type":"Feature","properties":{}}"#,
            "rejected missing_coordinates"),
        DecodeSample(
            "a point without coordinates",
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[]}}"#, "ignored no_fix"),
        DecodeSample(
            "a point with a text for coordinates",
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":"13.4,52.5"}}"#,
            "rejected coordinates_not_numeric"),
        DecodeSample(
            "a point with null",
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[null,1]}}"#,
            "rejected missing_coordinates"),
        DecodeSample(
            "a feature's properties do not place it",
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5,7,8]},"#
                + #""properties":{"lat":1,"lon":2,"altitude_m":3,"time":1772366370,"level":2}}"#,
            #"{"altitude_m":7,"level":2}"#),
        DecodeSample(
            "a feature with its altitude among the properties",
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"#
                + #""properties":{"altitude_m":3,"time":1772366370}}"#, #"{"altitude_m":3}"#),
        DecodeSample(
            "a collection", #"{"type":"FeatureCollection","features":[]}"#,
            "rejected unsupported_format"),
        DecodeSample(
            "native JSON may have a type",
            #"{"type":"Feature","time":1772366370,"lat":52.5,"lon":13.4}"#, "{}"),
        DecodeSample(
            "OwnTracks of an unknown type",
            #"{"_type":"new","lat":52.5,"lon":13.4,"tst":1772366370}"#,
            "ignored not_a_location"),
        DecodeSample(
            "a type that is no text is not OwnTracks",
            #"{"_type":1,"lat":52.5,"lon":13.4,"time":1772366370}"#, "{}"),
        DecodeSample(
            "OwnTracks unknown speed",
            #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1772366370,"vel":-1}"#, "{}"),
    ])
    func readsEachFormat(_ sample: DecodeSample) throws {
        #expect(try sample.decoded() == sample.expected)
    }

    @Test(
        "a source's format is the only one that it understands",
        arguments: [
            DecodeSample(
                "native on an OwnTracks source", #"{"time":1772366370,"lat":52.5,"lon":13.4}"#,
                "rejected unsupported_format", on: "owntracks/x"),
            DecodeSample(
                "OwnTracks on a native source", #"{"_type":"location","lat":52.5,"lon":13.4}"#,
                "rejected missing_time", on: "native/x"),
            DecodeSample(
                "OwnTracks on an OwnTracks source",
                #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1772366370}"#, "{}",
                on: "owntracks/x"),
            DecodeSample("JSON on an NMEA source", "{}", "rejected nmea_malformed", on: "nmea/x"),
            DecodeSample(
                "NMEA on a JSON source", "$GPGSV", "rejected invalid_json", on: "native/x"),
            DecodeSample(
                "an empty object on a native source", "{}", "rejected missing_coordinates",
                on: "native/x"),
            DecodeSample(
                "native on traccar", #"{"lat":1}"#, "rejected unsupported_format",
                on: "traccar/x"),
            DecodeSample(
                "native on flespi", #"{"lat":1}"#, "rejected unsupported_format",
                on: "flespi/x"),
            DecodeSample(
                "native on teltonika", #"{"lat":1}"#, "rejected unsupported_format",
                on: "teltonika/x"),
            DecodeSample(
                "native on geojson", #"{"lat":1}"#, "rejected unsupported_format",
                on: "geojson/x"),
        ])
    func fixesFormat(_ sample: DecodeSample) throws {
        #expect(try sample.decoded() == sample.expected)
    }

    @Test(
        "a payload may name its vehicle",
        arguments: [
            DecodeSample(
                "each element its own",
                #"[{"position":{\#(traccar)},"device":{"uniqueId":"a/1"}},"#
                    + #"{"position":{\#(traccar)},"device":{"uniqueId":864000000000007}},"#
                    + #"{"position":{\#(traccar)},"device":{"uniqueId":""}},"#
                    + #"{"position":{\#(traccar)},"device":{}}]"#,
                #"{"vehicle_id":"a%2F1"} {"vehicle_id":"864000000000007"} "#
                    + "!2 invalid_vehicle_id !3 invalid_vehicle_id", on: "shared/traccar"),
            DecodeSample(
                "no fix counts before who has none",
                #"{"position":{"valid":false,\#(traccar)}}"#, "ignored no_fix", on: "shared/traccar"
            ),
            DecodeSample(
                "a key with a point in it",
                #"{"device.id":42,"timestamp":1772366370,"position.latitude":52.5,"#
                    + #""position.longitude":13.4}"#, "{}", on: "shared/flespi"),
            DecodeSample(
                "NMEA names nobody",
                "$GPRMC,115930.00,A,5230.0000,N,01324.0000,E,10.0,084.4,010326,,,A*6E",
                "rejected invalid_vehicle_id", on: "shared/traccar"),
        ])
    func namesVehicles(_ sample: DecodeSample) throws {
        #expect(try sample.decoded() == sample.expected)
    }
}
