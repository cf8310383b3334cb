/// An optional value that is seldom there: kept apart, so that its absence takes only eight bytes.
@propertyWrapper
@frozen public enum Seldom<Value> {
    case absent
    indirect case present(Value)

    /// Keeps a value, or its absence.
    @inlinable public init(wrappedValue: Value?) {
        self = wrappedValue.map(Seldom.present) ?? .absent
    }

    /// Whether it is absent, which is told without a copy of the value.
    @inlinable public var isAbsent: Bool {
        switch self {
        case .absent: true
        case .present: false
        }
    }

    /// The value; `nil` when it is absent.
    @inlinable public var wrappedValue: Value? {
        get {
            switch self {
            case .absent: nil
            case .present(let value): value
            }
        }
        set { self = Seldom(wrappedValue: newValue) }
    }
}

extension Seldom: Equatable where Value: Equatable {}
extension Seldom: Sendable where Value: Sendable {}
