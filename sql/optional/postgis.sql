-- Geometry for QGIS, pg_tileserv and the like, where PostGIS is installed. Not a migration: the worker
-- never needs it. Run by the owner of the schema; it may be repeated.

create extension if not exists postgis;

create or replace view waygate.vehicles_geometry as
select v.vehicle_id, v.trip_id, v.fix_time, v.speed_mps, v.course_deg,
    v.level #>> '{}' as level,
    coalesce(p.state, 'idle') as state, p.deviation_m, p.remaining_distance_m, p.eta,
    st_setsrid(st_makepoint(coalesce(p.lon, v.lon), coalesce(p.lat, v.lat)), 4326)
        ::geometry(Point, 4326) as geom
from waygate.vehicles v
left join waygate.trip_progress p on p.vehicle_id = v.vehicle_id and p.trip_id = v.trip_id
where coalesce(p.lon, v.lon) is not null;

create or replace view waygate.routes_geometry as
select t.trip_id, t.vehicle_id, t.state, t.route_revision, t.assigned_at, t.ended_at,
    st_setsrid(st_geomfromgeojson(t.route), 4326)::geometry(LineString, 4326) as geom
from waygate.trips t
where t.route is not null;

create or replace view waygate.waypoints_geometry as
select w.vehicle_id, w.trip_id, w.waypoint_index, w.name, w.status, w.reached_at, w.resumed_at,
    st_setsrid(st_makepoint(w.lon, w.lat), 4326)::geometry(Point, 4326) as geom
from waygate.trip_waypoints w;

create or replace view waygate.positions_geometry as
select p.vehicle_id, p.fix_time, p.trip_id, p.tracked, p.accuracy_m, p.speed_mps, p.course_deg,
    st_setsrid(st_makepoint(p.lon, p.lat), 4326)::geometry(Point, 4326) as geom
from waygate.positions p;
