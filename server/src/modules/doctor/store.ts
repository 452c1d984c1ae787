import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';

export interface LoginRights {
  readonly login: string;
  /** Superuser, or past row-level security. */
  readonly isAllPowerful: boolean;
  /** Of the tables, or a member of the role that is. */
  readonly isOwner: boolean;
  /** Of this product, by name. */
  readonly roles: readonly string[];
  /** Whether its connection goes over the network without encryption. */
  readonly isPlain: boolean;
}

/** @param db a connection of the login, whatever role its transactions take */
export async function readLoginRights(db: Db): Promise<LoginRights | undefined> {
  const { rows } = await sql<LoginRights>`
    select r.rolname as login, r.rolsuper or r.rolbypassrls as "isAllPowerful",
      pg_has_role(r.rolname, t.relowner, 'member') as "isOwner",
      array(select o.rolname::text from pg_roles o
        where o.rolname in ('beacon_api', 'beacon_worker', 'beacon_intake', 'beacon_office', 'beacon_operator')
          and pg_has_role(r.rolname, o.oid, 'member') order by 1) as roles,
      coalesce(not (inet_server_addr() << '127.0.0.0/8' or inet_server_addr() = '::1'
        or inet_server_addr() = inet_client_addr()), false)
        and not coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isPlain"
    from pg_roles r, pg_class t
    where r.rolname = session_user and t.oid = 'voters'::regclass`.execute(db);
  return rows[0];
}

/** Of the last day, one row for each kind of attack and office. */
export interface RecentAttack {
  readonly kind: 'spraying' | 'preferences-changed-in-mass' | 'sending-stopped';
  /** Empty where no office is known. */
  readonly subdomain: string;
}

/** Attacks that an operator must look at, and offices whose requests wait above the daily limit. */
export async function readRecentAttacks(db: Db, now: Date): Promise<RecentAttack[]> {
  const { rows } = await sql<RecentAttack>`
    select 'sending-stopped' as kind, a.subdomain from accounts a
    where exists (select from messages m where m.account_id = a.account_id and m.state = 'held'
      and m.error_code = 'daily-limit')
    union
    select replace(l.action, 'security.', ''), coalesce(a.subdomain, '')
    from audit_log l left join accounts a using (account_id)
    where l.action in ('security.spraying', 'security.preferences-changed-in-mass')
      and l.at > ${now}::timestamptz - interval '1 day'
    order by 1, 2
    -- sequential scan: an operator runs this by hand, and nobody waits for it`.execute(db);
  return rows;
}

/** How many voters have tokens stored in this way. */
export interface StoredTokens {
  /** Of the key; null: by versions before keys. */
  readonly keyId: string | null;
  readonly voters: number;
}

export async function countStoredTokens(db: Db): Promise<StoredTokens[]> {
  const { rows } = await sql<StoredTokens>`
    select case when token_hash like 'keyed%' then split_part(token_hash, '$', 2) end as "keyId", count(*) as voters
    from voters where token_hash is not null group by 1
    -- sequential scan: an operator runs this by hand, and nobody waits for it`.execute(db);
  return rows;
}

export interface ServerFacts {
  readonly now: Date;
  /** Whether the server keeps its log for restoring to a point in time, and did so lately. */
  readonly isArchiving: boolean;
}

export async function readServerFacts(db: Db): Promise<ServerFacts | undefined> {
  const { rows } = await sql<ServerFacts>`
    select clock_timestamp() as now,
      current_setting('archive_mode') <> 'off'
        and coalesce((select last_archived_time > now() - interval '1 day'
          and (last_failed_time is null or last_failed_time < last_archived_time) from pg_stat_archiver), false)
        as "isArchiving"`.execute(db);
  return rows[0];
}
