import type { Channel } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres.ts';
import {
  demotionGapMs,
  demotionPoints,
  type ProviderHealth,
  recoveryGapMs,
  recoveryPoints,
  slowAfterMs,
  slowMinimum,
  slowShare,
  slowWithinMs,
} from './rules.ts';

/** Makes known which providers a channel has, in order of preference: the first has all the traffic while it is well. */
export async function registerProviders(
  db: Db,
  channel: Channel,
  names: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    insert into providers (provider, channel, weight, resting_weight, changed_at)
    select name, ${channel}, case when place = 1 then 100 else 0 end, case when place = 1 then 100 else 0 end,
      ${new Date(now.getTime() - demotionGapMs)}
    from unnest(${[...names]}::text[]) with ordinality as n (name, place)
    on conflict (provider, channel) do update set resting_weight = excluded.resting_weight`.execute(
    db,
  );
}

export async function readHealth(
  db: Db,
  channel: Channel,
  names: readonly string[],
): Promise<ProviderHealth[]> {
  const { rows } = await sql<{ provider: string; weight: number; paused_until: Date | null }>`
    select provider, weight, paused_until from providers
    where channel = ${channel} and provider = any(${[...names]}::text[])
    order by array_position(${[...names]}::text[], provider)`.execute(db);
  return rows.map((row) => ({
    provider: row.provider,
    weight: row.weight,
    pausedUntil: row.paused_until,
  }));
}

/** Takes points from a provider that failed and gives them to the others; at most once per gap, however many workers ask. */
export async function demoteProvider(
  db: Db,
  channel: Channel,
  provider: string,
  names: readonly string[],
  now: Date,
): Promise<void> {
  const others = names.filter((name) => name !== provider);
  if (others.length === 0) return;
  await sql`
    with demoted as (
      update providers set weight = greatest(0, weight - ${demotionPoints}), changed_at = ${now}
      where channel = ${channel} and provider = ${provider} and weight > 0
        and changed_at <= ${new Date(now.getTime() - demotionGapMs)}
      returning provider
    )
    update providers set weight = least(100, weight + ${Math.ceil(demotionPoints / others.length)})
    where channel = ${channel} and provider = any(${others}::text[]) and exists (select from demoted)`.execute(
    db,
  );
}

/** Provider asked for patience: nobody hands it anything before `until`. */
export async function pauseProvider(
  db: Db,
  channel: Channel,
  provider: string,
  until: Date,
): Promise<void> {
  await sql`
    update providers set paused_until = greatest(paused_until, ${until}::timestamptz)
    where channel = ${channel} and provider = ${provider}`.execute(db);
}

/** Gives points back to providers without a fault for a while; each call at most once per gap. */
export async function recoverProviders(db: Db, channel: Channel, now: Date): Promise<void> {
  await sql`
    update providers set changed_at = ${now},
      weight = case when weight < resting_weight then least(resting_weight, weight + ${recoveryPoints})
        else greatest(resting_weight, weight - ${recoveryPoints}) end
    where channel = ${channel} and weight <> resting_weight
      and changed_at <= ${new Date(now.getTime() - recoveryGapMs)}`.execute(db);
}

/** Providers of a channel whose receipts are slow. */
export async function findSlowProviders(db: Db, channel: Channel, now: Date): Promise<string[]> {
  const at = now.getTime();
  const { rows } = await sql<{ provider: string }>`
    select provider from messages
    where channel = ${channel} and provider is not null
      and sent_at between ${new Date(at - slowWithinMs)} and ${new Date(at - slowAfterMs)}
    group by provider
    having count(*) >= ${slowMinimum}
      and count(*) filter (where state = 'sent' or finished_at > sent_at + ${slowAfterMs} * interval '1 millisecond')
        >= ${slowShare}::float8 * count(*)`.execute(db);
  return rows.map((row) => row.provider);
}
