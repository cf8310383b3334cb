-- Reports: what happened, in numbers, for people and for `waygate report`.
--
-- Stops of a vehicle do not overlap, nor do its drives: of those that began before a moment, only the last one can
-- last beyond it. Functions that return tables are plain statements, so that the planner sees through them.

alter table waygate.trip_progress add column first_eta timestamptz;
comment on column waygate.trip_progress.first_eta is
    'The first time of arrival that was written, once there is a second: what lateness is measured from.';

-- The distance in metres on a sphere of the earth's mean radius, of four numbers, none of them null; source: Sinnott,
-- Virtues of the Haversine (1984).
create function waygate.metres(
    lat1 double precision, lon1 double precision, lat2 double precision, lon2 double precision)
returns double precision language sql immutable parallel safe
return 2 * 6371008.8 * asin(least(1, sqrt(
    sin(radians(lat2 - lat1) / 2) ^ 2
    + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lon2 - lon1) / 2) ^ 2)));

-- How many seconds two spans of time have in common; 0 where they do not meet.
create function waygate.overlap_s(
    from1 timestamptz, to1 timestamptz, from2 timestamptz, to2 timestamptz)
returns double precision language sql immutable parallel safe
return greatest(0, date_part('epoch', least(to1, to2) - greatest(from1, from2)));

-- The drives in a window, each with when it was last heard of: its end, or while it goes on the vehicle's newest fix.
create function waygate.drives_until("from" timestamptz, "to" timestamptz)
returns table (
    vehicle_id text, began_at timestamptz, ended_at timestamptz, until timestamptz,
    distance_m double precision, top_speed_mps double precision, trip_id text, estimated boolean,
    start_lat double precision, start_lon double precision, end_lat double precision,
    end_lon double precision, fixes integer)
language sql stable as $$
    select d.vehicle_id, d.began_at, d.ended_at, coalesce(d.ended_at, greatest(d.began_at, v.fix_time)),
        d.distance_m, d.top_speed_mps, d.trip_id, d.estimated, d.start_lat, d.start_lon, d.end_lat,
        d.end_lon, d.fixes
    from waygate.drives d
    left join waygate.vehicles v on v.vehicle_id = d.vehicle_id and d.ended_at is null
    where d.began_at < "to" and (d.ended_at > "from" or d.ended_at is null)
$$;

-- Of pieces of drives, as arrays: the share of the drive's way that lies within the piece, by the positions, or by time where
-- they do not tell; the way itself; and the greatest reported speed.
create function waygate.drive_parts(
    vehicles text[], begins timestamptz[], ends timestamptz[], froms timestamptz[],
    tos timestamptz[])
returns table (
    piece bigint, share double precision, way_m double precision, top_speed_mps double precision)
language sql stable as $$
    with pieces as (
        select * from unnest(vehicles, begins, ends, froms, tos)
            with ordinality as p (vehicle_id, began, ended, "from", "to", piece)
    ), steps as (
        select i.piece, i.began, i.ended, i."from", i."to", p.fix_time, p.speed_mps,
            lag(p.fix_time) over w as before,
            case when lag(p.fix_time) over w is not null
                then waygate.metres(lag(p.lat) over w, lag(p.lon) over w, p.lat, p.lon)
            end as way
        from pieces i
        left join waygate.positions p on p.vehicle_id = i.vehicle_id
            and p.fix_time between i.began and i.ended and coalesce(p.accuracy_m, 0) <= 100
        window w as (partition by i.piece order by p.fix_time)
    ), sums as (
        select piece, began, ended, "from", "to", coalesce(sum(way), 0) as whole,
            coalesce(sum(way * case
                when before >= "from" and fix_time <= "to" then 1
                when fix_time > before then waygate.overlap_s(before, fix_time, "from", "to")
                    / date_part('epoch', fix_time - before)
                else 0
            end), 0) as inside,
            max(speed_mps) filter (where fix_time between "from" and "to") as top
        from steps
        group by piece, began, ended, "from", "to"
    )
    select piece,
        case when whole > 0 then inside / whole
            else waygate.overlap_s(began, ended, "from", "to")
                / greatest(1e-6, date_part('epoch', ended - began)) end,
        inside, top
    from sums
$$;

-- The days of a zone that a window touches, numbered from 1, each clipped at the window's ends. What looks for the day of a moment
-- does so by width_bucket among their beginnings, which costs a fraction of asking the zone.
create function waygate.local_days("from" timestamptz, "to" timestamptz, tz text)
returns table (number bigint, day date, began timestamptz, ended timestamptz)
language sql stable as $$
    select row_number() over (order by d), d::date, greatest(d at time zone tz, "from"),
        least((d + interval '1 day') at time zone tz, "to")
    from generate_series(date_trunc('day', "from" at time zone tz), "to" at time zone tz,
        interval '1 day') d
    where d at time zone tz < "to"
$$;

-- What vehicles drove on each local day, piece by piece. A drive that lasts beyond its day, or goes on, is split by its
-- positions.
create function waygate.drive_pieces("from" timestamptz, "to" timestamptz, tz text)
returns table (
    vehicle_id text, day date, began_at timestamptz, until timestamptz, moving_s double precision,
    distance_m double precision, top_speed_mps double precision, estimated boolean)
language sql stable as $$
    with days as materialized (
        select * from waygate.local_days("from", "to", tz)
    ), begins as materialized (
        select array_agg(began order by number) as begins from days
    ), pieces as materialized (
        select d.*, s.day, greatest(d.began_at, s.began) as piece_began,
            least(d.until, s.ended) as piece_until,
            d.ended_at is null or d.began_at < s.began or d.until > s.ended as is_part
        from waygate.drives_until("from", "to") d
        cross join begins b
        cross join lateral generate_series(
            width_bucket(greatest(d.began_at, "from"), b.begins), width_bucket(d.until, b.begins)) n
        join days s on s.number = n
        where d.until > s.began and d.began_at < s.ended
    ), parts as (
        select row_number() over (order by vehicle_id, began_at, day) as piece, p.*
        from pieces p where is_part
    ), shares as (
        select s.* from (
            select array_agg(vehicle_id order by piece) as vehicles,
                array_agg(began_at order by piece) as begins, array_agg(until order by piece) as ends,
                array_agg(piece_began order by piece) as froms,
                array_agg(piece_until order by piece) as tos
            from parts
        ) a
        cross join lateral waygate.drive_parts(a.vehicles, a.begins, a.ends, a.froms, a.tos) s
    )
    select vehicle_id, day, piece_began, piece_until,
        date_part('epoch', piece_until - piece_began), distance_m, top_speed_mps,
        estimated
    from pieces where not is_part
    union all
    select p.vehicle_id, p.day, p.piece_began, p.piece_until,
        date_part('epoch', p.piece_until - p.piece_began),
        case when p.ended_at is null then s.way_m else p.distance_m * s.share end, s.top_speed_mps,
        p.estimated
    from parts p join shares s using (piece)
$$;

-- How long a vehicle stood within a span of time.
create function waygate.stopped(vehicle text, "from" timestamptz, "to" timestamptz)
returns table (stopped_s double precision, idle_s double precision)
language sql stable as $$
    select coalesce(sum(waygate.overlap_s(
            s.began_at, coalesce(s.ended_at, now()), "from", least("to", now()))), 0),
        sum(s.idle_s * waygate.overlap_s(s.began_at, s.ended_at, "from", "to")
            / greatest(1e-6, date_part('epoch', s.ended_at - s.began_at)))
    from (
        select i.began_at, i.ended_at, i.idle_s from waygate.stops i
        where i.vehicle_id = vehicle and i.began_at > "from" and i.began_at < "to"
        union all
        (select i.began_at, i.ended_at, i.idle_s from waygate.stops i
        where i.vehicle_id = vehicle and i.began_at <= "from" order by i.began_at desc limit 1)
    ) s
$$;

create type waygate.drive_part as (
    share double precision, way_m double precision, top_speed_mps double precision);

-- The same of one piece; compiled once, and called for few.
create function waygate.drive_part(
    vehicle text, began timestamptz, ended timestamptz, "from" timestamptz, "to" timestamptz)
returns waygate.drive_part language plpgsql stable as $$
declare
    part waygate.drive_part;
begin
    select p.share, p.way_m, p.top_speed_mps into part
    from waygate.drive_parts(
        array[vehicle], array[began], array[ended], array["from"], array["to"]) p;
    return part;
end
$$;

-- What a vehicle drove within a span of time.
create function waygate.driven(vehicle text, "from" timestamptz, "to" timestamptz)
returns table (
    began_at timestamptz, distance_m double precision, moving_s double precision,
    top_speed_mps double precision)
language sql stable as $$
    select min(greatest(d.began_at, "from")),
        coalesce(sum(case
            when d.part is null then d.distance_m
            when d.ended_at is null then (d.part).way_m
            else d.distance_m * (d.part).share
        end), 0),
        coalesce(sum(waygate.overlap_s(d.began_at, d.until, "from", "to")), 0),
        max(case when d.part is null then d.top_speed_mps else (d.part).top_speed_mps end)
    from (
        select u.*, case
            when u.ended_at is null or u.began_at < "from" or u.until > "to"
            then waygate.drive_part(vehicle, u.began_at, u.until, "from", "to")
        end as part
        from (
            select e.began_at, e.ended_at, e.distance_m, e.top_speed_mps,
                coalesce(e.ended_at, greatest(e.began_at, v.fix_time)) as until
            from (
                select * from waygate.drives i
                where i.vehicle_id = vehicle and i.began_at > "from" and i.began_at < "to"
                union all
                (select * from waygate.drives i
                where i.vehicle_id = vehicle and i.began_at <= "from"
                order by i.began_at desc limit 1)
            ) e
            left join waygate.vehicles v on v.vehicle_id = vehicle and e.ended_at is null
        ) u
        where u.until > "from"
        offset 0
    ) d
$$;

create function waygate.drives_between("from" timestamptz, "to" timestamptz)
returns table (
    vehicle_id text, began_at timestamptz, ended_at timestamptz, duration_s double precision,
    distance_m double precision, top_speed_mps double precision, trip_id text, estimated boolean,
    start_lat double precision, start_lon double precision, end_lat double precision,
    end_lon double precision, fixes integer, under_way boolean, clipped boolean)
language sql stable as $$
    with parts as materialized (
        select row_number() over () as piece, d.* from waygate.drives_until("from", "to") d
        where d.ended_at is null or d.began_at < "from" or d.until > "to"
    ), shares as (
        select s.* from (
            select array_agg(vehicle_id order by piece) as vehicles,
                array_agg(began_at order by piece) as begins, array_agg(until order by piece) as ends,
                array_agg("from" order by piece) as froms, array_agg("to" order by piece) as tos
            from parts
        ) a
        cross join lateral waygate.drive_parts(a.vehicles, a.begins, a.ends, a.froms, a.tos) s
    )
    select d.vehicle_id, d.began_at, d.ended_at,
        date_part('epoch', d.ended_at - d.began_at), d.distance_m,
        d.top_speed_mps, d.trip_id, d.estimated, d.start_lat, d.start_lon, d.end_lat, d.end_lon,
        d.fixes, false, false
    from waygate.drives d
    where d.began_at >= "from" and d.ended_at <= "to"
    union all
    select p.vehicle_id, greatest(p.began_at, "from"),
        case when p.ended_at is not null or p.until > "to" then least(p.until, "to") end,
        waygate.overlap_s(p.began_at, p.until, "from", "to"),
        case when p.ended_at is null then s.way_m else p.distance_m * s.share end, s.top_speed_mps,
        p.trip_id, p.estimated, p.start_lat, p.start_lon, p.end_lat, p.end_lon, p.fixes,
        p.ended_at is null, p.began_at < "from" or p.until > "to"
    from parts p join shares s using (piece)
$$;

create function waygate.stops_between("from" timestamptz, "to" timestamptz)
returns table (
    vehicle_id text, began_at timestamptz, ended_at timestamptz, duration_s double precision,
    lat double precision, lon double precision, place_id text, place text, waypoint_index integer,
    waypoint text, trip_id text, planned boolean, idle_s double precision, under_way boolean,
    clipped boolean)
language sql stable as $$
    select s.vehicle_id, greatest(s.began_at, "from"),
        case when s.ended_at is not null or now() > "to" then least(s.ended_at, "to") end,
        waygate.overlap_s(s.began_at, coalesce(s.ended_at, now()), "from", least("to", now())),
        s.lat, s.lon, s.place_id, coalesce(p.name, s.place_id), s.waypoint_index, w.name,
        s.trip_id, s.planned,
        s.idle_s * case when s.began_at >= "from" and s.ended_at <= "to" then 1
            else waygate.overlap_s(s.began_at, s.ended_at, "from", "to")
                / greatest(1e-6, date_part('epoch', s.ended_at - s.began_at))
        end,
        s.ended_at is null, s.began_at < "from" or coalesce(s.ended_at, now()) > "to"
    from waygate.stops s
    left join waygate.places p using (place_id)
    left join waygate.trip_waypoints w on w.vehicle_id = s.vehicle_id
        and w.trip_id = s.trip_id and w.waypoint_index = s.waypoint_index
    where s.began_at < "to" and (s.ended_at > "from" or s.ended_at is null)
$$;

create function waygate.visits_between("from" timestamptz, "to" timestamptz)
returns table (
    place_id text, name text, category text, vehicle_id text, entered_at timestamptz,
    left_at timestamptz, inside_s double precision, crossed_in_at timestamptz,
    crossed_out_at timestamptz, entered_by text, left_by text, passed boolean, trip_id text,
    stopped_s double precision, distance_m double precision, top_speed_mps double precision,
    under_way boolean, clipped boolean)
language sql stable as $$
    select v.place_id, coalesce(p.name, v.place_id), p.category, v.vehicle_id,
        greatest(v.entered_at, "from"),
        case when v.left_at is not null or now() > "to" then least(v.left_at, "to") end,
        waygate.overlap_s(v.entered_at, coalesce(v.left_at, now()), "from", least("to", now())),
        v.crossed_in_at, v.crossed_out_at, v.entered_by, v.left_by, v.passed, v.trip_id,
        s.stopped_s, v.distance_m, v.top_speed_mps, v.left_at is null,
        v.entered_at < "from" or coalesce(v.left_at, now()) > "to"
    from waygate.visits v
    left join waygate.places p using (place_id)
    cross join lateral waygate.stopped(v.vehicle_id, greatest(v.entered_at, "from"),
        least(coalesce(v.left_at, now()), "to")) s
    where v.entered_at < "to"
        and (v.left_at > "from" or v.left_at is null or v.entered_at >= "from")
$$;

create function waygate.speedings_between("from" timestamptz, "to" timestamptz)
returns table (
    vehicle_id text, began_at timestamptz, ended_at timestamptz, duration_s double precision,
    limit_mps double precision, limit_from text, place_id text, place text, trip_id text,
    top_speed_mps double precision, top_excess_mps double precision, distance_m double precision,
    basis text, top_lat double precision, top_lon double precision, under_way boolean,
    clipped boolean)
language sql stable as $$
    select s.vehicle_id, greatest(s.began_at, "from"),
        case when s.ended_at is not null or h.fix_time > "to" then least(s.ended_at, "to") end,
        waygate.overlap_s(s.began_at, coalesce(s.ended_at, h.fix_time), "from", "to"),
        s.limit_mps, s.limit_from, s.place_id, coalesce(p.name, s.place_id), s.trip_id,
        s.top_speed_mps, s.top_excess_mps, s.distance_m, s.basis, s.top_lat, s.top_lon,
        s.ended_at is null, s.began_at < "from" or coalesce(s.ended_at, h.fix_time) > "to"
    from waygate.speedings s
    left join waygate.places p using (place_id)
    left join waygate.vehicles h on h.vehicle_id = s.vehicle_id and s.ended_at is null
    where s.began_at < "to"
        and (s.ended_at > "from" or s.ended_at is null or s.began_at >= "from")
$$;

create view waygate.trip_report as
select t.trip_id, t.vehicle_id, t.state, t.assigned_at, d.began_at, t.ended_at,
    date_part('epoch', span.until - coalesce(d.began_at, t.assigned_at)) as duration_s,
    d.moving_s, w.held_s, s.stopped_s, s.idle_s, e.planned_m, d.distance_m as driven_m,
    p.travelled_distance_m as along_m, w.via_points, w.reached, w.skipped, e.reroutes,
    e.deviations, e.holds_breached, f.speedings, f.speeding_s, d.top_speed_mps,
    case when t.state = 'arrived'
        then date_part('epoch', t.ended_at - coalesce(p.first_eta, p.eta))
    end as late_s
from waygate.trips t
cross join lateral (select coalesce(t.ended_at, now()) as until) span
left join waygate.trip_progress p on p.vehicle_id = t.vehicle_id and p.trip_id = t.trip_id
cross join lateral waygate.driven(t.vehicle_id, t.assigned_at, span.until) d
cross join lateral waygate.stopped(t.vehicle_id, t.assigned_at, span.until) s
cross join lateral (
    select count(*)::integer as via_points,
        (count(*) filter (where status in ('reached', 'visited')))::integer as reached,
        (count(*) filter (where status = 'skipped'))::integer as skipped,
        coalesce(sum(date_part('epoch',
            coalesce(resumed_at, case when status = 'reached' then span.until end) - reached_at)), 0)
            as held_s
    from waygate.trip_waypoints
    where vehicle_id = t.vehicle_id and trip_id = t.trip_id
) w
cross join lateral (
    select (count(*) filter (where type = 'rerouted'))::integer as reroutes,
        (count(*) filter (where type = 'will_reroute' and body ->> 'reason' = 'deviation'))::integer
            as deviations,
        (count(*) filter (where type = 'hold_breached'))::integer as holds_breached,
        (array_agg(coalesce(body -> 'length_m', body -> 'remaining_distance_m')::double precision
            order by sequence) filter (where type in ('trip_assigned', 'rerouted')
                and jsonb_typeof(coalesce(body -> 'length_m', body -> 'remaining_distance_m'))
                    = 'number'))[1] as planned_m
    from waygate.trip_events
    where vehicle_id = t.vehicle_id and trip_id = t.trip_id
) e
cross join lateral (
    select count(*)::integer as speedings,
        coalesce(sum(date_part('epoch', coalesce(ended_at, span.until) - began_at)), 0) as speeding_s
    from waygate.speedings
    where vehicle_id = t.vehicle_id and began_at >= t.assigned_at and began_at < span.until
) f;
comment on view waygate.trip_report is
    'What became of each trip. It begins with its first movement; planned_m is its first route, driven_m what the '
    'positions say, along_m what was travelled on its routes.';

create view waygate.visit_report as
select place_id, name, category, vehicle_id, entered_at, left_at, inside_s, crossed_in_at,
    crossed_out_at, passed, trip_id, stopped_s
from waygate.visits_between('-infinity', 'infinity');
comment on view waygate.visit_report is 'Each visit to a place; while it goes on, inside_s is until now.';

create view waygate.stop_report as
select vehicle_id, began_at, ended_at, duration_s, lat, lon, place_id, place, waypoint_index,
    waypoint, trip_id, planned, idle_s
from waygate.stops_between('-infinity', 'infinity');
comment on view waygate.stop_report is 'Each stop, with the names of its place and via point.';

create view waygate.drive_report as
select vehicle_id, began_at, ended_at, duration_s, distance_m, top_speed_mps, trip_id, estimated,
    start_lat, start_lon, end_lat, end_lon, fixes
from waygate.drives_between('-infinity', 'infinity');
comment on view waygate.drive_report is 'Each drive; of one that goes on, what the positions say.';

create view waygate.speeding_report as
select vehicle_id, began_at, ended_at, duration_s, limit_mps, limit_from, place_id, place, trip_id,
    top_speed_mps, top_excess_mps, distance_m, basis, top_lat, top_lon
from waygate.speedings_between('-infinity', 'infinity');
comment on view waygate.speeding_report is 'Each time that a vehicle was too fast, with the name of the place.';

create function waygate.place_days("from" timestamptz, "to" timestamptz, tz text)
returns table (
    place_id text, day date, name text, category text, visits integer, passes integer,
    vehicles integer, inside_s double precision, longest_s double precision)
language sql stable as $$
    with days as materialized (
        select * from waygate.local_days("from", "to", tz)
    ), begins as materialized (
        select array_agg(began order by number) as begins from days
    )
    select v.place_id, d.day, coalesce(p.name, v.place_id), p.category,
        (count(*) filter (where not v.passed))::integer,
        (count(*) filter (where v.passed))::integer, count(distinct v.vehicle_id)::integer,
        sum(waygate.overlap_s(v.entered_at, v.until, d.began, d.ended)),
        max(waygate.overlap_s(v.entered_at, v.until, d.began, d.ended))
    from (
        select i.*, coalesce(i.left_at, now()) as until from waygate.visits i
        where i.entered_at < "to"
            and (i.left_at > "from" or i.left_at is null or i.entered_at >= "from")
    ) v
    left join waygate.places p using (place_id)
    cross join begins b
    cross join lateral generate_series(
        width_bucket(greatest(v.entered_at, "from"), b.begins), width_bucket(v.until, b.begins)) n
    join days d on d.number = n
    where v.until > d.began or v.entered_at >= d.began
    group by v.place_id, d.day, p.name, p.category
$$;
comment on function waygate.place_days is
    'What happened at each place on each local day: a visit over midnight counts on both days.';

create function waygate.vehicle_days("from" timestamptz, "to" timestamptz, tz text)
returns table (
    vehicle_id text, day date, first_move timestamptz, last_move timestamptz,
    distance_m double precision, moving_s double precision, stops integer,
    stopped_s double precision, idle_s double precision, top_speed_mps double precision,
    speedings integer, speeding_s double precision, trips integer, silent_s double precision)
language sql stable as $$
    with days as materialized (
        select * from waygate.local_days("from", least("to", now()), tz)
    ), begins as materialized (
        select array_agg(began order by number) as begins from days
    ), drives as (
        select p.vehicle_id, p.day, min(p.began_at) as first_move, max(p.until) as last_move,
            sum(p.distance_m) as distance_m, sum(p.moving_s) as moving_s,
            sum(p.moving_s) filter (where not p.estimated) as known_s,
            max(p.top_speed_mps) as top_speed_mps
        from waygate.drive_pieces("from", least("to", now()), tz) p
        group by 1, 2
    ), stops as (
        select s.vehicle_id, d.day, count(*)::integer as stops,
            sum(waygate.overlap_s(s.began_at, s.until, d.began, d.ended)) as stopped_s,
            sum(s.idle_s * waygate.overlap_s(s.began_at, s.until, d.began, d.ended)
                / greatest(1e-6, date_part('epoch', s.until - s.began_at))) as idle_s
        from (
            select i.*, coalesce(i.ended_at, now()) as until from waygate.stops i
            where i.began_at < "to" and (i.ended_at > "from" or i.ended_at is null)
        ) s
        cross join begins b
        cross join lateral generate_series(
            width_bucket(greatest(s.began_at, "from"), b.begins), width_bucket(s.until, b.begins)) n
        join days d on d.number = n
        where s.until > d.began
        group by 1, 2
    ), speedings as (
        select s.vehicle_id, d.day, count(*)::integer as speedings,
            sum(waygate.overlap_s(s.began_at, s.until, d.began, d.ended)) as speeding_s
        from (
            select i.vehicle_id, i.began_at,
                coalesce(i.ended_at, greatest(i.began_at, h.fix_time)) as until
            from waygate.speedings i
            left join waygate.vehicles h on h.vehicle_id = i.vehicle_id and i.ended_at is null
            where i.began_at < "to"
                and (i.ended_at > "from" or i.ended_at is null or i.began_at >= "from")
        ) s
        cross join begins b
        cross join lateral generate_series(
            width_bucket(greatest(s.began_at, "from"), b.begins), width_bucket(s.until, b.begins)) n
        join days d on d.number = n
        where s.until > d.began or s.began_at >= d.began
        group by 1, 2
    ), trips as (
        select t.vehicle_id, d.day, count(*)::integer as trips
        from (
            select i.vehicle_id, i.assigned_at, coalesce(i.ended_at, now()) as until
            from waygate.trips i
            where i.assigned_at < "to" and (i.ended_at > "from" or i.ended_at is null)
        ) t
        cross join begins b
        cross join lateral generate_series(
            width_bucket(greatest(t.assigned_at, "from"), b.begins), width_bucket(t.until, b.begins)) n
        join days d on d.number = n
        where t.until > d.began
        group by 1, 2
    ), vehicles as (
        select m.vehicle_id, m.day from drives m union select s.vehicle_id, s.day from stops s
        union select f.vehicle_id, f.day from speedings f
        union select t.vehicle_id, t.day from trips t
    )
    select v.vehicle_id, v.day, m.first_move, m.last_move, coalesce(m.distance_m, 0),
        coalesce(m.moving_s, 0), coalesce(s.stops, 0), coalesce(s.stopped_s, 0), s.idle_s,
        m.top_speed_mps, coalesce(f.speedings, 0), coalesce(f.speeding_s, 0), coalesce(t.trips, 0),
        greatest(0, date_part('epoch', d.ended - d.began)
            - coalesce(m.known_s, 0) - coalesce(s.stopped_s, 0))
    from vehicles v
    join days d using (day)
    left join drives m using (vehicle_id, day)
    left join stops s using (vehicle_id, day)
    left join speedings f using (vehicle_id, day)
    left join trips t using (vehicle_id, day)
$$;
comment on function waygate.vehicle_days is
    'What each vehicle did on each local day: a drive over midnight is split by its positions. silent_s is what neither '
    'a stop nor a drive that was seen accounts for.';
