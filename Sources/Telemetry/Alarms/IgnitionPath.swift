/// Where in the attributes of a position the ignition is: the setting `alarms.ignition`.
package struct IgnitionPath: Equatable, Sendable {
    private let names: [String]

    /// Reads a path: names with points between them; `nil` when it is none.
    package init?(_ text: String) {
        names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    /// Whether the ignition is on by the attributes of a position; `nil` where they do not say.
    ///
    /// `true`, 1 and `"on"` are on; anything else that is there is off.
    package func isOn(in attributes: JSONValue?) -> Bool? {
        var value = attributes
        for name in names { value = value?.member(named: name) }
        guard let value, !value.isNull else { return nil }
        return value.bool == true || value.double == 1 || value.string == "on"
    }
}
