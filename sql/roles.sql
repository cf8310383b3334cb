-- The rights that a worker needs, and no more. Run by the owner of the schema after each `waygate
-- migrate` (it may be repeated), then give the role to the user that the worker connects as:
--
--     create role fleet login password '…';
--     grant waygate_worker to fleet;

do $$
begin
    create role waygate_worker nologin;
exception
    when duplicate_object or unique_violation then null;
end
$$;

grant usage on schema waygate to waygate_worker;
grant select on waygate.schema_migrations to waygate_worker;

grant select, insert, update on
    waygate.checkpoints, waygate.vehicles
    to waygate_worker;
grant select, insert on waygate.positions to waygate_worker;
-- Deleted from by the retention alone.
grant select, insert, update, delete on waygate.used_trip_ids to waygate_worker;
grant select, insert, update, delete on
    waygate.trips, waygate.trip_waypoints, waygate.trip_progress
    to waygate_worker;
grant select, insert, delete, update (published_at) on waygate.trip_events to waygate_worker;
grant select, insert, delete, update (published_at) on waygate.alarms to waygate_worker;
grant select, insert, update, delete on
    waygate.places, waygate.visits, waygate.speedings, waygate.stops, waygate.drives
    to waygate_worker;
grant select, insert, delete on
    waygate.commands, waygate.place_commands, waygate.rejected_messages
    to waygate_worker;

-- What the live map's reports read; the others are functions.
grant select on waygate.trip_report to waygate_worker;

grant execute on function
    waygate.make_positions_days(date[]), waygate.drop_positions_day(date)
    to waygate_worker;

-- Whoever only reads: dashboards, QGIS, reports of an evening. Views and functions read with the rights of
-- whoever asks, so that the tables below them belong to it.
do $$
begin
    create role waygate_reader nologin;
exception
    when duplicate_object or unique_violation then null;
end
$$;

grant usage on schema waygate to waygate_reader;
grant select on all tables in schema waygate to waygate_reader;
