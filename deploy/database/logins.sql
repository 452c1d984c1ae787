-- The logins of the processes, each of which can do no more than it needs (docs/operations/database.md):
--   psql --file deploy/database/logins.sql
-- with a password for each in the environment, such as `openssl rand -hex 24` prints: every user of a machine can read the arguments of its
-- programs. Run it once on a server, after deploy/backup/roles.sql.
\getenv api API_PASSWORD
\getenv intake INTAKE_PASSWORD
\getenv worker WORKER_PASSWORD
\getenv office OFFICE_PASSWORD
create role beacon_api_login login password :'api' in role beacon_api;
create role beacon_intake_login login password :'intake' in role beacon_intake;
create role beacon_worker_login login password :'worker' in role beacon_worker;
create role beacon_office_login login password :'office' in role beacon_operator, beacon_office;
