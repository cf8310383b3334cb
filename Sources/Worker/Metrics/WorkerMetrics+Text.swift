import Tracking

extension WorkerMetrics {
    /// The metrics in Prometheus' text format.
    ///
    /// - Parameters:
    ///   - gauges: What is only known when asked for.
    func text(_ gauges: WorkerGauges) -> [UInt8] {
        var text = MetricsText()
        text.begin("waygate_build_info", .gauge, "Which Waygate this is; always 1.")
        text.sample("waygate_build_info", ["version": Release.version], 1)
        writeIntake(&text)
        writeTracking(&text, gauges)
        writeSpool(&text, gauges)
        writeDatabase(&text, gauges)
        writePublishing(&text)
        writePlanner(&text)
        return text.bytes
    }

    private func writeIntake(_ text: inout MetricsText) {
        let messages = "waygate_messages_total"
        text.begin(messages, .counter, "Messages taken, by outcome and its reason.")
        text.sample(messages, ["outcome": "accepted", "reason": ""], Double(tally.accepted))
        for (outcome, counts) in [("rejected", tally.rejected), ("ignored", tally.ignored)] {
            for (reason, count) in counts.sorted(by: { $0.key < $1.key }) {
                text.sample(messages, ["outcome": outcome, "reason": reason], Double(count))
            }
        }
        text.counts(
            "waygate_rejected_elements_total", "Rejected elements of batches, by reason.",
            by: "reason", tally.rejectedElements)
        text.single(
            "waygate_redelivered_messages_total", .counter,
            "Messages that the broker delivered again after their acknowledgement.",
            Double(redelivered))
    }

    private func writeTracking(_ text: inout MetricsText, _ gauges: WorkerGauges) {
        let fixes = "waygate_fixes_total"
        text.begin(fixes, .counter, "Fixes, by what became of them; history has a reason.")
        text.sample(fixes, ["disposition": "tracked", "reason": ""], Double(tally.tracked))
        for (reason, count) in tally.history.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            text.sample(
                fixes, ["disposition": "history", "reason": reason.rawValue], Double(count))
        }
        text.counts("waygate_events_total", "Events, by type.", by: "type", tally.events)
        text.counts(
            "waygate_commands_total", "Commands carried out, by name.", by: "command",
            tally.commands)
        text.counts(
            "waygate_commands_rejected_total", "Commands refused, by reason.", by: "reason",
            tally.refusals)
        text.single(
            "waygate_vehicles", .gauge, "Vehicles that were ever heard of.", Double(gauges.vehicles)
        )
        text.single("waygate_trips_active", .gauge, "Trips under way.", Double(gauges.trips))
        text.single(
            "waygate_trips_held", .gauge, "Trips held at a via point.", Double(gauges.held))
        text.single(
            "waygate_roadblocks_active", .gauge, "Roadblocks in force.", Double(activeRoadblocks))
        text.counts(
            "waygate_proposals_total", "Better routes that are no longer on offer, by why.",
            by: "end",
            // Prometheus sees no increase in a series' first value.
            Dictionary(
                uniqueKeysWithValues: TripEvent.ProposalEnd.allCases.map { ($0.rawValue, 0) }
            )
            .merging(tally.proposals) { $1 })
        text.single(
            "waygate_clock_suspected", .gauge,
            "Whether all positions are refused for their time.", isClockSuspected ? 1 : 0)
        if let difference = gauges.clockDifference {
            text.single(
                "waygate_clock_difference_seconds", .gauge,
                "By how much this machine's clock is ahead of the database's.", difference)
        }
        text.single(
            "waygate_tracking_backlog_entries", .gauge,
            "Spooled inputs that tracking has not taken.", Double(gauges.trackingBacklog))
    }

    private func writeSpool(_ text: inout MetricsText, _ gauges: WorkerGauges) {
        text.single(
            "waygate_spool_bytes", .gauge, "Bytes in the spool.", Double(spoolBytes))
        text.single(
            "waygate_spool_limit_bytes", .gauge, "Bytes at which the intake stops.",
            Double(gauges.spoolLimit))
        text.single(
            "waygate_spool_writable", .gauge,
            "Whether the spool can be written: 0 after a failed write, and while its disk is full.",
            spoolError == nil ? 1 : 0)
        text.single(
            "waygate_spool_failures_total", .counter,
            "How often the spool has become unwritable.", Double(spoolFailures))
        text.single(
            "waygate_spool_oldest_unsaved_age_seconds", .gauge,
            "Age of the oldest input that the database does not hold; 0 when it holds all.",
            gauges.oldestUnsavedAge)
    }

    private func writeDatabase(_ text: inout MetricsText, _ gauges: WorkerGauges) {
        text.single(
            "waygate_database_connected", .gauge, "Whether the database can be written.",
            isDatabaseConnected ? 1 : 0)
        text.single(
            "waygate_database_backlog_entries", .gauge,
            "Spooled inputs that the database does not hold.", Double(gauges.databaseBacklog))
        text.single(
            "waygate_database_failures_total", .counter,
            "Connections and transactions that failed.", Double(databaseFailures))
        text.single(
            "waygate_positions_stored_total", .counter, "Positions committed, copies included.",
            Double(storedPositions))
        text.single(
            "waygate_rows_refused_total", .counter, "Rows that the database would not take.",
            Double(refusedRows))
        text.single(
            "waygate_retention_suspended", .gauge,
            "Whether nothing old is deleted, as the two clocks are a day apart.",
            isRetentionSuspended ? 1 : 0)
        text.histogram(
            "waygate_commit_duration_seconds", "How long transactions took.", commitDuration)
    }

    private func writePublishing(_ text: inout MetricsText) {
        let connected = "waygate_broker_connected"
        text.begin(connected, .gauge, "Whether the connection to the broker stands.")
        text.sample(connected, ["connection": "intake"], isSubscribed ? 1 : 0)
        text.sample(connected, ["connection": "publish"], isPublisherConnected ? 1 : 0)
        text.counts(
            "waygate_reconnects_total", "Connections to the broker that were lost.",
            by: "connection", reconnects)
        text.single(
            "waygate_publish_backlog_messages", .gauge,
            "Messages that the broker has not acknowledged.", Double(publishBacklog))
        text.single(
            "waygate_refused_backlog_messages", .gauge,
            "Messages that the broker refuses, and those that wait behind them; they are tried again.",
            Double(refusedBacklog))
        text.counts(
            "waygate_publications_refused_total", "Refusals by the broker, by kind of topic.",
            by: "kind", refusals)
        text.single(
            "waygate_routes_left_out_total", .counter,
            "Retained routes left out since they are larger than the broker takes.",
            Double(routesLeftOut))
        text.histogram(
            "waygate_event_delay_seconds",
            "From the reception of an input to the broker's acknowledgement of its event.",
            eventDelay)
    }

    private func writePlanner(_ text: inout MetricsText) {
        text.counts(
            "waygate_route_requests_total", "Answers of the planner, by result.", by: "result",
            plannerAnswers)
        text.counts(
            "waygate_planner_rounds_total", "Rounds that it took to get around closed roads.",
            by: "engine", plannerRounds)
        text.counts(
            "waygate_planner_blocked_total",
            "Routes that drive on closed roads which they were to avoid.", by: "engine",
            plannerBlocked)
        text.histogram(
            "waygate_route_request_duration_seconds", "How long the planner took to answer.",
            plannerDuration)
    }
}

/// What is known only when it is asked for.
struct WorkerGauges {
    var vehicles = 0
    var trips = 0
    var held = 0
    var trackingBacklog: Int64 = 0
    var databaseBacklog: Int64 = 0
    var spoolLimit = 0
    var oldestUnsavedAge = 0.0
    var clockDifference: Double?
}
