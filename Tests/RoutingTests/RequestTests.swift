import Geometry
import Testing
import Tracking

@testable import Routing

private struct Story: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var url: String
    var profile = TripOptions.Profile.driving
    var course: Double?
    var expected: String
}

private let parameters =
    "?overview=full&geometries=polyline6&annotations=duration&steps=false&generate_hints=false"
private let points = "9.520900,47.141000;9.522000,47.150000;9.523000,47.160000"

@Suite struct RequestTests {
    private static let osrm = [
        Story(
            testDescription: "the service's path is appended", url: "http://h:5000/",
            expected: "http://h:5000/route/v1/driving/\(points)\(parameters)"),
        Story(
            testDescription: "OSRM has no profile for lorries", url: "http://h", profile: .truck,
            expected: "http://h/route/v1/driving/\(points)\(parameters)"),
        Story(
            testDescription: "bicycles", url: "http://h", profile: .biking,
            expected: "http://h/route/v1/bike/\(points)\(parameters)"),
        Story(
            testDescription: "pedestrians", url: "http://h/behind/", profile: .walking,
            expected: "http://h/behind/route/v1/foot/\(points)\(parameters)"),
        Story(
            testDescription: "a URL may name the service", url: "http://h/route/v1",
            expected: "http://h/route/v1/driving/\(points)\(parameters)"),
        Story(
            testDescription: "a URL may name the profile", url: "https://h/x/route/v1/lorry",
            profile: .truck, expected: "https://h/x/route/v1/lorry/\(points)\(parameters)"),
        Story(
            testDescription: "a URL may have a place for the profile",
            url: "http://h/{profile}/route/v1/driving", profile: .truck,
            expected: "http://h/truck/route/v1/driving/\(points)\(parameters)"),
        Story(
            testDescription: "the URL's own parameters win",
            url: "http://u:p@h/?geometries=geojson&exclude=toll",
            expected: "http://h/route/v1/driving/\(points)?geometries=geojson&exclude=toll"
                + "&overview=full&annotations=duration&steps=false&generate_hints=false"),
        Story(
            testDescription: "the course goes with the first point", url: "http://h", course: 359.6,
            expected: "http://h/route/v1/driving/\(points)\(parameters)"
                + "&bearings=0,45;;&radiuses=100;unlimited;unlimited"),
    ]

    @Test(arguments: osrm)
    private func asksOSRM(_ story: Story) throws {
        let endpoint = try Endpoint(url: story.url)
        let query = RouteQuery(
            points: [start, via, end], course: story.course, profile: story.profile)
        let request = OSRM.request(for: query, at: endpoint)
        #expect(request.url == story.expected)
        #expect(request.body == nil)
    }

    private static let valhalla = [
        Story(testDescription: "cars", url: "http://h:8002", expected: "auto"),
        Story(
            testDescription: "lorries", url: "http://h:8002/", profile: .truck, expected: "truck"),
        Story(
            testDescription: "bicycles", url: "http://h:8002/route", profile: .biking,
            expected: "bicycle"),
        Story(
            testDescription: "pedestrians", url: "http://h:8002", profile: .walking,
            expected: "pedestrian"),
        Story(
            testDescription: "the course goes with the first point", url: "http://h:8002",
            course: 90.4, expected: "auto"),
    ]

    @Test(arguments: valhalla)
    private func asksValhalla(_ story: Story) throws {
        let endpoint = try Endpoint(url: story.url)
        let query = RouteQuery(
            points: [start, end], course: story.course, profile: story.profile)
        let request = Valhalla.request(for: query, at: endpoint)
        let heading = story.course == nil ? "" : #","heading":90,"heading_tolerance":45"#
        #expect(request.url == "http://h:8002/route")
        #expect(
            String(decoding: request.body ?? [], as: UTF8.self)
                == #"{"locations":[{"lat":47.141000,"lon":9.520900\#(heading)},"#
                + #"{"lat":47.160000,"lon":9.523000}],"costing":"\#(story.expected)","#
                + #""directions_type":"none","format":"osrm","shape_format":"polyline6","#
                + #""filters":{"action":"include","#
                + #""attributes":["shape_attributes.time","shape_attributes.speed_limit"]}}"#)
    }

    @Test func tellsValhallaWhatToLeaveOutAndHowLargeTheVehicleIs() throws {
        var vehicle = VehicleSize()
        vehicle.height = 4.1
        vehicle.weight = 18_500
        vehicle.axleCount = 3
        vehicle.topSpeed = 25
        vehicle.isHazardous = true
        var query = RouteQuery(points: [start, end], profile: .truck, vehicle: vehicle)
        query.exclusions.rings = [[start, via, end, start]]
        query.exclusions.places = [
            .init(coordinate: via, course: 90), .init(coordinate: end, course: nil),
        ]
        func body(_ query: RouteQuery) throws -> String {
            let request = Valhalla.request(for: query, at: try Endpoint(url: "http://h"))
            return String(decoding: request.body ?? [], as: UTF8.self)
        }
        #expect(
            try body(query).hasSuffix(
                #","costing_options":{"truck":{"height":4.100,"weight":18.500,"top_speed":90.000,"#
                    + #""axle_count":3.000,"hazmat":true}},"exclude_polygons":[[[9.520900,47.141000],"#
                    + #"[9.522000,47.150000],[9.523000,47.160000],[9.520900,47.141000]]],"#
                    + #""exclude_locations":[{"lat":47.150000,"lon":9.522000,"heading":90,"#
                    + #""heading_tolerance":45},{"lat":47.160000,"lon":9.523000}]}"#))
        query.profile = .driving
        #expect(
            try body(query).contains(
                #""costing_options":{"auto":{"height":4.100,"weight":18.500,"top_speed":90.000}}"#))
        query.profile = .walking
        #expect(try !body(query).contains("costing_options"))
    }

    @Test func asksOSRMForAlternativesWhereThereIsSomethingToAvoid() throws {
        let endpoint = try Endpoint(url: "http://h")
        var query = RouteQuery(points: [start, end], profile: .driving)
        query.wantsAlternatives = true
        #expect(OSRM.request(for: query, at: endpoint).url.contains("&alternatives=3"))
        query.points = [start, via, end]
        #expect(!OSRM.request(for: query, at: endpoint).url.contains("alternatives"))
    }

    @Test(arguments: [
        (0, "0.000000"), (-0.0000004, "0.000000"), (-0.000001, "-0.000001"), (180, "180.000000"),
        (-179.9999996, "-180.000000"), (47.1234567, "47.123457"), (.nan, "1000.000000"),
        (-.infinity, "-1000.000000"),
    ])
    func writesDegrees(_ degrees: Double, _ text: String) {
        #expect(degrees.degreesText == text)
    }

    @Test(arguments: [(0, "0"), (359.4, "359"), (359.6, "0"), (360, "0"), (-90, "270")])
    func writesCourses(_ course: Double, _ text: String) {
        #expect(course.courseText == text)
    }

    @Test(arguments: [
        nil, "", "router:5000", "ftp://h/", "http://", "http://h:99999/", "file:///etc/passwd",
    ])
    func refusesURLs(_ url: String?) {
        let error = #expect(throws: PlannerError.self) { try Endpoint(url: url) }
        #expect(error?.reason == .misconfigured)
        #expect(error?.message.contains("planner.url") == true)
    }

    @Test(arguments: [PlannerSettings.Kind.outside, .none])
    func hasNoClientForOthers(_ kind: PlannerSettings.Kind) {
        let error = #expect(throws: PlannerError.self) {
            try PlannerClient(settings: PlannerSettings(kind: kind, url: "http://h"))
        }
        #expect(error?.reason == .misconfigured)
    }

    @Test func takesAURLApart() throws {
        let endpoint = try Endpoint(url: "https://a%40b:p%3Aw@[::1]:5/x/y//?k=v")
        #expect(endpoint.origin == "https://[::1]:5")
        #expect(endpoint.path == "/x/y")
        #expect(endpoint.query == "k=v")
        #expect(endpoint.user == "a@b")
        #expect(endpoint.password == "p:w")
        #expect(endpoint.isLocal)
    }
}
