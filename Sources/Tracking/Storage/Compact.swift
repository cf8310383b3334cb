/// A kind of value of which one never occurs.
protocol Compactable: Equatable, Sendable {
    /// The value that never occurs.
    static var vacancy: Self { get }
    /// Whether it is the value that never occurs.
    var isVacancy: Bool { get }
}

extension Double: Compactable {
    static var vacancy: Double { .nan }
    var isVacancy: Bool { isNaN }
}

extension Timestamp: Compactable {
    static var vacancy: Timestamp { Timestamp(microseconds: .min) }
    var isVacancy: Bool { microseconds == .min }
}

/// An optional value in the room of the value: one that never occurs stands for `nil`.
///
/// An optional of eight bytes takes sixteen, and a trip has a dozen of them.
@propertyWrapper
struct Compact<Value: Compactable>: Equatable, Sendable {
    private var stored: Value

    init(wrappedValue: Value?) { stored = wrappedValue ?? .vacancy }

    var wrappedValue: Value? {
        get { stored.isVacancy ? nil : stored }
        set { stored = newValue ?? .vacancy }
    }

    static func == (left: Compact, right: Compact) -> Bool {
        left.wrappedValue == right.wrappedValue
    }
}
