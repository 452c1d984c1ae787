-- Failed attempts count by hour ("failures" until "window_ends_at"), by day and for good. A row stays as long as its
-- total matters, which depends on what it counts.
alter table throttles
  add column day_failures integer not null default 0,
  add column day_ends_at timestamptz not null default '-infinity',
  add column total_failures integer not null default 0,
  add column kept_until timestamptz not null default now();
drop index throttles_by_end;
create index throttles_by_end on throttles (kept_until);

-- How much work a solution proved, for the further question that it may answer.
alter table used_captchas add column work_level smallint not null default 0;
