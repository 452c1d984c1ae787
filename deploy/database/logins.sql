-- The logins of the processes, each of which can do no more than it needs (docs/operations/database.md):
--   psql --set api=… --set intake=… --set worker=… --set office=… --file deploy/database/logins.sql "$ADMIN_URL"
-- with a password for each, such as `openssl rand -hex 24` prints. Run it once on a server, after deploy/backup/roles.sql.
create role beacon_api_login login password :'api' in role beacon_api;
create role beacon_intake_login login password :'intake' in role beacon_intake;
create role beacon_worker_login login password :'worker' in role beacon_worker;
create role beacon_office_login login password :'office' in role beacon_operator, beacon_office;
