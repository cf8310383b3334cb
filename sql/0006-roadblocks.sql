-- Roadblocks: places that close roads.

alter table waygate.places add column closed_since timestamptz;
comment on column waygate.places.closed_since is
    'When it was told that the place closes roads; null while it closes none.';
