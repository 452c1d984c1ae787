import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';

export interface LoginRights {
  readonly login: string;
  /** Superuser, or past row-level security. */
  readonly isAllPowerful: boolean;
  /** Of the tables, or a member of the role that is. */
  readonly isOwner: boolean;
}

/** @param db a connection of the login, whatever role its transactions take */
export async function readLoginRights(db: Db): Promise<LoginRights | undefined> {
  const { rows } = await sql<LoginRights>`
    select r.rolname as login, r.rolsuper or r.rolbypassrls as "isAllPowerful",
      pg_has_role(r.rolname, t.relowner, 'member') as "isOwner"
    from pg_roles r, pg_class t
    where r.rolname = session_user and t.oid = 'voters'::regclass`.execute(db);
  return rows[0];
}

export interface ServerFacts {
  readonly isEncrypted: boolean;
  /** Over the network, not a socket or this machine's own address. */
  readonly isRemote: boolean;
  readonly now: Date;
  /** Whether the server keeps its log for restoring to a point in time, and did so lately. */
  readonly isArchiving: boolean;
}

export async function readServerFacts(db: Db): Promise<ServerFacts | undefined> {
  const { rows } = await sql<ServerFacts>`
    select coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
      coalesce(not (inet_server_addr() << '127.0.0.0/8' or inet_server_addr() = '::1'
        or inet_server_addr() = inet_client_addr()), false) as "isRemote",
      clock_timestamp() as now,
      current_setting('archive_mode') <> 'off'
        and coalesce((select last_archived_time > now() - interval '1 day'
          and (last_failed_time is null or last_failed_time < last_archived_time) from pg_stat_archiver), false)
        as "isArchiving"`.execute(db);
  return rows[0];
}
