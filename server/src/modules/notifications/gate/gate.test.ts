import { afterEach, describe, expect, test } from 'vitest';
import {
  type BallotRow,
  createMessageCounty,
  type MessageCounty,
} from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { ImportId, VoterId } from '../../../platform/ids.ts';
import { openSilentDelivery } from '../delivery/local-delivery.ts';
import { emailConfirmed } from '../index.ts';
import { listOutbox, type OutboxMessage } from '../outbox/store.ts';
import { correct, release } from './gate.ts';

const voters = Array.from({ length: 400 }, (_, index) => `V${String(index + 1).padStart(3, '0')}`);
let county: MessageCounty;
afterEach(() => county.drop());

/** Every voter with a mail address, the ballots of all of them sent a week ago, and that news delivered. */
async function createBusyCounty(settings = {}): Promise<void> {
  county = await createMessageCounty(voters, { settings, now: '2026-10-05T15:00:00Z' });
  await sql`
    insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
    select account_id, voter_id, 'email', lower(registration_id) || '@mail.example', 'proven', true from voters`.execute(
    county.database.system,
  );
  await sql`
    insert into consents (account_id, voter_id, channel, address, action, source, wording)
    select account_id, voter_id, channel, address, 'confirmed', 'test', 'test' from contact_channels`.execute(
    county.database.system,
  );
  const sent = await county.importBallots(all('Outbound', { mailed: '2026-10-04' }));
  expect(sent.state).toBe('done');
  await deliver();
  county.clock.set('2026-10-12T15:00:00Z');
}

function all(status: BallotRow['status'], more: Partial<BallotRow> = {}): BallotRow[] {
  return voters.map((voter) => ({ voter, status, ...more }));
}

async function deliver(): Promise<void> {
  await (await openSilentDelivery(county))();
}

const outbox = () => listOutbox(county.database.system, county.account.accountId, null);
const delivered = async (importId: number | null): Promise<OutboxMessage[]> =>
  (await outbox()).filter((message) => message.import_id === importId && message.state === 'sent');

/** Imports what an office imported by mistake, and expects that nobody gets a message. */
async function expectWaiting(
  state: 'file-held' | 'messages-held',
  rows: readonly BallotRow[],
  ...codes: string[]
): Promise<ImportId> {
  const outcome = await county.importBallots(rows);
  expect(outcome.state).toBe(state);
  const found = (outcome.report.gate ?? []).map(({ code }) => code);
  expect(found).toEqual(expect.arrayContaining(codes));
  await deliver();
  expect(await delivered(outcome.importId)).toEqual([]);
  if (outcome.importId === null) throw new Error('The file has no import.');
  return outcome.importId;
}

/** Twenty everyday acceptances, one of them of a voter whose name is gone: its message would be wrong. */
async function withBlankName(): Promise<BallotRow[]> {
  await sql`update voters set firstname = '', lastname = ' ' where registration_id = 'V020'`.execute(
    county.database.system,
  );
  return voters
    .slice(0, 20)
    .map((voter) => ({ voter, status: 'Accepted', mailed: '2026-10-04', returned: '2026-10-11' }));
}

describe('a false alert that once went out to thousands does not go out here', () => {
  test('the wrong file: last election’s results, loaded into this one', async () => {
    await createBusyCounty();
    await expectWaiting(
      'file-held',
      all('Accepted', { mailed: '2024-10-04', returned: '2024-10-20' }),
      'volume',
      'dates-off',
    );
  });

  test('the wrong date column: the day of mailing read as the day of return', async () => {
    await createBusyCounty();
    await expectWaiting(
      'file-held',
      all('Outbound', { mailed: '2026-10-04', returned: '2026-10-04' }),
      'volume',
    );
  });

  test('the empty placeholder: a text whose values are not there', async () => {
    await createBusyCounty();
    // The office's own words, with a placeholder that nothing fills.
    await sql`insert into translation_overrides (account_id, language, section, key, value)
      values (${county.account.accountId}, 'english', 'messages', 'mail.rejected.next', 'Call us before {{deadline}}.')`.execute(
      county.database.system,
    );
    const importId = await expectWaiting(
      'messages-held',
      [{ voter: 'V001', status: 'Rejected', mailed: '2026-10-04', returned: '2026-10-11' }],
      'empty-placeholder',
    );
    const { rows } = await sql<{
      reasons: { detail: string }[];
    }>`select reasons from import_gates where import_id = ${importId}`.execute(
      county.database.system,
    );
    expect(rows[0]?.reasons[0]?.detail).toContain('{{deadline}}');
  });

  test('the wrong recipients: every status one row off, so that it names somebody else', async () => {
    await createBusyCounty();
    const state = (index: number): BallotRow['status'] =>
      index % 12 === 0 ? 'Accepted' : 'Outbound';
    const row = (index: number, at: number): BallotRow => ({
      voter: voters[at] ?? '',
      status: state(index),
      mailed: '2026-10-04',
      ...(state(index) === 'Accepted' ? { returned: '2026-10-10' } : {}),
    });
    expect((await county.importBallots(voters.map((_, index) => row(index, index)))).state).toBe(
      'done',
    );
    await deliver();
    await expectWaiting(
      'file-held',
      voters.slice(1).map((_, index) => row(index, index + 1)),
      'taken-back',
    );
  });
});

describe('the gate', () => {
  test('lets an everyday import pass by itself, also of a voter with a last name alone', async () => {
    await createBusyCounty();
    await sql`update voters set firstname = '' where registration_id = 'V001'`.execute(
      county.database.system,
    );
    const outcome = await county.importBallots([
      { voter: 'V001', status: 'Accepted', mailed: '2026-10-04', returned: '2026-10-11' },
      { voter: 'V002', status: 'RejectedCurable', mailed: '2026-10-04', returned: '2026-10-11' },
      { voter: 'V003', status: 'Undeliverable', mailed: '2026-10-04' },
    ]);
    expect(outcome.state).toBe('done');
    expect(outcome.report.gate).toEqual([]);
    await deliver();
    expect(await delivered(outcome.importId)).toHaveLength(3);
  });

  test('lets a clerk or a court take back a few acceptances', async () => {
    await createBusyCounty();
    await county.importBallots([
      { voter: 'V001', status: 'Accepted', mailed: '2026-10-04', returned: '2026-10-11' },
    ]);
    const outcome = await county.importBallots([
      { voter: 'V001', status: 'Outbound', mailed: '2026-10-04' },
    ]);
    expect(outcome.state).toBe('done');
  });

  test('stops a file whose events lie in the future, or whose rows are half of yesterday’s', async () => {
    await createBusyCounty();
    const twenty = voters.slice(0, 20);
    await expectWaiting(
      'file-held',
      twenty.map((voter) => ({
        voter,
        status: 'Accepted',
        mailed: '2026-10-04',
        returned: '2026-10-20',
      })),
      'dates-off',
    );
    const half = voters
      .slice(0, 200)
      .map(
        (voter, index): BallotRow =>
          index < 20
            ? { voter, status: 'Accepted', mailed: '2026-10-04', returned: '2026-10-11' }
            : { voter, status: 'Outbound', mailed: '2026-10-04' },
      );
    await expectWaiting('file-held', half, 'file-shrank');
  });

  test('stops no first file, wherever its ballots are', async () => {
    county = await createMessageCounty(voters, { now: '2026-10-12T15:00:00Z' });
    expect(
      (
        await county.importBallots(
          all('Accepted', { mailed: '2026-10-04', returned: '2026-10-10' }),
        )
      ).state,
    ).toBe('done');
  });

  test('opens for a second person’s name only', async () => {
    await createBusyCounty();
    const importId = await expectWaiting('messages-held', await withBlankName(), 'blank-names');
    const tryRelease = (name: string) =>
      county.database.transaction((tx) => release(tx, importId, name, county.clock.now()));
    for (const same of ['Ann Clerk', ' ann  clerk', 'ANN CLERK', 'operator:Ann Clerk', ''])
      expect((await tryRelease(same)).ok, same).toBe(false);
    await deliver();
    expect(await delivered(importId)).toEqual([]);
    const waiting = (await outbox()).filter((one) => one.import_id === importId);
    expect(new Set(waiting.map((one) => one.error_code))).toEqual(new Set(['gate']));
    // News is too old after three days; here it became news by the approval.
    await sql`update messages set created_at = ${county.clock.now()}`.execute(
      county.database.system,
    );
    // A voter who left meanwhile gets none by the approval.
    await sql`update messages set state = 'withdrawn' where import_id = ${importId} and address = 'v001@mail.example'`.execute(
      county.database.system,
    );
    county.clock.advance(4 * 24 * 60 * 60_000);
    expect(await tryRelease('Bea Deputy')).toMatchObject({ ok: true, messages: 19 });
    // None is late: each became due by the approval.
    const { rows: late } = await sql`select from messages
      where state = 'created' and deliver_after < ${county.clock.now()}`.execute(
      county.database.system,
    );
    expect(late).toEqual([]);
    expect((await tryRelease('Bea Deputy')).ok).toBe(false);
    await deliver();
    // The message without a name stays unsent, also after approval.
    expect(await delivered(importId)).toHaveLength(18);
    const { rows: gates } =
      await sql`select import_id, released_by from import_gates where released_by is not null`.execute(
        county.database.system,
      );
    expect(gates).toEqual([{ import_id: importId, released_by: 'Bea Deputy' }]);
  });

  test('sends a voter who signs up meanwhile the news of an import that waits once it is approved', async () => {
    await createBusyCounty();
    const importId = await expectWaiting('messages-held', await withBlankName(), 'blank-names');
    const { rows } = await sql<{ voter_id: VoterId }>`
      update contact_channels set address = 'new@mail.example' where address = 'v005@mail.example' returning voter_id`.execute(
      county.database.system,
    );
    const [{ voter_id: voterId }] = rows as [{ voter_id: VoterId }];
    const { accountId } = county.account;
    const now = county.clock.now();
    await county.database.transaction((tx) =>
      emailConfirmed(tx, county.config, { accountId, voterId, email: 'new@mail.example' }, now),
    );
    const got = async () =>
      (await outbox())
        .filter(({ address }) => address === 'new@mail.example')
        .map(({ status, state }) => [status, state]);
    await deliver();
    expect(await got()).toEqual([['accepted', 'held']]);
    await county.database.transaction((tx) => release(tx, importId, 'Bea Deputy', now));
    await deliver();
    expect(await got()).toEqual([['accepted', 'sent']]);
  });
});

describe('a correction', () => {
  test('of a file that waits is refused, and the answer says how to discard it', async () => {
    await createBusyCounty();
    const old = all('Accepted', { mailed: '2024-10-04', returned: '2024-10-20' });
    const importId = await expectWaiting('file-held', old);
    const corrected = await county.database.transaction((tx) =>
      correct(tx, importId, 'Bea Deputy', county.clock.now()),
    );
    const problem = expect.stringContaining(`beacon discard ${importId} --by NAME --reason TEXT`);
    expect(corrected).toEqual({ ok: false, problem });
  });

  test('of an import whose messages wait ends it: its state says so, and nobody can release it', async () => {
    await createBusyCounty();
    // A message of another import, whose voter wants none before the evening.
    await sql`update contact_channels set hours_start = '18:00', hours_end = '20:00'
      where address = 'v100@mail.example'`.execute(county.database.system);
    await county.importBallots([
      { voter: 'V100', status: 'Accepted', mailed: '2026-10-04', returned: '2026-10-11' },
    ]);
    const importId = await expectWaiting('messages-held', await withBlankName(), 'blank-names');
    const now = county.clock.now();
    const corrected = await county.database.transaction((tx) =>
      correct(tx, importId, 'Ann Clerk', now),
    );
    expect(corrected).toMatchObject({ ok: true, corrections: 0, withdrawn: 20 });
    const waiting = (await outbox()).filter(({ state }) => state === 'created');
    expect(waiting.map(({ address }) => address)).toEqual(['v100@mail.example']);
    const { rows } = await sql`select state from imports where import_id = ${importId}`.execute(
      county.database.system,
    );
    expect(rows).toEqual([{ state: 'corrected' }]);
    const gates = await sql`
      select import_id, corrected_by from import_gates where corrected_by is not null`.execute(
      county.database.system,
    );
    expect(gates.rows).toEqual([{ import_id: importId, corrected_by: 'Ann Clerk' }]);
    const released = await county.database.transaction((tx) =>
      release(tx, importId, 'Bea Deputy', now),
    );
    expect(released).toMatchObject({
      ok: false,
      problem: expect.stringContaining('was corrected'),
    });
    // Nor does a voter who proves an address from now on hear of it.
    const { rows: changed } = await sql<{ voter_id: VoterId }>`
      update contact_channels set address = 'new@mail.example' where address = 'v005@mail.example' returning voter_id`.execute(
      county.database.system,
    );
    const [{ voter_id: voterId }] = changed as [{ voter_id: VoterId }];
    const { accountId } = county.account;
    await county.database.transaction((tx) =>
      emailConfirmed(tx, county.config, { accountId, voterId, email: 'new@mail.example' }, now),
    );
    const news = (await outbox()).filter(({ address }) => address === 'new@mail.example');
    expect(news.map(({ status }) => status)).toEqual(['sent']);
  });

  test('reaches exactly those who got the wrong message, and withdraws the rest', async () => {
    await createBusyCounty();
    // Twenty of 400 pass the gate; five of them can not be reached, ten wait for their hours.
    const wrong = voters.slice(0, 20);
    await sql`update contact_channels set hours_start = '18:00', hours_end = '20:00'
      where address = any(${wrong.slice(0, 10).map((voter) => `${voter.toLowerCase()}@mail.example`)}::text[])`.execute(
      county.database.system,
    );
    await sql`update contact_channels set address = 'unknown-user@magic.invalid' where address = any(${wrong
      .slice(15)
      .map((voter) => `${voter.toLowerCase()}@mail.example`)}::text[])`.execute(
      county.database.system,
    );
    await sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
      select account_id, voter_id, channel, address, 'confirmed', 'test', 'test' from contact_channels where address like '%magic%'`.execute(
      county.database.system,
    );
    const outcome = await county.importBallots(
      wrong.map((voter) => ({
        voter,
        status: 'Accepted',
        mailed: '2026-10-04',
        returned: '2026-10-11',
      })),
    );
    expect(outcome.state).toBe('done');
    await deliver();
    // One of those who wait gives another address, at which the wrong news catches up.
    const { rows: moved } = await sql<{ voter_id: VoterId }>`
      update contact_channels set address = 'late@mail.example', hours_start = null, hours_end = null
      where address = 'v001@mail.example' returning voter_id`.execute(county.database.system);
    const [{ voter_id: voterId }] = moved as [{ voter_id: VoterId }];
    const { accountId } = county.account;
    const late = { accountId, voterId, email: 'late@mail.example' };
    await county.database.transaction((tx) =>
      emailConfirmed(tx, county.config, late, county.clock.now()),
    );
    await deliver();
    const affected = (await delivered(outcome.importId)).map(({ address }) => address).sort();
    expect(affected).toHaveLength(6);
    // Of some, their providers have said what became of them, or nothing.
    await sql`update messages set sent_at = '2026-10-13T01:30:00Z'
      where import_id = ${outcome.importId} and sent_at is not null`.execute(
      county.database.system,
    );
    await sql`update messages set state = case address when 'v011@mail.example' then 'delivered'
        when 'v012@mail.example' then 'outcome-unknown' else state::text end::message_state
      where import_id = ${outcome.importId}`.execute(county.database.system);
    const arrived = await delivered(outcome.importId);
    expect(arrived).toHaveLength(4);
    // A mail that says that there is news, and not which, has nothing wrong in it.
    await sql`insert into messages (account_id, kind, import_id, voter_id, channel, address, language, cause,
        deliver_after, state)
      values (${accountId}, 'news-waiting', ${outcome.importId}, ${voterId}, 'email', 'asked@mail.example', 'english',
        'test', now(), 'delivered')`.execute(county.database.system);

    const corrected = await county.database.transaction((tx) =>
      correct(tx, outcome.importId as ImportId, 'Bea Deputy', county.clock.now()),
    );
    expect(corrected).toMatchObject({ ok: true, corrections: 6, withdrawn: 10 });
    await deliver();
    county.clock.set('2026-10-12T22:30:00Z');
    await deliver();
    const corrections = (await outbox()).filter(({ kind }) => kind === 'correction');
    expect(corrections.map(({ address }) => address).sort()).toEqual(affected);
    expect(corrections.every(({ state }) => state === 'sent')).toBe(true);
    expect(corrections[0]?.body).toContain('was a mistake');
    // They left in the evening of that day at the office.
    for (const { body } of corrections) expect(body).toContain('10/12/26');
    expect(await delivered(outcome.importId)).toEqual(arrived);

    // Said once, however often it is asked for.
    await county.database.transaction((tx) =>
      correct(tx, outcome.importId as ImportId, 'Bea Deputy', county.clock.now()),
    );
    await deliver();
    expect((await outbox()).filter(({ kind }) => kind === 'correction')).toHaveLength(6);
  });
});
