import { mostNoteLength } from '@ballot-beacon/contract/office/voters';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
} from '../../../../testing/api.ts';
import { signInNewVoter } from '../../../../testing/new-voter.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId, BallotId, VoterId } from '../../platform/ids.ts';
import { discardOldNotes } from './index.ts';

const host = 'adams.localhost';
let api: TestApi;
let adams: AccountId;
let clerk: TestPerson;
let trusted: TestPerson;

beforeEach(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams', contact_phone: '(352) 555-0100' });
  clerk = await addPerson(api, { accountId: adams, host }, 'Cleo Marsh', ['clerk']);
  trusted = await addPerson(api, { accountId: adams, host }, 'Tess Hall', ['confidential-clerk']);
});
afterEach(() => api.close());
beforeEach(async () => {
  await clerk.signIn();
  await trusted.signIn();
});

const note = (voterId: number, text: string, { browser } = clerk) =>
  browser.post(`/api/office/voters/${voterId}/notes`, { text });
const look = async (voterId: number, { browser } = clerk) =>
  (await browser.get(`/api/office/voters/${voterId}`)).json();
const readAudit = (action: string) =>
  api.query(
    `select actor, target, details from audit_log where action = $1 order by audit_id desc`,
    [action],
  );

describe('a note of a call', () => {
  let ann: VoterId;
  beforeEach(async () => {
    ann = await addVoter(api.test, adams, { registration_id: '0042', lastname: 'Noted' });
  });

  test('is in the voter’s record with who took it, newest first, for every clerk', async () => {
    const first = await note(ann, '  Asked where the ballot is.\nIt is on its way.  ');
    expect(first.statusCode, first.body).toBe(201);
    expect(first.json()).toMatchObject({
      who: 'Cleo Marsh',
      text: 'Asked where the ballot is.\nIt is on its way.',
    });
    const second = await note(ann, 'Called again.', trusted);
    expect((await look(ann)).notes).toEqual([second.json(), first.json()]);
  });

  test('is one of the last hundred that are shown', async () => {
    await note(ann, 'Called.');
    await api.query(
      `insert into voter_notes (account_id, voter_id, at, noted_by, text)
      select account_id, voter_id, at + n * interval '1 minute', noted_by, 'Call ' || n
      from voter_notes, generate_series(1, 100) n`,
    );
    const { notes } = await look(ann);
    expect(notes).toHaveLength(100);
    expect([notes[0].text, notes[99].text]).toEqual(['Call 100', 'Call 1']);
  });

  test('is on record without its text, which no log has', async () => {
    await note(ann, 'Has moved to Zanzibar Lane.');
    const [entry] = await readAudit('voter.note');
    expect(entry).toEqual({
      actor: expect.stringMatching(/^person:passkey\|/),
      target: String(ann),
      details: {},
    });
    expect(api.logLines.join('')).not.toContain('Zanzibar');
  });

  test.each([
    [0, 422],
    [1, 201],
    [mostNoteLength - 1, 201],
    [mostNoteLength, 201],
    [mostNoteLength + 1, 422],
  ])('of %i letters is answered %i', async (length, status) => {
    expect((await note(ann, 'x'.repeat(length))).statusCode).toBe(status);
  });

  test('of a confidential voter is for those alone who may know the voter', async () => {
    const secret = await addVoter(api.test, adams, {
      registration_id: '900',
      is_confidential: true,
    });
    const [hidden, nobody] = [await note(secret, 'Called.'), await note(999_999_999, 'Called.')];
    expect(hidden.statusCode).toBe(404);
    const { err_id: _, ...problem } = hidden.json();
    expect(nobody.json()).toMatchObject(problem);
    expect((await note(secret, 'Called.', trusted)).statusCode).toBe(201);
    expect((await look(secret, trusted)).notes).toHaveLength(1);
  });

  test('reaches no voter of another office', async () => {
    const lake = await addOffice(api.test, { subdomain: 'lake' });
    const foreign = await addVoter(api.test, lake, { lastname: 'Foreign' });
    expect((await note(foreign, 'Called.')).statusCode).toBe(404);
    const kept = await api.query('select from voter_notes where voter_id = $1', [foreign]);
    expect(kept).toEqual([]);
  });

  test('is deleted after the days for which its office keeps messages', async () => {
    const old = await addVoter(api.test, adams, { lastname: 'Old' });
    await note(old, 'Called.');
    // Another office keeps them for a shorter time, and its own alone.
    const brief = await addOffice(api.test, { subdomain: 'brief', message_retention_days: 30 });
    const theirs = await addVoter(api.test, brief, { lastname: 'Brief' });
    // This one has never said for how long.
    await api.query(
      `update accounts set settings = settings - 'message_retention_days' where account_id = $1`,
      [adams],
    );
    const [{ at }] = (await look(old)).notes;
    const after = (milliseconds: number, days = 730) =>
      new Date(Date.parse(at) + days * 86_400_000 + milliseconds);
    const { system } = api.test.database;
    await api.query(
      `insert into voter_notes (account_id, voter_id, at, noted_by, text) values ($1, $2, $3, 'operator:Dana', 'Called.')`,
      [brief, theirs, at],
    );
    expect(await discardOldNotes(system, after(0, 30))).toBe(0);
    expect(await discardOldNotes(system, after(1, 30))).toBe(1);
    await discardOldNotes(system, after(-1));
    await discardOldNotes(system, after(0));
    expect((await look(old)).notes).toHaveLength(1);
    await discardOldNotes(system, after(1));
    expect((await look(old)).notes).toEqual([]);
  });
});

describe('a message that a voter on the phone asks for again', () => {
  let voterId: VoterId;
  let ballotId: BallotId;
  let messageId: number;
  let ownPage: Awaited<ReturnType<typeof signInNewVoter>>['browser'];
  const address = () => `voter-${voterId}@example.org`;
  const again = (id = messageId, { browser } = clerk, of: number = voterId) =>
    browser.post(`/api/office/voters/${of}/messages/${id}/again`, {});
  /** As the worker does, which runs beside no test of the API. */
  const deliver = () =>
    api.query(
      `update messages set state = 'sent', sent_at = now() where voter_id = $1 and state = 'created'`,
      [voterId],
    );

  beforeEach(async () => {
    ({ voterId, browser: ownPage } = await signInNewVoter(api, { accountId: adams, host }));
    ballotId = await addBallot(api.test, adams, voterId, { events: [{ status: 'sent' }] });
    await api.query(`update ballots set current_status = 'sent' where ballot_id = $1`, [ballotId]);
    await api.query(
      `insert into contact_preferences (account_id, voter_id, is_confirmed) values ($1, $2, true)`,
      [adams, voterId],
    );
    await api.query(
      `insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
       values ($1, $2, 'email', $3, 'proven', true)`,
      [adams, voterId, address()],
    );
    await api.query(
      `insert into consents (account_id, voter_id, channel, address, action, source, wording)
       values ($1, $2, 'email', $3, 'confirmed', 'mailed code', 'test')`,
      [adams, voterId, address()],
    );
    const [row] = await api.query<{ message_id: number }>(
      `insert into messages (account_id, kind, voter_id, ballot_id, status, channel, address, language, cause, state,
         deliver_after, sent_at)
       values ($1, 'status', $2, $3, 'sent', 'email', 'earlier@example.org', 'english', $4, 'delivered', now(), now())
       returning message_id`,
      [adams, voterId, ballotId, `first:${voterId}`],
    );
    messageId = row?.message_id ?? 0;
  });

  test('goes to the address that is confirmed today, on record with the clerk’s name', async () => {
    expect((await look(voterId)).messages).toMatchObject([
      { message_id: messageId, again: 'possible' },
    ]);
    const answer = await again();
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toEqual({ address: address() });
    const [entry] = await readAudit('voter.send-again');
    expect(entry).toEqual({
      actor: expect.stringMatching(/^person:passkey\|/),
      target: String(voterId),
      details: { message: messageId, channel: 'email' },
    });
    expect((await look(voterId)).messages).toMatchObject([
      { again: 'on-way', address: address() },
      { again: 'on-way' },
    ]);
    await deliver();
    expect((await look(voterId)).messages).toMatchObject([
      { again: 'possible', state: 'sent' },
      { again: 'possible' },
    ]);
  });

  test('goes five times a day at most, whether the voter or a clerk asks', async () => {
    const statuses: number[] = [];
    for (const ask of [again, askOnPage, again, askOnPage, again, again, askOnPage]) {
      statuses.push((await ask()).statusCode);
      await deliver();
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const entries = await api.query(
      `select from audit_log where action = 'voter.send-again' and target = $1`,
      [String(voterId)],
    );
    expect(entries).toHaveLength(3);

    function askOnPage() {
      return ownPage.post(`/api/voter/message/${messageId}/again`, {});
    }
  });

  test('is refused once it is no longer true, and nothing is on record', async () => {
    await api.query(`update ballots set current_status = 'returned' where ballot_id = $1`, [
      ballotId,
    ]);
    expect((await look(voterId)).messages[0].again).toBe('outdated');
    expect((await again()).statusCode).toBe(409);
    const entries = await api.query(
      `select from audit_log where action = 'voter.send-again' and target = $1`,
      [String(voterId)],
    );
    expect(entries).toEqual([]);
  });

  test('is a message of that voter alone', async () => {
    const other = await addVoter(api.test, adams, { lastname: 'Neighbor' });
    expect((await again(messageId, clerk, other)).statusCode).toBe(404);
    const sent = await api.query(
      `select from messages where cause like 'again:%' and voter_id = $1`,
      [other],
    );
    expect(sent).toEqual([]);
  });

  test('goes to no voter who is confidential by now', async () => {
    await api.query('update voters set is_confidential = true where voter_id = $1', [voterId]);
    expect((await again()).statusCode).toBe(404);
    expect((await again(messageId, trusted)).statusCode).toBe(404);
  });
});
