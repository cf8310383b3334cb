-- GeoJSON features for maps: `select feature from waygate.vehicles_geojson`.

create view waygate.vehicles_geojson as
select v.vehicle_id, v.trip_id, v.fix_time,
    jsonb_build_object(
        'type', 'Feature',
        'id', v.vehicle_id,
        'geometry', jsonb_build_object(
            'type', 'Point',
            'coordinates', jsonb_build_array(coalesce(p.lon, v.lon), coalesce(p.lat, v.lat))),
        'properties', jsonb_strip_nulls(jsonb_build_object(
            'vehicle_id', v.vehicle_id,
            'trip_id', v.trip_id,
            'state', coalesce(p.state, 'idle'),
            'time', to_char(v.fix_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'speed_mps', v.speed_mps,
            'course_deg', v.course_deg,
            'level', v.level,
            'deviation_m', p.deviation_m,
            'travelled_distance_m', p.travelled_distance_m,
            'remaining_distance_m', p.remaining_distance_m,
            'remaining_waypoints', p.remaining_waypoints,
            'waiting_at_waypoint', p.waiting_at_waypoint,
            'eta', to_char(p.eta at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'route_revision', p.route_revision))) as feature
from waygate.vehicles v
left join waygate.trip_progress p on p.vehicle_id = v.vehicle_id and p.trip_id = v.trip_id
where coalesce(p.lon, v.lon) is not null;
comment on view waygate.vehicles_geojson is
    'Each vehicle at its newest place, on its route while it has a trip.';

create view waygate.routes_geojson as
select t.trip_id, t.vehicle_id, t.state,
    jsonb_build_object(
        'type', 'Feature',
        -- A trip's id is unique for its vehicle only, which has no slash in its own.
        'id', t.vehicle_id || '/' || t.trip_id,
        'geometry', t.route,
        'properties', jsonb_build_object(
            'trip_id', t.trip_id,
            'vehicle_id', t.vehicle_id,
            'state', t.state,
            'route_revision', t.route_revision)) as feature
from waygate.trips t
where t.route is not null;
comment on view waygate.routes_geojson is 'The newest route of each trip.';

create view waygate.tracks_geojson as
select t.trip_id, t.vehicle_id, t.state,
    jsonb_build_object(
        'type', 'Feature',
        'id', t.vehicle_id || '/' || t.trip_id,
        'geometry', jsonb_build_object('type', 'LineString', 'coordinates', d.coordinates),
        'properties', jsonb_build_object(
            'trip_id', t.trip_id,
            'vehicle_id', t.vehicle_id,
            'fixes', d.fixes)) as feature
from waygate.trips t
cross join lateral (
    select count(*) as fixes,
        jsonb_agg(jsonb_build_array(p.lon, p.lat) order by p.fix_time) as coordinates
    from waygate.positions p
    -- The vehicle and the days lead to the few rows; the trip's id alone has no index.
    where p.vehicle_id = t.vehicle_id and p.trip_id = t.trip_id and p.tracked
        and p.fix_time >= t.assigned_at - interval '1 day'
        and p.fix_time < coalesce(t.ended_at, now()) + interval '1 day'
) d
where d.fixes >= 2;
comment on view waygate.tracks_geojson is 'What each trip drove: the fixes that were tracked.';

create view waygate.fleet_geojson as
select jsonb_build_object(
    'type', 'FeatureCollection',
    'features', coalesce(jsonb_agg(feature order by vehicle_id), '[]')) as collection
from waygate.vehicles_geojson;
comment on view waygate.fleet_geojson is 'All vehicles as one FeatureCollection.';
