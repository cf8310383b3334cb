-- Places, and what vehicles did outside of trips: visits, alarms, speedings, stops, drives.
--
-- A visit, speeding, stop or drive is written when it begins and updated once when it ends, so that an
-- update may stay on its page: none of the columns that an end fills is indexed but where "still going
-- on" is asked for.

create table waygate.places (
    place_id text collate "C" primary key,
    revision integer not null,
    area_m2 double precision not null,
    put_at timestamptz not null,
    deleted_at timestamptz,
    name text not null,
    category text,
    level text,
    parent text collate "C",
    definition jsonb not null,
    area jsonb not null
);
comment on table waygate.places is
    'One row for each place; a deleted one stays until its visits have gone, for their names.';
comment on column waygate.places.definition is 'What was put, as it is in force.';
comment on column waygate.places.area is
    'GeoJSON geometry; a circle as a polygon of 64 vertices, a strip as its middle line.';

create table waygate.place_commands (
    id bigint generated always as identity primary key,
    received_at timestamptz not null,
    place_id text collate "C" not null,
    command_id text,
    name text not null,
    outcome text not null check (outcome in ('done', 'rejected')),
    reason text
);
comment on table waygate.place_commands is
    'One row for each command for a place, as commands has them for vehicles.';
create index place_commands_received_at on waygate.place_commands (received_at);

create table waygate.visits (
    entered_at timestamptz not null,
    left_at timestamptz,
    crossed_in_at timestamptz,
    crossed_out_at timestamptz,
    distance_m double precision,
    top_speed_mps double precision,
    place_revision integer not null,
    passed boolean not null,
    vehicle_id text collate "C" not null,
    place_id text collate "C" not null,
    trip_id text collate "C",
    entered_by text not null,
    left_by text,
    primary key (vehicle_id, place_id, entered_at)
) with (fillfactor = 85);
comment on column waygate.visits.left_at is 'Null while the vehicle is inside.';
comment on column waygate.visits.passed is
    'Seen only as a crossing between two fixes: both times are estimates.';
comment on column waygate.visits.distance_m is 'Driven between the fixes inside.';
create index visits_place on waygate.visits (place_id, entered_at);
create index visits_entered_at on waygate.visits (entered_at);
create index visits_under_way on waygate.visits (place_id, vehicle_id) where left_at is null;

create table waygate.alarms (
    event_id uuid primary key,
    occurred_at timestamptz not null,
    published_at timestamptz,
    sequence bigint,
    vehicle_id text collate "C",
    place_id text collate "C",
    trip_id text collate "C",
    type text not null,
    body jsonb not null,
    unique (vehicle_id, sequence)
);
comment on table waygate.alarms is 'What vehicles and places told, each message once.';
comment on column waygate.alarms.vehicle_id is 'Null for what a place tells of itself.';
comment on column waygate.alarms.sequence is
    '1, 2, 3 … for the vehicle; null for what a place tells, which belongs to no sequence.';
create index alarms_unpublished on waygate.alarms (vehicle_id, sequence)
    where published_at is null;
create index alarms_occurred_at on waygate.alarms (occurred_at);

create table waygate.speedings (
    began_at timestamptz not null,
    ended_at timestamptz,
    limit_mps double precision not null,
    top_speed_mps double precision not null,
    top_excess_mps double precision not null,
    distance_m double precision,
    top_lat double precision not null,
    top_lon double precision not null,
    vehicle_id text collate "C" not null,
    limit_from text not null,
    basis text not null,
    place_id text collate "C",
    trip_id text collate "C",
    primary key (vehicle_id, began_at)
) with (fillfactor = 85);
create index speedings_began_at on waygate.speedings (began_at);

create table waygate.stops (
    began_at timestamptz not null,
    ended_at timestamptz,
    lat double precision not null,
    lon double precision not null,
    idle_s double precision,
    waypoint_index integer,
    planned boolean,
    vehicle_id text collate "C" not null,
    place_id text collate "C",
    trip_id text collate "C",
    primary key (vehicle_id, began_at)
) with (fillfactor = 85);
comment on column waygate.stops.ended_at is 'Null while the vehicle stands.';
comment on column waygate.stops.idle_s is
    'With the ignition on; null where the device never told of it.';
create index stops_began_at on waygate.stops (began_at);

create table waygate.drives (
    began_at timestamptz not null,
    ended_at timestamptz,
    distance_m double precision not null,
    top_speed_mps double precision,
    start_lat double precision not null,
    start_lon double precision not null,
    end_lat double precision,
    end_lon double precision,
    fixes integer not null,
    estimated boolean not null,
    vehicle_id text collate "C" not null,
    trip_id text collate "C",
    primary key (vehicle_id, began_at)
) with (fillfactor = 85);
comment on column waygate.drives.ended_at is 'Null while the vehicle drives.';
comment on column waygate.drives.estimated is
    'Nobody saw it: the vehicle fell silent here and was heard again there.';
create index drives_began_at on waygate.drives (began_at);

alter table waygate.vehicles
    add column packed_watch bytea,
    add column alarm_sequence bigint not null default 0,
    add column odometer_m double precision not null default 0;
alter table waygate.vehicles alter column packed_watch set storage external;
comment on column waygate.vehicles.packed_watch is 'The worker''s own copy of the watch''s state.';
comment on column waygate.vehicles.alarm_sequence is 'The number of its newest alarm.';
comment on column waygate.vehicles.odometer_m is 'All that it ever drove, by its positions.';

create view waygate.visits_open as
select v.vehicle_id, v.place_id, coalesce(p.name, v.place_id) as name, p.category,
    v.entered_at, extract(epoch from now() - v.entered_at)::double precision as inside_s, v.trip_id
from waygate.visits v
left join waygate.places p using (place_id)
where v.left_at is null;
comment on view waygate.visits_open is 'Who is where, and since when.';

create view waygate.places_geojson as
select p.place_id, p.category, p.level,
    jsonb_build_object(
        'type', 'Feature',
        'id', p.place_id,
        'geometry', p.area,
        'properties', jsonb_strip_nulls(jsonb_build_object(
            'place_id', p.place_id,
            'name', p.name,
            'category', p.category,
            'level', p.level,
            'parent', p.parent,
            'color', p.definition -> 'color',
            'revision', p.revision,
            'area_m2', p.area_m2))) as feature
from waygate.places p
where p.deleted_at is null;
comment on view waygate.places_geojson is 'Each place in force, for QGIS and dashboards.';
