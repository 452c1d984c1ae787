-- A mail house's files are judged with those of their week, too.
drop index imports_judged;
create index imports_judged on imports (account_id, started_at)
  where report->'learned' ?| array['changes', 'roll', 'pieces'];
