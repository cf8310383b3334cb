/// A kind of value of which one never occurs.
package protocol Compactable: Equatable, Sendable {
    /// The value that never occurs.
    static var vacancy: Self { get }
    /// Whether it is the value that never occurs.
    var isVacancy: Bool { get }
}

extension Double: Compactable {
    @inlinable package static var vacancy: Double { .nan }
    @inlinable package var isVacancy: Bool { isNaN }
}

extension Timestamp: Compactable {
    @inlinable package static var vacancy: Timestamp { Timestamp(microseconds: .min) }
    @inlinable package var isVacancy: Bool { microseconds == .min }
}

/// An optional value in the room of the value: one that never occurs stands for `nil`.
///
/// An optional of eight bytes takes sixteen, and a trip has a dozen of them.
@propertyWrapper
package struct Compact<Value: Compactable>: Equatable, Sendable {
    @usableFromInline package var stored: Value

    /// Keeps a value, or its absence.
    @inlinable package init(wrappedValue: Value?) { stored = wrappedValue ?? .vacancy }

    /// The value; `nil` when it is absent.
    @inlinable package var wrappedValue: Value? {
        get { stored.isVacancy ? nil : stored }
        set { stored = newValue ?? .vacancy }
    }

    package static func == (left: Compact, right: Compact) -> Bool {
        left.wrappedValue == right.wrappedValue
    }
}
