import Geometry
import Testing
import Tracking
import Watching

/// What is true of every vehicle and all places, tried in towns made from seeds.
@Suite struct PlaceLawTests {
    private static let seeds: Range<UInt64> = 1..<60

    @Test("What is told is the same after a restart at any point")
    func aRestartTellsNothing() throws {
        for seed in Self.seeds {
            let town = Town(seed: seed)
            let reference = TownDrive.through(town)
            // A watch that is taken back has no quiet ball, so that this is also the law of those.
            var drive = TownDrive(town)
            for moment in town.moments {
                drive.take(moment)
                try drive.restart()
            }
            #expect(drive.alarms == reference.alarms, "seed \(seed)")
            #expect(drive.changes == reference.changes, "seed \(seed)")
        }
    }

    @Test("A repeated fix changes nothing")
    func aRepeatedFixChangesNothing() {
        for seed in Self.seeds {
            let town = Town(seed: seed)
            var drive = TownDrive(town)
            for moment in town.moments {
                drive.take(moment)
                if case .fix = moment.event { drive.take(moment) }
            }
            #expect(drive.alarms == TownDrive.through(town).alarms, "seed \(seed)")
        }
    }

    @Test("Entered and exited alternate, beginning with entered")
    func entriesAndExitsAlternate() {
        for seed in Self.seeds {
            let drive = TownDrive.through(Town(seed: seed))
            var open: [String: Timestamp] = [:]
            for change in drive.changes {
                switch change {
                case .visit(let visit) where !visit.isPass:
                    #expect(open[visit.placeID] == nil, "seed \(seed): twice in \(visit.placeID)")
                    open[visit.placeID] = visit.enteredAt
                case .visitEnded(let end):
                    #expect(open[end.placeID] == end.enteredAt, "seed \(seed): \(end.placeID)")
                    #expect(end.leftAt >= end.enteredAt)
                    open[end.placeID] = nil
                default: break
                }
            }
            let inside = drive.watch.placesInside(in: drive.surroundings)
            #expect(Set(inside) == Set(open.keys), "seed \(seed)")
        }
    }

    @Test("Alarms are numbered without gaps")
    func alarmsAreNumbered() {
        for seed in Self.seeds {
            let drive = TownDrive.through(Town(seed: seed))
            for (number, alarm) in drive.alarms.enumerated() {
                #expect(alarm.sequence == Int64(number + 1), "seed \(seed)")
            }
        }
    }

    @Test("A town that is moved in longitude, over the antimeridian too, tells the same")
    func aMovedTownTellsTheSame() {
        for seed in Self.seeds {
            let alarms = TownDrive.through(Town(seed: seed)).alarms
            for longitude in [-77.0, 180] {
                let moved = TownDrive.through(Town(seed: seed, longitude: longitude)).alarms
                #expect(
                    moved.map(Self.gist) == alarms.map(Self.gist), "seed \(seed) at \(longitude)")
            }
        }
    }

    /// What does not depend on the rounding of coordinates.
    private static func gist(_ alarm: Alarm) -> String {
        "\(alarm.time.microseconds) \(alarm.kind.type) \(alarm.kind.place?.id ?? "") \(alarm.basis)"
    }

    @Test("How fixes are received in batches changes nothing but their reception")
    func batchesTellTheSame() {
        for seed in Self.seeds {
            let town = Town(seed: seed)
            let fixes = town.moments.filter { if case .fix = $0.event { true } else { false } }
            var alone = TownDrive(town)
            for moment in fixes { alone.take(moment) }
            var random = SplitMix(seed)
            var together = TownDrive(town)
            var start = 0
            while start < fixes.count {
                let end = min(start + Int.random(in: 1...20, using: &random), fixes.count)
                for index in start..<end {
                    together.take(
                        Town.Moment(
                            event: fixes[index].event, receivedAt: fixes[end - 1].receivedAt))
                }
                start = end
            }
            #expect(together.alarms.map(Self.gist) == alone.alarms.map(Self.gist), "seed \(seed)")
            #expect(together.changes == alone.changes, "seed \(seed)")
        }
    }

    @Test("An inner place never outlives its outer one with equal margins")
    func anInnerPlaceNeverOutlivesItsOuterOne() throws {
        for seed in Self.seeds {
            let town = Town(seed: seed)
            let center = Coordinate(latitude: 48, longitude: 16)
            var surroundings = Surroundings(settings: town.settings)
            for (id, radius) in [("inner", 60.0), ("outer", 150), ("outermost", 400)] {
                let area = try Area(.circle(center: center, radius: radius))
                surroundings.places.put(
                    Place(
                        id: id, revision: 1, putAt: Timestamp(seconds: 0),
                        content: PlaceContent(area: area)))
            }
            var watch = Watch(vehicleID: Town.vehicleID)
            for moment in town.moments {
                guard case .fix(let fix, _) = moment.event else { continue }
                _ = watch.handle(
                    .fix(WatchedFix(fix)), at: moment.receivedAt, in: surroundings)
                let inside = watch.placesInside(in: surroundings)
                let all = ["inner", "outer", "outermost"]
                #expect(inside == Array(all.suffix(inside.count)), "seed \(seed)")
            }
        }
    }
}
