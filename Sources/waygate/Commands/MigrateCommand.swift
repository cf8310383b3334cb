import Store
import Worker

/// `waygate migrate`: makes and updates the tables.
struct MigrateCommand: Subcommand {
    static let manual = Manual(
        name: "migrate", summary: "make the database's tables, or bring them up to date",
        options: [.config],
        details: """
            Applies what is missing, each step in a transaction; a second run finds nothing to do. Needs \
            the rights of the schema's owner. The database itself must exist (createdb fleet).
            """,
        example: "WAYGATE_DATABASE_URL=postgresql:///fleet waygate migrate")

    private let settings: ConfigurationSource

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
    }

    func run() throws {
        let applied = try Migrator.migrate(settings.load().storeSettings)
        let output = Output()
        for name in applied { output.line("applied \(name)") }
        output.line("schema waygate is at version \(Migrator.currentVersion)")
    }
}
