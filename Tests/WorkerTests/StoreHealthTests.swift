import Testing

@testable import Worker

/// How often a database is asked that does not do its work.
@Suite struct StoreHealthTests {
    /// Counts how often a database is connected to within an hour; `use` is told of each connection.
    private func connections(_ use: (inout StoreHealth, inout Double) -> Void) -> Int {
        var health = StoreHealth(StoreLimits())
        var now = 0.0
        var count = 0
        while now < 3600 {
            count += 1
            health.connect(at: now)
            use(&health, &now)
            _ = health.fail(at: now)
            now = health.retryAt
        }
        return count
    }

    @Test func pausesGrowWhereTheWorkFailsRightAfterConnecting() {
        #expect(connections { _, _ in } < 730)
    }

    @Test func pausesGrowWhereOnlyTheFirstWorkSucceeds() {
        let count = connections { health, now in
            _ = health.succeed(at: now)
            now += 0.05
        }
        #expect(count < 730)
    }

    @Test func afterALongConnectionTheFirstPauseIsShort() {
        var health = StoreHealth(StoreLimits())
        var pauses: [Double] = []
        for begin in stride(from: 0.0, to: 300, by: 100) {
            health.connect(at: begin)
            _ = health.succeed(at: begin + 1)
            _ = health.succeed(at: begin + 50)
            pauses.append(health.fail(at: begin + 60))
        }
        #expect(pauses == [0.2, 0.2, 0.2])
        #expect(!health.isFailing)
    }

    @Test func saysOnceThatItWorksAgain() {
        var health = StoreHealth(StoreLimits())
        health.connect(at: 0)
        _ = health.fail(at: 0.1)
        #expect(health.isFailing)
        health.connect(at: 1)
        let said = [2.0, 3, 7, 8].map { health.succeed(at: $0) }
        #expect(said == [false, false, true, false])
        #expect(health.fail(at: 9) == 0.2)
    }
}
