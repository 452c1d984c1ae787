import { afterEach, expect, test } from 'vitest';
import {
  type BallotRow,
  createMessageCounty,
  type MessageCounty,
} from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { ImportId, VoterId } from '../../../platform/ids.ts';
import { correct } from '../../approvals/index.ts';
import { openSilentDelivery } from '../delivery/local-delivery.ts';
import { sendAgain } from '../index.ts';

/** What the office's files say of a voter whose texts wait for the morning, and what the voter gets then. */
let county: MessageCounty;
afterEach(() => county.drop());

const evening = '2026-10-06T01:00:00Z';
const morning = '2026-10-06T15:00:00Z';
const mailed = '2026-10-01';
const returned = '2026-10-05';
const row = (more: Partial<BallotRow>): BallotRow => ({
  ...{ voter: 'V001', status: 'Outbound', mailed },
  ...more,
});

async function openCounty(): Promise<void> {
  county = await createMessageCounty(['V001', 'V002'], { now: evening });
  await county.optIn('V001', { sms: '+13525550001' });
}

async function load(...file: BallotRow[]): Promise<ImportId> {
  const { state, importId } = await county.importBallots(file);
  expect(state).toBe('done');
  county.clock.advance(60_000);
  return importId as ImportId;
}

async function takeBack(importId: ImportId): Promise<void> {
  const by = { actor: 'operator:Ben', name: 'Ben', details: {} } as const;
  expect(await correct(county, importId, by)).toMatchObject({ ok: true });
}

/** What has left so far, in its order. */
async function deliver(at: string): Promise<string[]> {
  county.clock.set(at);
  await (await openSilentDelivery(county))();
  const { rows } = await sql<{ about: string }>`
    select coalesce(status, kind) as about from messages where state = 'sent' order by sent_at, message_id`.execute(
    county.database.system,
  );
  return rows.map(({ about }) => about);
}

test('news that waited for the morning goes although a wrong file, since put back, said otherwise meanwhile', async () => {
  await openCounty();
  await load(row({ status: 'Accepted', returned }));
  const wrong = await load(row({ status: 'Rejected', returned }));
  await takeBack(wrong);
  await load(row({ status: 'Accepted', returned }));
  expect(await deliver(morning)).toEqual(['accepted']);
});

test('and in the language that its voter has chosen since', async () => {
  await openCounty();
  await load(row({ status: 'Accepted', returned }));
  const wrong = await load(row({ status: 'Rejected', returned }));
  await sql`update contact_preferences set language_preference = 'spanish'`.execute(
    county.database.system,
  );
  await takeBack(wrong);
  expect(await deliver(morning)).toEqual(['accepted']);
  const { rows } = await sql`select language from messages where state = 'sent'`.execute(
    county.database.system,
  );
  expect(rows).toEqual([{ language: 'spanish' }]);
});

test('and goes once, although a later file said the same before the wrong one was put back', async () => {
  await openCounty();
  await load(row({ status: 'Accepted', returned }));
  const wrong = await load(row({ status: 'Rejected', returned }));
  await load(row({ status: 'Accepted', returned }), row({ voter: 'V002' }));
  await takeBack(wrong);
  expect(await deliver(morning)).toEqual(['accepted']);
});

test('news that a right file overtook stays behind when a wrong file after it is put back', async () => {
  await openCounty();
  await load(row({}));
  await load(row({ returned }));
  const wrong = await load(row({ status: 'Rejected', returned }));
  await takeBack(wrong);
  expect(await deliver(morning)).toEqual(['returned']);
});

test('a voter who got the news of a wrong file once more reads once that it was wrong', async () => {
  await openCounty();
  const { database, config, clock, account } = county;
  const wrong = await load(row({ status: 'Accepted', returned }));
  expect(await deliver(morning)).toEqual(['accepted']);
  const { rows } = await sql<{ message_id: number; voter_id: VoterId }>`
    select message_id, voter_id from messages where state = 'sent'`.execute(database.system);
  const [{ message_id: messageId, voter_id: voterId }] = rows as [(typeof rows)[0]];
  const hours = { start: null, end: null };
  const again = { voterId, messageId, channel: 'sms', address: '+13525550001', hours } as const;
  await database.transaction((tx) => sendAgain(tx, config, account.accountId, again, clock.now()));
  expect(await deliver(morning)).toEqual(['accepted', 'accepted']);
  // The copy was never delivered, the first one was.
  await sql`update messages set state = case when message_id = ${messageId} then 'sent' else 'outcome-unknown' end::message_state
    where kind in ('status', 'catch-up')`.execute(database.system);
  await takeBack(wrong);
  expect((await deliver(morning)).filter((about) => about === 'correction')).toHaveLength(1);
});

test('a voter who chose another language since reads in it that the news was wrong', async () => {
  await openCounty();
  const wrong = await load(row({ status: 'Accepted', returned }));
  expect(await deliver(morning)).toEqual(['accepted']);
  await sql`update contact_preferences set language_preference = 'spanish'`.execute(
    county.database.system,
  );
  await takeBack(wrong);
  const { rows } = await sql`select language from messages where kind = 'correction'`.execute(
    county.database.system,
  );
  expect(rows).toEqual([{ language: 'spanish' }]);
});
