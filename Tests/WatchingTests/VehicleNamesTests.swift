import Testing
import Watching

@Test(arguments: [
    ("van-*", "van-", true), ("van-*", "van-12", true), ("van-*", "a-van-12", false),
    ("*", "", true), ("*", "x", true), ("truck-7", "truck-7", true), ("truck-7", "truck-70", false),
    ("*-7", "truck-7", true), ("*-7", "truck-77", false), ("a*a", "a", false), ("a*a", "aa", true),
    ("a*b*c", "a-b-b-c", true), ("a*b*c", "acb", false), ("*b*", "abc", true), ("**", "x", true),
    ("a*ab*b", "aabb", true), ("a*ab*b", "aab", false), ("ü*", "über", true),
])
func matchesNames(_ pattern: String, _ name: String, _ isMeant: Bool) {
    #expect(VehicleNames([pattern]).contains(name) == isMeant, "\(pattern) \(name)")
}

@Test func matchesAnyOfSeveralNames() {
    let names = VehicleNames(["truck-7", "van-*"])
    #expect(names.contains("truck-7") && names.contains("van-1") && !names.contains("car-1"))
}

@Test func matchesHostilePatternsInOnePass() {
    let pattern = String(repeating: "a*", count: 60) + "b"
    #expect(!VehicleNames([pattern]).contains(String(repeating: "a", count: 128)))
}
