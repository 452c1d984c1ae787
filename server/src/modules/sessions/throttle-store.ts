import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';
import { networksOf } from './networks.ts';
import {
  type Counted,
  createThrottle,
  keptMsOf,
  type Sign,
  type Throttle,
  throttleWindows,
  waitOf,
} from './throttle-rules.ts';

/**
 * Counts an attempt as a failure of each of its keys before it is made, so that a hundred attempts at once cannot pass the limits.
 * Locks the keys in one order, so that two attempts on the same keys never wait for each other forever.
 *
 * @returns the failures counted for each key before, in the order given.
 */
export async function countAttempt(
  db: Db,
  throttles: readonly Throttle[],
  now: Date,
): Promise<Counted[]> {
  const ordered = [...throttles].sort((a, b) => a.key.compare(b.key));
  const keys = ordered.map((throttle) => throttle.key);
  const keptUntil = ordered.map(({ kind }) => new Date(now.getTime() + keptMsOf(kind)));
  const hourEnd = new Date(now.getTime() + throttleWindows.hourMs);
  const dayEnd = new Date(now.getTime() + throttleWindows.dayMs);
  const { rows } = await sql<{
    key: Buffer;
    hour: number;
    hour_ends_at: Date;
    day: number;
    day_ends_at: Date;
    total: number;
  }>`
    insert into throttles as t
      (throttle_key, failures, window_ends_at, day_failures, day_ends_at, total_failures, kept_until)
    select key, 1, ${hourEnd}::timestamptz, 1, ${dayEnd}::timestamptz, 1, kept_until
    from unnest(${keys}::bytea[], ${keptUntil}::timestamptz[]) as attempt(key, kept_until)
    on conflict (throttle_key) do update set
      failures = case when t.window_ends_at <= ${now} then 1 else t.failures + 1 end,
      window_ends_at = case when t.window_ends_at <= ${now} then excluded.window_ends_at else t.window_ends_at end,
      day_failures = case when t.day_ends_at <= ${now} then 1 else t.day_failures + 1 end,
      day_ends_at = case when t.day_ends_at <= ${now} then excluded.day_ends_at else t.day_ends_at end,
      total_failures = t.total_failures + 1,
      kept_until = excluded.kept_until
    returning throttle_key as key, failures - 1 as hour, window_ends_at as hour_ends_at,
      day_failures - 1 as day, day_ends_at, total_failures - 1 as total`.execute(db);
  const byKey = new Map(rows.map((row) => [row.key.toString('hex'), row]));
  return throttles.map((throttle) => {
    const row = byKey.get(throttle.key.toString('hex'));
    if (!row) throw new Error('A counted key is gone.');
    return {
      ...throttle,
      hour: row.hour,
      hourEndsAt: row.hour_ends_at,
      day: row.day,
      dayEndsAt: row.day_ends_at,
      total: row.total,
    };
  });
}

/**
 * Notes a person at networks for an hour, before it is known whether the sign-in succeeds.
 *
 * @returns the networks where the person is new
 */
export async function joinNetworks(
  db: Db,
  networks: readonly Throttle[],
  person: Buffer,
  now: Date,
): Promise<Throttle[]> {
  const keys = networks.map((one) => one.key).sort((a, b) => a.compare(b));
  const expiresAt = new Date(now.getTime() + throttleWindows.hourMs);
  const { rows } = await sql<{ network_key: Buffer }>`
    insert into network_voters as known (network_key, person_key, expires_at)
    select key, ${person}::bytea, ${expiresAt}::timestamptz from unnest(${keys}::bytea[]) as networks(key)
    on conflict (network_key, person_key) do update set expires_at = excluded.expires_at
      where known.expires_at <= ${now}
    returning network_key`.execute(db);
  return networks.filter(({ key }) => rows.some((row) => row.network_key.equals(key)));
}

/** Takes back what {@link joinNetworks} noted: the person did not sign in. */
export async function leaveNetworks(
  db: Db,
  networks: readonly Throttle[],
  person: Buffer,
): Promise<void> {
  if (networks.length === 0) return;
  const left = sql`left_networks as (
    delete from network_voters
    where network_key = any(${networks.map((one) => one.key)}::bytea[]) and person_key = ${person}),`;
  await creditThrottles(db, networks.map(toCredit), left);
}

export interface Credit extends Throttle {
  /** Subtracted from the hour and the day. */
  readonly failures: number;
  readonly total: number;
}

/** Removes counted attempts: they were no failures. */
export async function forgiveAttempt(db: Db, throttles: readonly Throttle[]): Promise<void> {
  await creditThrottles(db, throttles.map(toCredit));
}

function toCredit(throttle: Throttle): Credit {
  return { ...throttle, failures: 1, total: 1 };
}

/** @param alsoDone a `with` part for the same statement, with its comma */
export async function creditThrottles(
  db: Db,
  credits: readonly Credit[],
  alsoDone = sql``,
): Promise<void> {
  const keys = credits.map((credit) => credit.key);
  await sql`
    with ${alsoDone} locked as (
      select throttle_key, credit.failures, credit.total
      from throttles
        join unnest(${keys}::bytea[], ${credits.map((one) => one.failures)}::integer[],
          ${credits.map((one) => one.total)}::integer[]) as credit(key, failures, total) on credit.key = throttle_key
      order by throttle_key for update of throttles)
    update throttles t set
      failures = greatest(0, t.failures - locked.failures),
      day_failures = greatest(0, t.day_failures - locked.failures),
      total_failures = greatest(0, t.total_failures - locked.total)
    from locked where locked.throttle_key = t.throttle_key`.execute(db);
}

/** Removes counters; returns how many there were. */
export async function deleteThrottles(db: Db, throttles: readonly Throttle[]): Promise<number> {
  const keys = throttles.map((throttle) => throttle.key);
  const { numAffectedRows } =
    await sql`delete from throttles where throttle_key = any(${keys}::bytea[])`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Counts a wrong password for the scan push, or a refused sign-in at the console.
 *
 * @param scope the account
 * @returns until when this address must wait
 */
export async function countRefusal(
  db: Db,
  sign: Sign,
  kind: 'push' | 'console',
  { scope, address, now }: { scope: string; address: string; now: Date },
): Promise<Date | undefined> {
  const throttle = createThrottle(sign, kind, `${scope}|${networksOf(address)[0]}`);
  const wait = waitOf(await countAttempt(db, [throttle], now));
  if (wait) await forgiveAttempt(db, [throttle]);
  return wait;
}
