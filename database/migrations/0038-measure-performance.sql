-- What voters see of how the office's alerts and this site are doing.

-- When a message that had to be tried again was due at first; null while deliver_after still says so.
alter table messages add column due_at timestamptz;

-- The minutes of a day (UTC) in which a process that serves voters answered and reached the database.
create table availability_days (
  day date primary key,
  first_minute timestamptz not null,
  last_minute timestamptz not null,
  answered smallint not null check (answered between 1 and 1440)
);
grant select, insert, update on availability_days to beacon_api;
