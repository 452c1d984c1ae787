import type { Channel, ConsentAction, SuppressionReason } from '@ballot-beacon/contract/messages';
import { type RawBuilder, sql } from 'kysely';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';

/** The version of the words that voters agree to: raise it when they change (messages.json, `sms.opt-in`; main.json). */
const wordingVersion = '2026-11';

/** One address at one office; mail addresses in lower case, numbers as E.164. */
export interface AddressOfAccount {
  readonly accountId: AccountId;
  readonly channel: Channel;
  readonly address: string;
}

export interface Consent extends AddressOfAccount {
  readonly voterId: VoterId;
  readonly action: ConsentAction;
  /** Where it was given or withdrawn: the page, a text, a mailed link. */
  readonly source: string;
}

export async function recordConsent(db: Db, consent: Consent, now: Date): Promise<void> {
  await sql`
    insert into consents (account_id, voter_id, channel, address, action, source, wording, at)
    values (${consent.accountId}, ${consent.voterId}, ${consent.channel}, ${consent.address},
      ${consent.action}, ${consent.source}, ${wordingVersion}, ${now})`.execute(db);
}

/** A voter's newest consent for a channel that was asked for or withdrawn; null for none. */
export function selectAskedId(voterId: RawBuilder<unknown>, channel: Channel): RawBuilder<unknown> {
  return sql`(select k.consent_id from consents k where k.voter_id = ${voterId} and k.channel = ${sql.lit(channel)}
    and k.action <> 'confirmed' order by k.consent_id desc limit 1)`;
}

export async function readAskedId(db: Db, voterId: VoterId, channel: Channel): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select ${selectAskedId(sql`${voterId}::bigint`, channel)} as id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** Reasons from the weakest to the strongest: what a person said outweighs what a machine reported. */
const strengths: readonly SuppressionReason[] = [
  'invalid',
  'bounced',
  'stopped',
  'complained',
  'unsubscribed',
];

/** A voter whose news an address got until it was stopped. */
export interface CutOffVoter {
  readonly voter_id: VoterId;
  readonly language: string;
}

/**
 * Stops everything to an address of an account, and records with every voter who has it what that means: the consent
 * is withdrawn, the opt-in ends, or the mail address counts as unusable (decisions, Preferences and consent).
 *
 * @returns whether it was not stopped before, and whose news it got until now
 */
export async function suppressAddress(
  db: Db,
  stop: AddressOfAccount & {
    readonly reason: SuppressionReason;
    /** Where it came from, for the record of consents. */
    readonly source: string;
  },
  now: Date,
): Promise<{ readonly isNew: boolean; readonly cutOff: readonly CutOffVoter[] }> {
  const { accountId, channel, address, reason, source } = stop;
  // Of several reasons the strongest stays, in whatever order they come.
  const { rows: inserted } = await sql<{ is_new: boolean }>`
    insert into suppressions as s (account_id, channel, address, reason, at)
    values (${accountId}, ${channel}, ${address}, ${reason}, ${now})
    on conflict (account_id, channel, address) do update set reason = excluded.reason
      where array_position(${[...strengths]}::text[], excluded.reason) > array_position(${[...strengths]}::text[], s.reason)
    returning (xmax = 0) as is_new`.execute(db);
  const isWithdrawn = reason === 'stopped' || reason === 'unsubscribed' || reason === 'complained';
  const { rows } = await sql<CutOffVoter & { was_reachable: boolean }>`
    select c.voter_id, c.is_reachable as was_reachable,
      coalesce(p.language_preference, v.language_preference, 'english') as language
    from contact_channels c
    join voters v on v.voter_id = c.voter_id
    left join contact_preferences p on p.voter_id = c.voter_id
    where c.account_id = ${accountId} and c.channel = ${channel} and lower(c.address) = ${address}
      and c.address <> ''
    order by c.voter_id for update of c`.execute(db);
  const voters = rows.map((row) => row.voter_id);
  if (isWithdrawn) await withdrawConsents(db, stop, voters, source, now);
  const change =
    channel === 'email' && reason === 'unsubscribed'
      ? sql`address = '', is_opted_in = false, status = 'unproven'`
      : channel === 'email'
        ? sql`status = 'unusable'`
        : reason === 'stopped'
          ? sql`is_opted_in = false, status = 'stopped'`
          : undefined;
  if (change && voters.length > 0)
    await sql`update contact_channels set ${change}, updated_at = ${now}
      where channel = ${channel} and voter_id = any(${voters}::bigint[])`.execute(db);
  return {
    isNew: inserted[0]?.is_new ?? false,
    cutOff: rows.filter((row) => row.was_reachable),
  };
}

async function withdrawConsents(
  db: Db,
  of: AddressOfAccount,
  voters: readonly VoterId[],
  source: string,
  now: Date,
): Promise<void> {
  await sql`
    insert into consents (account_id, voter_id, channel, address, action, source, wording, at)
    select ${of.accountId}, voter_id, ${of.channel}, ${of.address}, 'withdrawn', ${source}, ${wordingVersion}, ${now}
    from unnest(${[...voters]}::bigint[]) as v (voter_id)
    where (select k.action from consents k where k.voter_id = v.voter_id and k.channel = ${of.channel}
      and k.address = ${of.address} order by k.consent_id desc limit 1) <> 'withdrawn'`.execute(db);
}

export async function liftSuppression(db: Db, of: AddressOfAccount): Promise<void> {
  await sql`delete from suppressions where account_id = ${of.accountId} and channel = ${of.channel}
    and address = ${of.address}`.execute(db);
}

/** Lets messages go again to a number of which only a machine said that it gets none. */
export async function liftInvalid(
  db: Db,
  accounts: readonly AccountId[],
  { channel, address }: Pick<AddressOfAccount, 'channel' | 'address'>,
): Promise<void> {
  await sql`delete from suppressions where account_id = any(${[...accounts]}::integer[])
    and channel = ${channel} and address = ${address} and reason = 'invalid'`.execute(db);
}

export async function isSuppressed(db: Db, of: AddressOfAccount): Promise<boolean> {
  const { rows } = await sql`select from suppressions where account_id = ${of.accountId}
    and channel = ${of.channel} and address = ${of.address}`.execute(db);
  return rows.length > 0;
}
