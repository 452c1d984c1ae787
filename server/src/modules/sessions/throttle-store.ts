import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { type AuditEntry, insertAudit } from '../audit/index.ts';
import { networksOf } from './networks.ts';
import {
  type Counted,
  createThrottle,
  keptMsOf,
  lifetimeLimit,
  type Sign,
  type Throttle,
  throttleWindows,
  waitOf,
} from './throttle-rules.ts';

/** Somebody at networks that count their different people. */
export interface Visitor {
  readonly networks: readonly Throttle[];
  readonly person: Buffer;
}

/**
 * Counts an attempt as a failure of each of its keys before it is made, so that a hundred attempts at once cannot pass the limits.
 * Notes the visitor at the networks for an hour, and counts it where it is new.
 *
 * All statements lock what is noted at networks before the keys, and each in one order, so that two attempts never wait for each other forever.
 *
 * @returns the failures counted for each key before, in the order given, and for each network where the visitor is new.
 */
export async function countAttempt(
  db: Db,
  throttles: readonly Throttle[],
  now: Date,
  visitor?: Visitor,
): Promise<Counted[]> {
  const { rows } = await countedBy(throttles, now, visitor).execute(db);
  const byKey = new Map(rows.map((row) => [row.key.toString('hex'), row]));
  const read = (throttle: Throttle): Counted[] => {
    const row = byKey.get(throttle.key.toString('hex'));
    if (!row) return [];
    const { hour, hour_ends_at: hourEndsAt, day, day_ends_at: dayEndsAt, total } = row;
    return [{ ...throttle, hour, hourEndsAt, day, dayEndsAt, total }];
  };
  const counted = throttles.flatMap(read);
  if (counted.length < throttles.length) throw new Error('A counted key is gone.');
  return [...counted, ...(visitor?.networks.flatMap(read) ?? [])];
}

interface CountedRow {
  readonly key: Buffer;
  readonly hour: number;
  readonly hour_ends_at: Date;
  readonly day: number;
  readonly day_ends_at: Date;
  readonly total: number;
}

function countedBy(
  throttles: readonly Throttle[],
  now: Date,
  visitor?: Visitor,
): RawBuilder<CountedRow> {
  const all = [...throttles, ...(visitor?.networks ?? [])];
  const ordered = all.sort((a, b) => a.key.compare(b.key));
  const keys = ordered.map((throttle) => throttle.key);
  const keptUntil = ordered.map(({ kind }) => new Date(now.getTime() + keptMsOf(kind)));
  const hourEnd = new Date(now.getTime() + throttleWindows.hourMs);
  const dayEnd = new Date(now.getTime() + throttleWindows.dayMs);
  const known = throttles.map((one) => one.key);
  return sql<CountedRow>`
    ${visitor ? sql`with joined as (${joinNetworks(visitor, now)})` : sql``}
    insert into throttles as t
      (throttle_key, failures, window_ends_at, day_failures, day_ends_at, total_failures, kept_until)
    select key, 1, ${hourEnd}::timestamptz, 1, ${dayEnd}::timestamptz, 1, kept_until
    from unnest(${keys}::bytea[], ${keptUntil}::timestamptz[]) as attempt(key, kept_until)
    ${visitor ? sql`where key = any(${known}::bytea[]) or key in (select network_key from joined) order by key` : sql``}
    on conflict (throttle_key) do update set
      failures = case when t.window_ends_at <= ${now} then 1 else t.failures + 1 end,
      window_ends_at = case when t.window_ends_at <= ${now} then excluded.window_ends_at else t.window_ends_at end,
      day_failures = case when t.day_ends_at <= ${now} then 1 else t.day_failures + 1 end,
      day_ends_at = case when t.day_ends_at <= ${now} then excluded.day_ends_at else t.day_ends_at end,
      total_failures = t.total_failures + 1,
      kept_until = excluded.kept_until
    returning throttle_key as key, failures - 1 as hour, window_ends_at as hour_ends_at,
      day_failures - 1 as day, day_ends_at, total_failures - 1 as total`;
}

/** SQL with a row for each network where the visitor is new. */
function joinNetworks({ networks, person }: Visitor, now: Date): RawBuilder<unknown> {
  const keys = networks.map((one) => one.key).sort((a, b) => a.compare(b));
  const expiresAt = new Date(now.getTime() + throttleWindows.hourMs);
  return sql`
    insert into network_voters as known (network_key, person_key, expires_at)
    select key, ${person}::bytea, ${expiresAt}::timestamptz from unnest(${keys}::bytea[]) as networks(key)
    on conflict (network_key, person_key) do update set expires_at = excluded.expires_at
      where known.expires_at <= ${now}
    returning network_key`;
}

/** What an office's record says of an attempt. */
export interface Refusal extends AuditEntry {
  readonly accountId: AccountId;
}

/** Takes back what {@link countAttempt} noted: the visitor did not sign in. Records the refusal in the same statement. */
export async function leaveNetworks(
  db: Db,
  { networks, person }: Visitor,
  refusal?: Refusal,
): Promise<void> {
  const record = refusal && insertAudit(refusal.accountId, refusal);
  if (networks.length === 0) return void (await record?.execute(db));
  const recorded = record ? sql`recorded as (${record}),` : sql``;
  const left = sql`${recorded} left_networks as (
    delete from network_voters
    where network_key = any(${networks.map((one) => one.key)}::bytea[]) and person_key = ${person}
    returning network_key),`;
  await creditThrottles(
    db,
    networks.map(toCredit),
    left,
    sql`(select count(*) from left_networks)`,
  );
}

interface Amounts {
  /** Subtracted from the hour and the day. */
  readonly failures: number;
  readonly total: number;
}

export interface Credit extends Throttle, Amounts {}

export interface WelcomeCredit extends Credit {
  /** In place of the others at the voter's first sign-in of the day. */
  readonly first: Amounts;
}

/** Removes counted attempts: they were no failures. */
export async function forgiveAttempt(db: Db, throttles: readonly Throttle[]): Promise<void> {
  await creditThrottles(db, throttles.map(toCredit));
}

function toCredit(throttle: Throttle): Credit {
  return { ...throttle, failures: 1, total: 1 };
}

/**
 * @param alsoDone `with` parts for the same statement, each with its comma
 * @param before of these, a value that is computed before anything else is locked
 */
async function creditThrottles(
  db: Db,
  credits: readonly Credit[],
  alsoDone = sql``,
  before = sql`true`,
): Promise<void> {
  const keys = credits.map((credit) => credit.key);
  await sql`
    with ${alsoDone} locked as (
      select throttle_key, credit.failures, credit.total
      from throttles
        join unnest(${keys}::bytea[], ${credits.map((one) => one.failures)}::integer[],
          ${credits.map((one) => one.total)}::integer[]) as credit(key, failures, total) on credit.key = throttle_key
      where ${before} is not null
      order by throttle_key for update of throttles)
    ${subtractLocked}`.execute(db);
}

const subtractLocked = sql`update throttles t set
      failures = greatest(0, t.failures - locked.failures),
      day_failures = greatest(0, t.day_failures - locked.failures),
      total_failures = greatest(0, t.total_failures - locked.total)
    from locked where locked.throttle_key = t.throttle_key`;

/** SQL: `with` parts for the statement that starts a session. */
export type Welcome = RawBuilder<unknown>;

/**
 * Counts a sign-in of a voter and remove what was counted before, for the statement that starts the session.
 * The voter's own counter is locked before all others, so that two sign-ins of one voter never wait for each other forever.
 *
 * @param welcome counts the sign-ins of this voter
 */
export function welcomeVoter(
  welcome: Throttle,
  credits: readonly WelcomeCredit[],
  now: Date,
): Welcome {
  const isFirst = sql`(select day = 0 from welcomed)`;
  const list = (read: (one: WelcomeCredit) => number) => sql`${credits.map(read)}::integer[]`;
  return sql`
    welcomed as (${countedBy([welcome], now)}),
    locked as (
      select throttle_key,
        case when ${isFirst} then credit.first_failures else credit.failures end as failures,
        case when ${isFirst} then credit.first_total else credit.total end as total
      from throttles
        join unnest(${credits.map((one) => one.key)}::bytea[], ${list((one) => one.failures)}, ${list((one) => one.total)},
          ${list((one) => one.first.failures)}, ${list((one) => one.first.total)})
          as credit(key, failures, total, first_failures, first_total) on credit.key = throttle_key
      where ${isFirst} is not null
      order by throttle_key for update of throttles),
    credited as (${subtractLocked})`;
}

/** Whether the lifetime limit of one of these counters is reached. @param db of an operator, who may read no counter */
export async function hasLocked(db: Db, throttles: readonly Throttle[]): Promise<boolean> {
  const keys = throttles.map((throttle) => throttle.key);
  const { rows } = await sql<{ is_locked: boolean }>`
    select has_locked(${keys}::bytea[], ${lifetimeLimit}) as is_locked`.execute(db);
  return rows[0]?.is_locked ?? false;
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
