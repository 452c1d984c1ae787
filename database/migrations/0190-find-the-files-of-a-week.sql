-- A file is judged with those of its week, among which an office has ten thousand pushes of scans.
create index imports_judged on imports (account_id, started_at) where report->'learned' ?| array['changes', 'roll'];
