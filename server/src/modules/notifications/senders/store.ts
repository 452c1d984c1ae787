import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres.ts';
import type { SenderUse } from './limits.ts';
import { type PaceUse, unusedPace } from './pace.ts';

/** The row of the pace of news. */
const sitePace = 'site';

/** What all senders used of their limits, and of the pace. */
export interface Uses {
  /** By the key of the sender. Senders that have not sent yet are missing. */
  readonly bySender: ReadonlyMap<string, SenderUse>;
  readonly pace: PaceUse;
}

/** @param keys of senders; of others nothing is read */
export async function readUses(db: Db, keys: readonly string[]): Promise<Uses> {
  const { rows } = await sql<SenderUse & { readonly sender: string }>`
    select sender, recent, quarters from sender_use
    where sender = any(${[sitePace, ...keys]}::text[])`.execute(db);
  const pace = rows.find(({ sender }) => sender === sitePace);
  return {
    bySender: new Map(rows.map(({ sender, ...use }) => [sender, use])),
    pace: readPace(pace),
  };
}

/** It has the place of the entries of a sender. */
function readPace(row: { readonly recent: unknown } | undefined): PaceUse {
  return row === undefined || Array.isArray(row.recent) ? unusedPace : (row.recent as PaceUse);
}

/** What was used of the pace, which no other worker reads or changes until the transaction ends. */
export async function lockPace(tx: Db): Promise<PaceUse> {
  return readPace(await lockUse(tx, sitePace, { waits: true }));
}

export async function savePace(tx: Db, use: PaceUse): Promise<void> {
  await sql`update sender_use set recent = ${JSON.stringify(use)} where sender = ${sitePace}`.execute(
    tx,
  );
}

/**
 * What a sender used, which no other worker reads or changes until the transaction ends.
 * @returns undefined when another worker has it and `waits` is false
 */
export async function lockUse(
  tx: Db,
  sender: string,
  { waits }: { readonly waits: boolean },
): Promise<SenderUse | undefined> {
  const select = sql<SenderUse>`
    select recent, quarters from sender_use where sender = ${sender}
    for update ${waits ? sql`` : sql`skip locked`}`;
  const found = (await select.execute(tx)).rows[0];
  if (found) return found;
  await sql`insert into sender_use (sender, recent, quarters) values (${sender}, '[]', '[]')
    on conflict do nothing`.execute(tx);
  return (await select.execute(tx)).rows[0];
}

export async function saveUse(tx: Db, sender: string, use: SenderUse): Promise<void> {
  await sql`update sender_use set recent = ${JSON.stringify(use.recent)},
      quarters = ${JSON.stringify(use.quarters)}
    where sender = ${sender}`.execute(tx);
}
