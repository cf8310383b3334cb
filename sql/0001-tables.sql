-- The tables that SPEC section 9 promises, and what recovery needs besides (packed_*, used_trip_ids).
--
-- Identifiers are COLLATE "C": they are keys, not words, and compare faster so. A trip's id is unique
-- for its vehicle only: the keys of all that belongs to a trip begin with both, and every key of what a
-- vehicle has begins with it, so that the rows could be spread by vehicle. Columns of fixed width come
-- first in the large tables, which saves padding. Times are UTC, to the microsecond.

create table waygate.vehicles (
    vehicle_id text collate "C" primary key,
    fix_time timestamptz,
    lat double precision,
    lon double precision,
    speed_mps double precision,
    course_deg double precision,
    level jsonb,
    trip_id text collate "C",
    updated_at timestamptz not null
) with (fillfactor = 60);
comment on table waygate.vehicles is 'One row for each vehicle, as last heard of.';
comment on column waygate.vehicles.level is 'The floor as it was sent: a number or a text.';
comment on column waygate.vehicles.trip_id is 'The active trip.';

create table waygate.trips (
    vehicle_id text collate "C" not null,
    trip_id text collate "C" not null,
    state text not null,
    assigned_at timestamptz not null,
    ended_at timestamptz,
    route_revision integer not null,
    options jsonb not null,
    route jsonb,
    packed_assignment bytea not null,
    packed_route bytea,
    primary key (vehicle_id, trip_id)
) with (fillfactor = 80);
comment on column waygate.trips.options is 'All options, as resolved when the trip was assigned.';
comment on column waygate.trips.route is 'The route in force, a GeoJSON LineString.';
comment on column waygate.trips.packed_route is 'The worker''s own copy, ten times faster to read back.';
-- Packed bytes hardly shrink: compressing them would cost time and gain nothing.
alter table waygate.trips
    alter column packed_assignment set storage external,
    alter column packed_route set storage external;
-- Finds the active trips (ended_at is null) at a start, and the old ones for the retention.
create index trips_ended_at on waygate.trips (ended_at);
create index trips_vehicle on waygate.trips (vehicle_id, assigned_at);
-- Tells which vehicles have a trip of that id.
create index trips_trip_id on waygate.trips (trip_id);

create table waygate.used_trip_ids (
    vehicle_id text collate "C" not null,
    trip_id text collate "C" not null,
    used_at timestamptz not null,
    primary key (vehicle_id, trip_id)
);
comment on table waygate.used_trip_ids is
    'The trip ids that a vehicle may not be given again: as long as the retention keeps trips.';
comment on column waygate.used_trip_ids.used_at is 'When the trip was assigned.';
create index used_trip_ids_used_at on waygate.used_trip_ids (used_at);

create table waygate.trip_waypoints (
    vehicle_id text collate "C" not null,
    trip_id text collate "C" not null,
    waypoint_index integer not null,
    lat double precision not null,
    lon double precision not null,
    name text,
    status text not null check (status in ('pending', 'reached', 'visited', 'skipped')),
    reached_at timestamptz,
    resumed_at timestamptz,
    primary key (vehicle_id, trip_id, waypoint_index)
) with (fillfactor = 70);

-- Written once a batch for each trip under way: no index but the key and half a page of room, so
-- that updates stay on their page and touch no index (HOT).
create table waygate.trip_progress (
    vehicle_id text collate "C" not null,
    trip_id text collate "C" not null,
    state text not null,
    fix_time timestamptz,
    lat double precision,
    lon double precision,
    reported_lat double precision,
    reported_lon double precision,
    deviation_m double precision,
    travelled_distance_m double precision not null,
    remaining_distance_m double precision,
    active_waypoint_index integer,
    remaining_waypoints integer not null,
    waiting_at_waypoint boolean not null,
    eta timestamptz,
    route_revision integer not null,
    updated_at timestamptz not null,
    packed_state bytea not null,
    primary key (vehicle_id, trip_id)
) with (fillfactor = 45);
comment on column waygate.trip_progress.packed_state is 'The worker''s own copy of the trip''s state.';

create table waygate.trip_events (
    event_id uuid not null,
    occurred_at timestamptz not null,
    published_at timestamptz,
    sequence integer,
    trip_id text collate "C",
    vehicle_id text collate "C" not null,
    type text not null,
    body jsonb not null,
    -- The id alone is unique too, being made from the vehicle, the trip and the sequence.
    primary key (vehicle_id, event_id),
    unique (vehicle_id, trip_id, sequence)
);
comment on column waygate.trip_events.sequence is
    '1, 2, 3 … for the trip; null for command_rejected, which belongs to no sequence.';
comment on column waygate.trip_events.published_at is
    'When the broker acknowledged the event; null until then.';
-- What a start publishes again, in its order.
create index trip_events_unpublished on waygate.trip_events (vehicle_id, trip_id, sequence)
    where published_at is null;
-- What no trip takes along when the retention removes it.
create index trip_events_without_sequence on waygate.trip_events (occurred_at)
    where sequence is null;

create table waygate.positions (
    fix_time timestamptz not null,
    received_at timestamptz not null,
    lat double precision not null check (lat between -90 and 90),
    lon double precision not null check (lon between -180 and 180),
    accuracy_m double precision,
    speed_mps double precision,
    course_deg double precision,
    altitude_m double precision,
    tracked boolean not null,
    vehicle_id text collate "C" not null,
    trip_id text collate "C",
    level text,
    provider text,
    attributes jsonb,
    primary key (vehicle_id, fix_time, lat, lon)
) partition by range (fix_time);
comment on table waygate.positions is
    'One row for each fix, in a partition for each UTC day. There is no default partition: it would '
    'have to be searched whenever a day is added.';

create table waygate.commands (
    id bigint generated always as identity,
    received_at timestamptz not null,
    vehicle_id text collate "C" not null,
    command_id text,
    name text not null,
    trip_id text collate "C",
    outcome text not null check (outcome in ('done', 'rejected')),
    reason text,
    primary key (vehicle_id, id)
);
create index commands_vehicle on waygate.commands (vehicle_id, received_at);
create index commands_received_at on waygate.commands (received_at);

create table waygate.rejected_messages (
    id bigint generated always as identity primary key,
    received_at timestamptz not null,
    payload_bytes bigint not null,
    element_index integer,
    topic text not null,
    reason text not null,
    payload bytea not null
);
comment on column waygate.rejected_messages.payload is 'The first 4 KiB.';
comment on column waygate.rejected_messages.payload_bytes is 'The length of the whole.';
create index rejected_messages_received_at on waygate.rejected_messages (received_at);

create table waygate.checkpoints (
    worker_id text not null,
    partition integer not null,
    log_id text not null,
    position bigint,
    published_position bigint not null default 0,
    owned boolean not null,
    owner_epoch bigint not null,
    updated_at timestamptz not null,
    settings bytea,
    primary key (worker_id, partition, log_id)
) with (fillfactor = 50);
comment on column waygate.checkpoints.partition is
    'Which part of the vehicles: 0 while there is but one.';
comment on column waygate.checkpoints.log_id is 'The identity of the log, which was made with it.';
comment on column waygate.checkpoints.position is
    'The position in the log that the tables hold; null before the first commit.';
comment on column waygate.checkpoints.owned is
    'Whether this worker and log own the partition; at most one row of it says so.';
comment on column waygate.checkpoints.owner_epoch is
    'Raised with every claim; a commit that carries an older one is refused.';
comment on column waygate.checkpoints.updated_at is
    'When the owner was last heard of.';
-- A second owner cannot even be written down.
create unique index checkpoints_one_owner on waygate.checkpoints (partition) where owned;
