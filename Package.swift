// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target is compiled with.
let common: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What a target that touches no C library is compiled with.
let safe = common + [.strictMemorySafety()]

/// The tests that need a broker, a database and routing engines run only where `deploy/test` has them.
let integrationTests: [Target] =
    Context.environment["WAYGATE_INTEGRATION"] == "1"
    ? [
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "Geometry", "MQTT", "Routing", "Telemetry", "TestServers", "Tracking", "waygate",
            ],
            swiftSettings: common)
    ] : []

/// The fuzz target has libFuzzer's `main`, and links only where `deploy/fuzz` builds it.
let fuzzing = Context.environment["WAYGATE_FUZZ"] == "1"

let package = Package(
    name: "waygate",
    products: [
        .library(name: "Geometry", targets: ["Geometry"]),
        .library(name: "Tracking", targets: ["Tracking"]),
        .library(name: "Watching", targets: ["Watching"]),
        .executable(name: "waygate", targets: ["waygate"]),
    ],
    targets: [
        .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto"),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd"),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl"),
        .systemLibrary(name: "CExpat", pkgConfig: "expat"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        .systemLibrary(name: "CLibUUID", pkgConfig: "uuid"),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
        .target(name: "CPage"),
        .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),

        .target(
            name: "Geometry", swiftSettings: safe, linkerSettings: [.linkedLibrary("m")]),
        .target(name: "Tracking", dependencies: ["Geometry"], swiftSettings: safe),
        .target(
            name: "Watching", dependencies: ["Geometry", "Tracking"], swiftSettings: safe,
            linkerSettings: [.linkedLibrary("m")]),
        .target(
            name: "Telemetry",
            dependencies: ["CSimdjson", "CLibUUID", "Geometry", "Tracking", "Watching"],
            swiftSettings: common),
        .target(name: "MQTT", dependencies: ["CMosquitto"], swiftSettings: common),
        .target(name: "Spool", dependencies: ["CSQLite"], swiftSettings: common),
        .target(
            name: "Store",
            dependencies: ["CPostgres"],
            exclude: ["Migrations/optional", "Migrations/roles.sql"],
            resources: [
                .embedInCode("Migrations/0001-tables.sql"),
                .embedInCode("Migrations/0002-partitions.sql"),
                .embedInCode("Migrations/0003-map-views.sql"),
                .embedInCode("Migrations/0004-places.sql"),
                .embedInCode("Migrations/0005-reports.sql"),
                .embedInCode("Migrations/0006-roadblocks.sql"),
                .embedInCode("Migrations/0007-faster-days.sql"),
            ],
            swiftSettings: common),
        .target(
            name: "Routing",
            dependencies: ["CCurl", "Geometry", "Telemetry", "Tracking"],
            swiftSettings: common),
        .target(name: "Markup", dependencies: ["CExpat"], swiftSettings: common),
        .target(
            name: "Ground", dependencies: ["CZlib", "Routing", "Telemetry"],
            swiftSettings: common),
        .target(
            name: "Worker",
            dependencies: [
                "CSystemd", "Geometry", "MQTT", "Routing", "Spool", "Store", "Telemetry",
                "Tracking", "Watching",
            ],
            swiftSettings: common),
        .target(
            name: "Console",
            dependencies: ["CMicrohttpd", "CPage"],
            exclude: ["Page"],
            swiftSettings: common),
        .executableTarget(
            name: "waygate",
            dependencies: [
                "Console", "Geometry", "Ground", "MQTT", "Markup", "Routing", "Spool", "Store",
                "Telemetry", "Tracking", "Watching", "Worker",
            ],
            swiftSettings: common),

        .testTarget(name: "GeometryTests", dependencies: ["Geometry"], swiftSettings: common),
        .target(
            name: "Recordings", dependencies: ["Geometry"], path: "Tests/Recordings",
            swiftSettings: common),
        .testTarget(
            name: "TrackingTests",
            dependencies: ["Geometry", "Recordings", "Telemetry", "Tracking"],
            swiftSettings: common),
        .testTarget(
            name: "WatchingTests",
            dependencies: ["Geometry", "Recordings", "Tracking", "Watching"],
            swiftSettings: common),
        .testTarget(
            name: "TelemetryTests",
            dependencies: ["Geometry", "Telemetry", "Tracking", "Watching"],
            swiftSettings: common),
        .target(name: "TestServers", path: "Tests/Support", swiftSettings: common),
        .executableTarget(
            name: "GeometryBenchmark", dependencies: ["Geometry"],
            path: "Tests/Benchmarks/Geometry", swiftSettings: common),
        .executableTarget(
            name: "DecodeBenchmark",
            dependencies: ["Telemetry", "Tracking"],
            path: "Tests/Benchmarks/Decode",
            swiftSettings: common),
        .executableTarget(
            name: "TrackingBenchmark",
            dependencies: ["Geometry", "Tracking"],
            path: "Tests/Benchmarks/Tracking",
            swiftSettings: common),
        .executableTarget(
            name: "WatchingBenchmark",
            dependencies: ["Geometry", "Tracking", "Watching"],
            path: "Tests/Benchmarks/Watching",
            swiftSettings: common),
        .executableTarget(
            name: "CostBenchmark",
            dependencies: ["Geometry", "Telemetry", "Tracking", "Watching"],
            path: "Tests/Benchmarks/Cost",
            swiftSettings: common),
        .executableTarget(
            name: "FleetLoad", dependencies: ["Geometry", "MQTT"], path: "Tests/Benchmarks/Load",
            swiftSettings: common),
        .executableTarget(
            name: "CountingClient", dependencies: ["CMosquitto"], path: "Tests/Benchmarks/Counter"),
        .testTarget(
            name: "SpoolTests", dependencies: ["Spool", "TestServers"], swiftSettings: common),
        .testTarget(
            name: "MQTTTests", dependencies: ["MQTT", "TestServers"], swiftSettings: common),
        .testTarget(
            name: "StoreTests", dependencies: ["Store", "TestServers"], swiftSettings: common),
        .testTarget(
            name: "RoutingTests",
            dependencies: ["Geometry", "Routing", "TestServers", "Tracking"],
            swiftSettings: common),
        .testTarget(
            name: "GroundTests", dependencies: ["Ground", "Routing", "TestServers"],
            swiftSettings: common),
        .testTarget(name: "ConsoleTests", dependencies: ["Console"], swiftSettings: common),
        .executableTarget(
            name: "ConsoleDemo", dependencies: ["Console"], path: "Tests/ConsoleDemo",
            swiftSettings: common),
        .testTarget(
            name: "WorkerTests",
            dependencies: [
                "Geometry", "Spool", "Store", "Telemetry", "Tracking", "Watching", "Worker",
            ],
            swiftSettings: common),
        .testTarget(
            name: "Simulation",
            dependencies: [
                "Geometry", "MQTT", "Routing", "Spool", "Store", "Telemetry", "Tracking",
                "Watching", "Worker",
            ],
            swiftSettings: common),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "Geometry", "MQTT", "Store", "Telemetry", "TestServers", "Tracking", "Watching",
                "Worker", "waygate",
            ],
            swiftSettings: common),
    ] + integrationTests,
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

if fuzzing {
    package.targets.append(
        .executableTarget(
            name: "PayloadFuzz",
            dependencies: ["Geometry", "Telemetry", "Tracking", "Watching"],
            path: "Tests/Fuzz/Payloads",
            swiftSettings: common + [.unsafeFlags(["-parse-as-library"])]))
}
