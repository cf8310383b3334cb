-- Day partitions of waygate.positions. Making and dropping tables needs the owner's rights, which a
-- worker does not have: these functions run with them, and do nothing else.

create function waygate.make_positions_days(days date[]) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    day date;
    name text;
    made integer := 0;
begin
    foreach day in array days loop
        -- A fix is at most 366 days older than its reception and may wait in a spool besides.
        if day not between current_date - 800 and current_date + 31 then
            raise exception 'no partition of positions is made for %', day
                using errcode = 'datetime_field_overflow';
        end if;
        name := 'positions_' || to_char(day, 'YYYYMMDD');
        continue when to_regclass('waygate.' || name) is not null;
        -- Two sessions may want the same day; the second finds it made.
        perform pg_advisory_xact_lock(hashtext('waygate.positions'));
        continue when to_regclass('waygate.' || name) is not null;
        -- LIKE and ATTACH lock the parent less than PARTITION OF, which would wait for all readers.
        execute format('create table waygate.%I (like waygate.positions including all)', name);
        execute format(
            'alter table waygate.positions attach partition waygate.%I for values from (%L) to (%L)',
            name, day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
        made := made + 1;
    end loop;
    return made;
end
$$;
comment on function waygate.make_positions_days(date[]) is
    'Makes the partitions of the given UTC days that are missing; returns how many it made.';

create function waygate.drop_positions_day(before date) returns date
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    oldest text;
begin
    if before >= current_date then
        raise exception 'positions of % may still be written', before
            using errcode = 'invalid_parameter_value';
    end if;
    select c.relname into oldest
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'waygate.positions'::regclass
            and c.relname ~ '^positions_[0-9]{8}$'
            and c.relname < 'positions_' || to_char(before, 'YYYYMMDD')
        order by c.relname limit 1;
    if oldest is null then
        return null;
    end if;
    execute format('drop table waygate.%I', oldest);
    return to_date(right(oldest, 8), 'YYYYMMDD');
end
$$;
comment on function waygate.drop_positions_day(date) is
    'Drops the oldest partition if its UTC day lies before the given one; returns that day, or null.';

revoke all on function waygate.make_positions_days(date[]) from public;
revoke all on function waygate.drop_positions_day(date) from public;

select waygate.make_positions_days(
    array(select d::date from generate_series(
        (now() at time zone 'UTC')::date - 1, (now() at time zone 'UTC')::date + 7, '1 day') d));
