/// What an alarm or event says of the place that it is about.
public struct PlaceLabel: Equatable, Sendable {
    /// The place's id.
    public var id: String
    /// Its name, which is its id where it has no other.
    public var name: String
    /// Its category, levels divided by `/`; `nil` for none.
    public var category: String?
    /// Its floor; `nil` where it is on any.
    public var level: Level?
    /// Number of the definition that was in force: 1, 2, 3 … for the place.
    public var revision: Int

    /// Creates a label.
    public init(id: String, name: String, category: String?, level: Level?, revision: Int) {
        self.id = id
        self.name = name
        self.category = category
        self.level = level
        self.revision = revision
    }
}
