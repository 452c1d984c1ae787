import type { OwnMessages } from '@ballot-beacon/contract/own-messages';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  type TestBrowser,
  typed,
} from '../../../../../testing/api.ts';
import { signInNewVoter } from '../../../../../testing/new-voter.ts';
import { readConfig } from '../../../platform/config.ts';
import type { AccountId, BallotId, VoterId } from '../../../platform/ids.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { listOutbox } from '../outbox/store.ts';

let api: TestApi;
let adams: AccountId;
let lake: AccountId;
/** Whose voter the test is about. */
let office: AccountId;
let voterId: VoterId;
let browser: TestBrowser;
let lastname: string;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams', contact_phone: '(352) 555-0100' });
  lake = await addOffice(api.test, { subdomain: 'lake', contact_phone: '(352) 555-0101' });
});
afterAll(() => api.close());
beforeEach(async () => {
  office = adams;
  ({ voterId, browser, lastname } = await signInNewVoter(api, {
    ...{ accountId: adams, host: 'adams.localhost' },
  }));
});

const read = async (): Promise<OwnMessages> => (await browser.get('/api/voter/message')).json();

describe('a message about a ballot', () => {
  let ballotId: BallotId;
  let messageId: number;
  const again = (id = messageId) => browser.post(`/api/voter/message/${id}/again`, {});
  const setAddress = (address: string, isOptedIn = true) =>
    api.query(
      `insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
       values ($1, $2, 'email', $3, 'proven', $4)
       on conflict (voter_id, channel) do update set address = excluded.address, is_opted_in = excluded.is_opted_in`,
      [office, voterId, address, isOptedIn],
    );
  const agree = (address: string) =>
    api.query(
      `insert into consents (account_id, voter_id, channel, address, action, source, wording)
       values ($1, $2, 'email', $3, 'confirmed', 'mailed code', 'test')`,
      [office, voterId, address],
    );
  const deliver = async () => {
    const { database } = api.test;
    const config = readConfig({ DEFAULT_ACCOUNT: '' });
    await deliverAll(await createDelivery({ database, clock: api.clock, config }));
  };
  const mailsTo = async (address: string) =>
    (await listOutbox(api.test.database.system, office, null)).filter(
      (one) => one.address === address && one.body !== null,
    );

  const signUp = async (address = `own-${voterId}@example.org`) => {
    await api.query(
      `insert into contact_preferences (account_id, voter_id, is_confirmed) values ($1, $2, true)`,
      [office, voterId],
    );
    ballotId = await addBallot(api.test, office, voterId, {
      events: [{ status: 'sent', on: '2026-11-18' }],
    });
    await api.query(`update ballots set current_status = 'sent' where ballot_id = $1`, [ballotId]);
    await setAddress(address);
    await agree(address);
    const [row] = await api.query<{ message_id: number }>(
      `insert into messages (account_id, kind, voter_id, ballot_id, status, channel, address, language, cause, state,
         deliver_after, sent_at)
       values ($1, 'status', $2, $3, 'sent', 'email', $4, 'english', $5, 'delivered', now(), now())
       returning message_id`,
      [office, voterId, ballotId, address, `first:${voterId}`],
    );
    messageId = row?.message_id ?? 0;
  };
  beforeEach(() => signUp());

  test('that is still true goes once more, to the address confirmed today, and is on its way until it left', async () => {
    const moved = `moved-${voterId}@example.org`;
    await setAddress(moved);
    await agree(moved);
    const other = await addVoter(api.test, adams, { registration_id: 'French' });
    await api.query(
      `insert into contact_preferences (account_id, voter_id, is_confirmed, language_preference)
       values ($1, $2, true, 'french')`,
      [adams, other],
    );
    await api.query(
      `update contact_preferences set language_preference = 'spanish' where voter_id = $1`,
      [voterId],
    );
    expect((await read()).messages[0]?.again).toBe('possible');
    const answer = await again();
    expect(answer.json()).toEqual({ address: 'm•••@example.org' });
    expect((await read()).messages.map((one) => one.again)).toEqual(['on-way', 'on-way']);
    expect((await again()).statusCode).toBe(409);
    const turn = (from: string, to: string) =>
      api.query(
        'update messages set state = $3, claimed_at = now() where voter_id = $1 and state = $2',
        [voterId, from, to],
      );
    await turn('created', 'sending');
    expect((await read()).messages.map((one) => one.again)).toEqual(['on-way', 'on-way']);
    await turn('sending', 'created');
    await deliver();
    const mails = await mailsTo(moved);
    expect(mails.map(({ language }) => language)).toEqual(['spanish']);
    expect(mails[0]?.subject).toMatch(/boleta/u);
    expect((await read()).messages.map((one) => one.again)).toEqual(['possible', 'possible']);
  });

  test('is never sent again once its import was taken back, though a later one says the same', async () => {
    const [wrong] = await api.query<{ import_id: number }>(
      `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at, rows_read,
         rows_refused, report)
       values ($1, 'beacon-ballots', 'wrong.csv', '', 'corrected', 'Ann', now(), now(), 1, 0, '{"holds": "ballots"}')
       returning import_id`,
      [office],
    );
    await api.query('update messages set import_id = $2 where message_id = $1', [
      messageId,
      wrong?.import_id,
    ]);
    expect((await read()).messages[0]?.again).toBe('outdated');
    const answer = await again();
    expect([answer.statusCode, answer.json().detail]).toEqual([409, 'outdated']);
  });

  test('is never sent again once the ballot has another status, or the election is over', async () => {
    await api.query(`update ballots set current_status = 'returned' where ballot_id = $1`, [
      ballotId,
    ]);
    const answer = await again();
    expect([answer.statusCode, answer.json().detail]).toEqual([409, 'outdated']);
    await api.query(`update ballots set current_status = 'sent' where ballot_id = $1`, [ballotId]);
    await api.query(`update elections set is_active = false`);
    expect((await again()).json().detail).toBe('outdated');
    await api.query(`update elections set is_active = true`);
    expect((await again()).statusCode).toBe(200);
  });

  test('that asks to send a ballot back is not sent again once it would come too late', async () => {
    const before = api.clock.now().toISOString();
    // Election Day is over at midnight in Florida.
    for (const [now, answer] of [
      ['2026-11-25T04:59:00Z', 'possible'],
      ['2026-11-25T05:00:00Z', 'outdated'],
    ] as const) {
      api.clock.set(now);
      await browser.post('/api/voter/session', typed({ lastname }));
      expect((await read()).messages.map((one) => one.again)).toEqual([answer]);
    }
    const late = await again();
    expect([late.statusCode, late.json().detail]).toEqual([409, 'outdated']);
    api.clock.set(before);
  });

  test('of an envelope to fix is sent again until its deadline, and not after it', async () => {
    await api.query(
      `insert into ballot_events (account_id, ballot_id, kind, status, raw_status, reason, occurred_on)
       values ($1, $2, 'office', 'rejected-curable', '?', 'No signature', '2026-11-20')`,
      [office, ballotId],
    );
    await api.query(`update ballots set current_status = 'rejected-curable' where ballot_id = $1`, [
      ballotId,
    ]);
    await api.query(`update messages set status = 'rejected-curable' where message_id = $1`, [
      messageId,
    ]);
    expect((await again()).statusCode).toBe(200);
    await deliver();
    expect(await mailsTo(`own-${voterId}@example.org`)).toHaveLength(1);
    const before = api.clock.now().toISOString();
    // In Florida it ends at 5 PM on the second day after the election.
    api.clock.set('2026-11-26T22:00:00Z');
    await browser.post('/api/voter/session', typed({ lastname }));
    expect((await read()).messages.map((one) => one.again)).toEqual(['never', 'never']);
    const late = await again();
    expect([late.statusCode, late.json().detail]).toEqual([409, 'never']);
    api.clock.set(before);
  });

  test('that became untrue while it waited to go again does not leave', async () => {
    expect((await again()).statusCode).toBe(200);
    await api.query(`update ballots set current_status = 'returned' where ballot_id = $1`, [
      ballotId,
    ]);
    await deliver();
    expect(await mailsTo(`own-${voterId}@example.org`)).toEqual([]);
    expect((await read()).messages[0]?.outcome).toBe('superseded');
  });

  test('goes nowhere when the voter gets no messages this way', async () => {
    await setAddress(`own-${voterId}@example.org`, false);
    expect((await again()).json().detail).toBe('no-address');
  });

  test('goes nowhere by a way that the office has given up', async () => {
    const offer = (ways: string) =>
      api.query(`update accounts set settings = settings || $2 where account_id = $1`, [
        adams,
        `{"delivery_types": [${ways}]}`,
      ]);
    await offer('"sms"');
    const answer = await again();
    await offer('"email", "sms", "voice"');
    expect([answer.statusCode, answer.json().detail]).toEqual([409, 'no-address']);
  });

  test('can go by mail while the same news waits to go as a text', async () => {
    await api.query(
      `insert into messages (account_id, kind, voter_id, ballot_id, status, channel, address, language, cause, deliver_after)
       values ($1, 'status', $2, $3, 'sent', 'sms', '+13525550142', 'english', $4, now() + interval '1 day')`,
      [adams, voterId, ballotId, `text:${voterId}`],
    );
    const { messages } = await read();
    expect(messages.map((one) => [one.channel, one.again])).toEqual([
      ['sms', 'on-way'],
      ['email', 'possible'],
    ]);
    expect((await again()).statusCode).toBe(200);
  });

  test('goes to no address that is stopped here, and to an address that another office stopped', async () => {
    const stopAt = (accountId: AccountId) =>
      api.query(
        `insert into suppressions (account_id, channel, address, reason) values ($1, 'email', $2, 'complained')`,
        [accountId, `own-${voterId}@example.org`],
      );
    await stopAt(lake);
    expect((await read()).messages[0]?.again).toBe('possible');
    await stopAt(adams);
    expect((await again()).json().detail).toBe('no-address');
  });

  test('can go as a text to a number that gets no more calls', async () => {
    const number = '+13525550143';
    await api.query(
      `with stopped as (insert into suppressions (account_id, channel, address, reason)
         values ($1, 'voice', $3, 'stopped')),
       own as (insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
         values ($1, $2, 'sms', $3, 'proven', true))
       insert into messages (account_id, kind, voter_id, ballot_id, status, channel, address, language, cause, state,
         deliver_after, sent_at)
       values ($1, 'status', $2, $4, 'sent', 'sms', $3, 'english', 'text:' || $2, 'delivered', now(), now())`,
      [adams, voterId, number, ballotId],
    );
    expect((await read()).messages.map((one) => [one.channel, one.again])).toEqual([
      ['sms', 'possible'],
      ['email', 'possible'],
    ]);
  });

  test('is only its voter’s to send again', async () => {
    const stranger = await signInNewVoter(api, { accountId: adams, host: 'adams.localhost' });
    const answer = await stranger.browser.post(`/api/voter/message/${messageId}/again`, {});
    expect(answer.statusCode).toBe(404);
    expect(
      (await api.browser('adams.localhost').post(`/api/voter/message/${messageId}/again`, {}))
        .statusCode,
    ).toBe(403);
  });

  test('goes five times a day at most, however often it is asked for at once', async () => {
    const statuses = new Set<number>();
    for (let time = 0; time < 7; time += 1) {
      statuses.add((await again()).statusCode);
      await deliver();
    }
    expect([...statuses]).toEqual([200, 429]);
    expect((await mailsTo(`own-${voterId}@example.org`)).length).toBe(5);
    await api.query(
      `update messages set created_at = created_at - interval '25 hours' where voter_id = $1`,
      [voterId],
    );
    expect((await again()).statusCode).toBe(200);
  });

  test('is asked for thirty times an hour at most from one network, whatever comes of it', async () => {
    for (let time = 0; time < 30; time += 1) expect((await again(0)).statusCode).toBe(404);
    const limited = await again();
    expect(limited.statusCode).toBe(429);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('goes twenty times a day at most to one address, for all voters who have it', async () => {
    const statuses: number[] = [];
    for (let voter = 0; voter < 5; voter += 1) {
      const at = { accountId: adams, host: 'adams.localhost' };
      ({ voterId, browser } = await signInNewVoter(api, at));
      await signUp('home@example.org');
      for (let time = 0; time < 5; time += 1) {
        statuses.push((await again()).statusCode);
        await deliver();
      }
    }
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
    expect((await mailsTo('home@example.org')).length).toBe(20);
    // Another office has the address too, and a limit of its own.
    office = lake;
    ({ voterId, browser } = await signInNewVoter(api, { accountId: lake, host: 'lake.localhost' }));
    await signUp('home@example.org');
    expect((await again()).statusCode).toBe(200);
  });

  test('waits for the office above its daily limit, which is on the office’s record once', async () => {
    office = await addOffice(api.test, {
      subdomain: 'few',
      contact_phone: '(352) 555-0102',
      daily_request_limits: { email: 1, sms: 5_000, voice: 5_000 },
    });
    const states: string[] = [];
    for (let voter = 0; voter < 3; voter += 1) {
      const at = { accountId: office, host: 'few.localhost' };
      ({ voterId, browser } = await signInNewVoter(api, at));
      await signUp();
      expect((await again()).statusCode).toBe(200);
      const { messages } = await read();
      states.push(messages[0]?.outcome ?? '');
      // Nobody can let more of them wait meanwhile.
      expect(messages.map((one) => one.again)).toEqual(['on-way', 'on-way']);
    }
    await deliver();
    const left = await Promise.all([
      mailsTo(`own-${voterId}@example.org`),
      mailsTo(`own-${voterId - 2}@example.org`),
    ]);
    expect([states, left.map(({ length }) => length)]).toEqual([
      ['waiting', 'waiting', 'waiting'],
      [0, 1],
    ]);
    await api.keepHouse();
    const events = await api.query(
      `select action, details ->> 'count' as count from audit_log where account_id = $1 and action like 'security.%'`,
      [office],
    );
    expect(events).toEqual([{ action: 'security.sending-stopped', count: '1' }]);
  });

  test('asked for many times at once goes once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => again()));
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBe(1);
    await deliver();
    expect((await mailsTo(`own-${voterId}@example.org`)).length).toBe(1);
  });
});
