#!/bin/sh
# Makes a backup of the database at DATABASE_URL (the owner's login, no pooler) in BACKUP_FOLDER, and names it. BACKUP_STAMP is touched
# when it succeeded, for beacon doctor. Backups older than BACKUP_DAYS (14) are deleted, but never the newest.
set -eu
umask 077
: "${DATABASE_URL:?is not set: the login of the owner}"
: "${BACKUP_FOLDER:?is not set}"
. "$(dirname "$(readlink -f "$0")")/login.sh"

file=$BACKUP_FOLDER/beacon-$(date -u +%Y%m%dT%H%M%SZ).dump
# The half of a backup that failed would keep a full disk full.
trap 'rm -f "$file.part"' EXIT
trap 'exit 1' HUP INT TERM
with_login "$DATABASE_URL" pg_dump --format=custom --no-owner --file="$file.part"
# It can be read to its end.
pg_restore --file=/dev/null "$file.part"
mv "$file.part" "$file"
find "$BACKUP_FOLDER" -name 'beacon-*.dump' ! -path "$file" -mtime "+${BACKUP_DAYS:-14}" -delete
if [ -n "${BACKUP_STAMP:-}" ]; then touch "$BACKUP_STAMP"; fi
printf '%s\n' "$file"
