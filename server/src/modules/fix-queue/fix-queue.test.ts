import { afterEach, expect, test } from 'vitest';
import { addOffice } from '../../../../testing/api.ts';
import { createMessageCounty, type MessageCounty } from '../../../../testing/messages.ts';
import { sql } from '../../../../testing/sql.ts';
import { localDay } from '../../platform/clock.ts';
import { correct } from '../approvals/index.ts';
import { countOpenFixes, readFixQueue } from './queue.ts';
import { countFixDays, needsLetter } from './rules.ts';
import { recordLinkOpen } from './store.ts';

let county: MessageCounty;
afterEach(() => county.drop());

/** V001 has mail, V002 nothing, V003 is confidential. All three have returned a ballot without a signature. */
async function openCounty(): Promise<void> {
  const voters = ['V001', 'V002', 'V003'];
  county = await createMessageCounty(voters, { now: '2026-10-21T15:00:00Z' });
  await sql`update voters set is_confidential = true where registration_id = 'V003'`.execute(
    county.database.system,
  );
  await county.optIn('V001', { email: 'one@mail.example', language: 'spanish' });
  await county.importBallots(rows('Outbound'));
  county.clock.set('2026-10-22T15:00:00Z');
  await county.importBallots(rows('RejectedCurable'));
  await sql`update messages set state = 'sent', sent_at = ${county.clock.now()}`.execute(
    county.database.system,
  );
}

const rows = (
  status: 'Outbound' | 'RejectedCurable' | 'Accepted' | 'Rejected',
  voters = ['V001', 'V002', 'V003'],
) =>
  voters.map((voter) => ({
    ...{ voter, status, mailed: '2026-10-05', returned: '2026-10-20' },
    ...(status === 'RejectedCurable' && { reason: 'No signature' }),
  }));
const queue = (isOpen = false) =>
  readFixQueue(
    county.database.system,
    county.account,
    { electionId: null, isOpen },
    county.clock.now(),
  );
const dayOf = (at: Date) => localDay(at, county.account.timeZone);
const named = async (id: string) =>
  (await queue()).find(({ registrationId }) => registrationId === id);

test('a clerk sees who was notified how, and whom a letter alone reaches', async () => {
  await openCounty();
  await sql`update voters set language_preference = 'french' where registration_id <> 'V003'`.execute(
    county.database.system,
  );
  // What the voter chose comes before what the roll says.
  expect((await named('V002'))?.language).toBe('french');
  expect(await named('V001')).toMatchObject({
    state: 'open',
    defect: 'signature-missing',
    deadline: '2026-11-05T17:00:00-05:00',
    language: 'spanish',
    notices: [{ how: 'email', at: county.clock.now() }],
    openedAt: null,
  });
  // A message whose provider never answered very likely arrived, when it was handed over.
  await sql`update messages set state = 'outcome-unknown', sent_at = null, claimed_at = ${county.clock.now()}`.execute(
    county.database.system,
  );
  expect((await named('V001'))?.notices).toEqual([{ how: 'email', at: county.clock.now() }]);
  // A reminder names the problem in its cause.
  const remindedAt = new Date('2026-10-22T17:00:00Z');
  await sql`insert into messages (account_id, kind, ballot_id, status, voter_id, channel, address, language, cause, deliver_after, state, sent_at)
    select account_id, 'fix-reminder', ballot_id, status, voter_id, 'sms', '+13525550001', language,
      'fix:' || ballot_id || ':' || event_id || ':half', ${remindedAt}, 'sent', ${remindedAt}
    from messages where status = 'rejected-curable'`.execute(county.database.system);
  expect((await named('V001'))?.notices).toEqual([
    { how: 'email', at: county.clock.now() },
    { how: 'sms', at: remindedAt },
  ]);
  const open = await queue(true);
  expect(
    open
      .filter(needsLetter)
      .map((one) => one.registrationId)
      .sort(),
  ).toEqual(['V002', 'V003']);
});

test('a stopped address and a channel that the office does not offer reach nobody, another office’s stop changes nothing', async () => {
  const voters = ['V001', 'V002', 'V003', 'V004', 'V005', 'V006'];
  county = await createMessageCounty(voters, {
    now: '2026-10-22T15:00:00Z',
    settings: { delivery_types: ['email', 'voice'] },
  });
  const { system } = county.database;
  await county.importBallots(rows('RejectedCurable', voters));
  await county.optIn('V001', { email: 'One@Mail.example' });
  await county.optIn('V002', { sms: '+13525550002' });
  await county.optIn('V003', { email: 'Three@Mail.example' });
  // Whose number gets no more texts, and is called.
  await county.optIn('V005', { voice: '+13525550005' });
  // Who has chosen to get no more mail.
  await county.optIn('V006', { email: 'six@mail.example' });
  await sql`update contact_channels set is_opted_in = false where address = 'six@mail.example'`.execute(
    system,
  );
  const lake = await addOffice(county, { subdomain: 'lake' });
  await sql`insert into suppressions (account_id, channel, address, reason) values
    (${county.account.accountId}, 'email', 'one@mail.example', 'complained'),
    (${county.account.accountId}, 'sms', '+13525550005', 'stopped'),
    (${lake}, 'email', 'three@mail.example', 'complained')`.execute(system);
  const lettersTo = (await queue(true)).filter(needsLetter).map((one) => one.registrationId);
  expect(lettersTo.sort()).toEqual(['V001', 'V002', 'V004', 'V006']);
});

test.each([
  ['+15555550100', []],
  [null, ['V001']],
])(
  'a voter who is called, by an office with the number %j to call from, needs a letter: %j',
  async (from_voice, needed) => {
    county = await createMessageCounty(['V001'], {
      now: '2026-10-22T15:00:00Z',
      settings: { from_voice },
    });
    await county.importBallots(rows('RejectedCurable', ['V001']));
    await county.optIn('V001', { voice: '+13525550001' });
    const open = await queue(true);
    expect(open.filter(needsLetter).map((one) => one.registrationId)).toEqual(needed);
  },
);

test('a confidential voter is in the queue without name, address or precinct, and in no report', async () => {
  await openCounty();
  expect(await named('V003')).toMatchObject({
    ...{ isConfidential: true, name: '', address: [], precinct: '' },
  });
  const period = { dayOf, from: null, to: null };
  const found = countFixDays(await queue(), period).reduce((sum, day) => sum + day.found, 0);
  expect(found).toBe(2);
});

test('an opened link counts once, and not for a problem that comes later', async () => {
  await openCounty();
  const db = county.database.forAccount(county.account.accountId);
  const { rows: sent } = await sql<{ message_id: number }>`
    select message_id from messages where status = 'rejected-curable'`.execute(
    county.database.system,
  );
  const ids = sent.map(({ message_id: id }) => id);
  expect(ids).toHaveLength(1);
  const openedAt = new Date('2026-10-22T16:00:00Z');
  expect(await recordLinkOpen(db, ids, openedAt)).toBe(true);
  expect(await recordLinkOpen(db, ids, new Date('2026-10-22T17:00:00Z'))).toBe(true);
  expect(await recordLinkOpen(db, [ids.length + 900_000], openedAt)).toBe(false);
  expect((await named('V001'))?.openedAt).toEqual(openedAt);
  county.clock.set('2026-10-24T15:00:00Z');
  await county.importBallots(rows('Accepted', ['V001']));
  expect(await named('V001')).toMatchObject({ state: 'fixed' });
  county.clock.set('2026-10-26T15:00:00Z');
  await county.importBallots(rows('RejectedCurable', ['V001']));
  expect(await named('V001')).toMatchObject({ state: 'open', openedAt: null, notices: [] });
});

test('an envelope is expired after its deadline, or once the office rejects the ballot', async () => {
  await openCounty();
  await county.importBallots(rows('Rejected', ['V002']));
  expect((await named('V002'))?.state).toBe('expired');
  county.clock.set('2026-11-05T21:59:00Z');
  expect((await named('V001'))?.state).toBe('open');
  county.clock.set('2026-11-05T22:00:00Z');
  expect((await named('V001'))?.state).toBe('expired');
  const period = { dayOf, from: '2026-11-05', to: '2026-11-05' };
  expect(countFixDays(await queue(), period)).toEqual([
    expect.objectContaining({ day: '2026-11-05', language: 'spanish', expired: 1, found: 0 }),
  ]);
});

test.each([
  ['counted', 'fixed'],
  ['not-counted', 'expired'],
])('an envelope that was fixed and whose ballot is %s then is %s', async (status, state) => {
  await openCounty();
  county.clock.set('2026-10-24T15:00:00Z');
  await county.importBallots(rows('Accepted', ['V001']));
  county.clock.set('2026-11-04T15:00:00Z');
  await sql`insert into ballot_events (account_id, ballot_id, kind, status, raw_status, occurred_on)
    select b.account_id, b.ballot_id, 'office', ${status}, ${status}, '2026-11-04'
    from ballots b join voters v using (voter_id) where v.registration_id = 'V001'`.execute(
    county.database.system,
  );
  expect(await named('V001')).toMatchObject({ state });
});

test('what a file said of an envelope counts until the file is put back', async () => {
  await openCounty();
  const putBackLast = async () => {
    const { rows: imports } = await sql<{ id: number }>`
      select max(import_id) as id from imports where state in ('done', 'messages-held')`.execute(
      county.database.system,
    );
    const by = { actor: 'operator:Bea', name: 'Bea', details: {} } as const;
    const corrected = await correct(county, imports[0]?.id as never, by);
    expect(corrected.ok).toBe(true);
  };
  await county.importBallots(rows('Accepted', ['V002']));
  expect(await named('V002')).toMatchObject({ state: 'fixed' });
  await putBackLast();
  expect(await named('V002')).toMatchObject({ state: 'open' });
  // Reminders wait for a newer file only where there is something to remind of.
  const countLate = async () => {
    const { database, account, clock } = county;
    return (await countOpenFixes(database.system, account, false, clock.now())).is_feed_late;
  };
  county.clock.set('2026-10-30T15:00:00Z');
  expect(await countLate()).toBe(true);
  await putBackLast();
  expect(await queue()).toEqual([]);
  expect(await countLate()).toBe(false);
});

test('a voter who votes in person has nothing left to fix, from the day on which the office recorded it', async () => {
  await openCounty();
  // The evening of the 24th in New York. A word before it that nobody knows ends nothing.
  await sql`insert into ballot_events (account_id, ballot_id, kind, status, raw_status, recorded_at)
    select b.account_id, b.ballot_id, 'office', one.status, one.raw, one.at::timestamptz
    from ballots b join voters v using (voter_id), (values
      (null, 'Puzzled', '2026-10-23T15:00:00Z'),
      ('in-person', 'InPerson', '2026-10-25T02:00:00Z')) one (status, raw, at)
    where v.registration_id = 'V002' order by one.at`.execute(county.database.system);
  expect(await named('V002')).toMatchObject({ state: 'fixed', endedOn: '2026-10-24' });
  const period = { dayOf, from: '2026-10-24', to: '2026-10-24' };
  expect(countFixDays(await queue(), period)).toEqual([
    expect.objectContaining({ day: '2026-10-24', language: 'english', fixed: 1, found: 0 }),
  ]);
});
