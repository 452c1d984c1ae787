-- The roles that a backup of the database refers to. They belong to the server, not to the database, so they must be there before a
-- backup is restored on another server:
--   psql --set owner=OWNER --file deploy/backup/roles.sql
-- OWNER is the login of DATABASE_URL. The logins of the processes have passwords of their own: docs/operations/database.md.
select format('create role %I nologin', name) as statement
from unnest(array['beacon_api', 'beacon_worker', 'beacon_intake', 'beacon_operator', 'beacon_office']) as name
where not exists (select from pg_roles where rolname = name)
\gexec
grant beacon_api, beacon_office to :"owner";
