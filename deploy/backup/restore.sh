#!/bin/sh
# restore.sh FILE: restores a backup of backup.sh to the empty database at DATABASE_URL (the owner's login, no pooler). ADMIN_URL is a login
# of the same server that may create roles. Nothing is sent from the restored database until `beacon restore begin`.
set -eu
# What exists already, and what only an administrator may analyze, is no news.
export PGOPTIONS='-c client_min_messages=error'
file=${1:?names no backup}
: "${DATABASE_URL:?is not set: the login of the owner}"
: "${ADMIN_URL:?is not set: a login that may create roles}"
here=$(dirname "$(readlink -f "$0")")
. "$here/login.sh"

ask() { with_login "$DATABASE_URL" psql --no-psqlrc --tuples-only --no-align --command="$1"; }
tables=$(ask "select count(*) from pg_tables where schemaname = 'public'")
if [ "$tables" != 0 ]; then
  echo "The database at DATABASE_URL is not empty: it has $tables tables. Create a new one." >&2
  exit 1
fi
owner=$(ask 'select current_user')
with_login "$ADMIN_URL" psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --set=owner="$owner" --file="$here/roles.sql"
with_login "$DATABASE_URL" pg_restore --no-owner --exit-on-error --jobs="${RESTORE_JOBS:-2}" "$file"
with_login "$DATABASE_URL" psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --command=analyze
