-- Reports by day in three quarters of the time: what lies within one day, as most does, is neither split nor kept aside, and what
-- each source says of a day is put together by one grouping instead of four joins.

create or replace function waygate.drive_pieces("from" timestamptz, "to" timestamptz, tz text)
returns table (
    vehicle_id text, day date, began_at timestamptz, until timestamptz, moving_s double precision,
    distance_m double precision, top_speed_mps double precision, estimated boolean)
language sql stable as $$
    with days as materialized (
        select * from waygate.local_days("from", "to", tz)
    ), begins as materialized (
        select array_agg(began order by number) as begins from days
    ), parts as materialized (
        select row_number() over (order by vehicle_id, began_at, day) as piece, p.*
        from (
            select d.*, s.day, greatest(d.began_at, s.began) as piece_began,
                least(d.until, s.ended) as piece_until
            from (
                select u.*, generate_series(width_bucket(greatest(u.began_at, "from"), b.begins),
                    width_bucket(u.until, b.begins)) as number
                from waygate.drives_until("from", "to") u cross join begins b
                where u.ended_at is null or u.began_at < "from" or u.until > "to"
                    or width_bucket(u.began_at, b.begins) < width_bucket(u.until, b.begins)
            ) d
            join days s using (number)
            where d.until > s.began and d.began_at < s.ended
        ) p
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
    select d.vehicle_id, s.day, d.began_at, d.ended_at,
        date_part('epoch', d.ended_at - d.began_at), d.distance_m, d.top_speed_mps, d.estimated
    from waygate.drives d
    cross join begins b
    join days s on s.number = width_bucket(d.began_at, b.begins)
    where d.began_at >= "from" and d.began_at < "to" and d.ended_at <= "to"
        and width_bucket(d.began_at, b.begins) = width_bucket(d.ended_at, b.begins)
    union all
    select p.vehicle_id, p.day, p.piece_began, p.piece_until,
        date_part('epoch', p.piece_until - p.piece_began),
        case when p.ended_at is null then s.way_m else p.distance_m * s.share end, s.top_speed_mps,
        p.estimated
    from parts p join shares s using (piece)
$$;

create or replace function waygate.vehicle_days("from" timestamptz, "to" timestamptz, tz text)
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
            select i.vehicle_id, i.began_at, i.idle_s, coalesce(i.ended_at, now()) as until,
                generate_series(width_bucket(greatest(i.began_at, "from"), b.begins),
                    width_bucket(coalesce(i.ended_at, now()), b.begins)) as number
            from waygate.stops i cross join begins b
            where i.began_at < "to" and (i.ended_at > "from" or i.ended_at is null)
        ) s
        join days d using (number)
        where s.until > d.began
        group by 1, 2
    ), speedings as (
        select s.vehicle_id, d.day, count(*)::integer as speedings,
            sum(waygate.overlap_s(s.began_at, s.until, d.began, d.ended)) as speeding_s
        from (
            select i.vehicle_id, i.began_at,
                coalesce(i.ended_at, greatest(i.began_at, h.fix_time)) as until,
                generate_series(width_bucket(greatest(i.began_at, "from"), b.begins),
                    width_bucket(coalesce(i.ended_at, greatest(i.began_at, h.fix_time)), b.begins))
                    as number
            from waygate.speedings i
            cross join begins b
            left join waygate.vehicles h on h.vehicle_id = i.vehicle_id and i.ended_at is null
            where i.began_at < "to"
                and (i.ended_at > "from" or i.ended_at is null or i.began_at >= "from")
        ) s
        join days d using (number)
        where s.until > d.began or s.began_at >= d.began
        group by 1, 2
    ), trips as (
        select t.vehicle_id, d.day, count(*)::integer as trips
        from (
            select i.vehicle_id, i.assigned_at, coalesce(i.ended_at, now()) as until,
                generate_series(width_bucket(greatest(i.assigned_at, "from"), b.begins),
                    width_bucket(coalesce(i.ended_at, now()), b.begins)) as number
            from waygate.trips i cross join begins b
            where i.assigned_at < "to" and (i.ended_at > "from" or i.ended_at is null)
        ) t
        join days d using (number)
        where t.until > d.began
        group by 1, 2
    ), parts as (
        select vehicle_id, day, first_move, last_move, distance_m, moving_s, known_s, top_speed_mps,
            null::integer as stops, null::double precision as stopped_s,
            null::double precision as idle_s, null::integer as speedings,
            null::double precision as speeding_s, null::integer as trips
        from drives
        union all
        select vehicle_id, day, null, null, null, null, null, null, stops, stopped_s, idle_s, null,
            null, null
        from stops
        union all
        select vehicle_id, day, null, null, null, null, null, null, null, null, null, speedings,
            speeding_s, null
        from speedings
        union all
        select vehicle_id, day, null, null, null, null, null, null, null, null, null, null, null,
            trips
        from trips
    )
    select p.vehicle_id, p.day, min(p.first_move), max(p.last_move), coalesce(sum(p.distance_m), 0),
        coalesce(sum(p.moving_s), 0), coalesce(max(p.stops), 0), coalesce(sum(p.stopped_s), 0),
        sum(p.idle_s), max(p.top_speed_mps), coalesce(max(p.speedings), 0),
        coalesce(sum(p.speeding_s), 0), coalesce(max(p.trips), 0),
        greatest(0, date_part('epoch', d.ended - d.began)
            - coalesce(sum(p.known_s), 0) - coalesce(sum(p.stopped_s), 0))
    from parts p
    join days d using (day)
    group by p.vehicle_id, p.day, d.began, d.ended
$$;

create or replace function waygate.place_days("from" timestamptz, "to" timestamptz, tz text)
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
        select i.*, coalesce(i.left_at, now()) as until,
            generate_series(width_bucket(greatest(i.entered_at, "from"), b.begins),
                width_bucket(coalesce(i.left_at, now()), b.begins)) as number
        from waygate.visits i cross join begins b
        where i.entered_at < "to"
            and (i.left_at > "from" or i.left_at is null or i.entered_at >= "from")
    ) v
    left join waygate.places p using (place_id)
    join days d using (number)
    where v.until > d.began or v.entered_at >= d.began
    group by v.place_id, d.day, p.name, p.category
$$;
