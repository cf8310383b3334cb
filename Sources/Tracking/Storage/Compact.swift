/// A kind of value of which one never occurs.
public protocol Compactable: Equatable, Sendable {
    /// The value that never occurs.
    static var vacancy: Self { get }
    /// Whether it is the value that never occurs.
    var isVacancy: Bool { get }
}

extension Double: Compactable {
    /// Not a number.
    @inlinable public static var vacancy: Double { .nan }
    /// Whether it is not a number.
    @inlinable public var isVacancy: Bool { isNaN }
}

extension Timestamp: Compactable {
    /// The first moment of all.
    @inlinable public static var vacancy: Timestamp { Timestamp(microseconds: .min) }
    /// Whether it is the first moment of all.
    @inlinable public var isVacancy: Bool { microseconds == .min }
}

/// An optional value in the room of the value: one that never occurs stands for `nil`.
///
/// An optional of eight bytes takes sixteen, and a trip has a dozen of them.
@propertyWrapper
@frozen public struct Compact<Value: Compactable>: Equatable, Sendable {
    @usableFromInline var stored: Value

    /// Keeps a value, or its absence.
    @inlinable public init(wrappedValue: Value?) { stored = wrappedValue ?? .vacancy }

    /// The value; `nil` when it is absent.
    @inlinable public var wrappedValue: Value? {
        get { stored.isVacancy ? nil : stored }
        set { stored = newValue ?? .vacancy }
    }

    /// Whether both have the same value, or none.
    @inlinable public static func == (left: Compact, right: Compact) -> Bool {
        left.wrappedValue == right.wrappedValue
    }
}
