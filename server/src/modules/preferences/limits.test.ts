import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { newLastname, signInNewVoter } from '../../../../testing/new-voter.ts';
import type { AccountId } from '../../platform/ids.ts';

const me = '/api/voter/information/me';
const host = 'adams.localhost';
let api: TestApi;
let adams: AccountId;

beforeEach(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, {
    subdomain: 'adams',
    daily_request_limits: { email: 30, sms: 3, voice: 3 },
  });
});
afterEach(() => api.close());

/** A new voter, signed in from this address. */
async function newVoter(address: string) {
  const lastname = newLastname();
  const voterId = await addVoter(api.test, adams, { lastname });
  const browser = api.browser(host);
  const request = (method: 'POST' | 'PATCH', url: string, payload: object) =>
    browser.request({ method, url, payload, remoteAddress: address });
  await request('POST', '/api/voter/session', typed({ lastname }));
  return { voterId, save: (patch: object) => request('PATCH', me, patch) };
}

const recorded = async (kind: string) => {
  await api.keepHouse();
  return api.query<{ actor: string; account_id: number | null; count: number }>(
    `select actor, account_id, (details ->> 'count')::int as count from audit_log where action = $1`,
    [`security.${kind}`],
  );
};
/** For the operator's alarms. */
const countEvents = async (kind: string) => {
  const { body } = await api.app.inject({ url: '/metrics', headers: { host } });
  const found = new RegExp(`beacon_security_events_total{kind="${kind}"} (\\d+)`).exec(body);
  return Number(found?.[1]);
};
const messagesTo = (pattern: string) =>
  api.query<{ kind: string; state: string }>(
    'select kind, state from messages where address like $1 order by message_id',
    [pattern],
  );

describe('one voter’s saves', () => {
  test('from one network wait after thirty in an hour, and nobody else’s do', async () => {
    const { save, voterId } = await newVoter('10.20.0.1');
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1)
      statuses.push((await save({ email_opt_in: n % 2 === 0, email: '' })).statusCode);
    expect(statuses.filter((status) => status === 429)).toEqual([429]);
    expect(statuses.at(-1)).toBe(429);
    const last = await save({ language_preference: 'spanish' });
    expect(last.statusCode).toBe(429);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(3000);
    expect(await countEvents('throttled')).toBe(2);
    const [row] = await api.query<{ language: string | null }>(
      'select language_preference as language from contact_preferences where voter_id = $1',
      [voterId],
    );
    expect(row?.language).not.toBe('spanish');
    const neighbor = await newVoter('10.20.0.1');
    expect((await neighbor.save({ language_preference: 'spanish' })).statusCode).toBe(200);
    api.clock.advance(10 * 60_000); // no session ends of this
    expect((await save({ language_preference: 'spanish' })).statusCode).toBe(429);
  });

  test('to many addresses are on record as soon as their requests reach the daily limit', async () => {
    const { save, voterId } = await newVoter('10.20.0.2');
    // What the voter did not ask for does not count.
    await api.query(
      `insert into messages (account_id, voter_id, kind, channel, address, language, cause, deliver_after)
       select $1, $2, 'change', 'email', 'many@example.org', 'english', 'test:' || n, now() from generate_series(1, 20) n`,
      [adams, voterId],
    );
    await save({ phone_sms: '352-555-0150', sms_opt_in: true });
    for (let n = 0; n < 20; n += 1) {
      const answer = await save({ email: `many-${n}@example.org`, email_opt_in: true });
      expect(answer.statusCode).toBe(200);
    }
    expect(await messagesTo('+1352%')).toHaveLength(1);
    expect(await messagesTo('many-%')).toHaveLength(19);
    expect(await recorded('requests-limited')).toEqual([
      { actor: expect.stringMatching(/^network:/), account_id: adams, count: 1 },
    ]);
    await api.query(`update messages set created_at = created_at - interval '1 day'`);
    await save({ email: 'many-next-day@example.org', email_opt_in: true });
    expect(await messagesTo('many-%')).toHaveLength(20);
  });
});

test('a voter who gives up a number withdraws no other voter’s request to it', async () => {
  const oak = await addOffice(api.test, { subdomain: 'oak' });
  const at = { accountId: oak, host: 'oak.localhost' };
  const [one, two] = [await signInNewVoter(api, at), await signInNewVoter(api, at)];
  for (const { browser } of [one, two])
    await browser.patch(me, { phone_sms: '352-555-0150', sms_opt_in: true });
  // Nor does the notice go that the same voter is owed there.
  await api.query(
    `insert into messages (account_id, voter_id, kind, channel, address, language, cause, deliver_after)
     values ($1, $2, 'change', 'sms', '+13525550150', 'english', 'test', now())`,
    [oak, one.voterId],
  );
  await one.browser.patch(me, { phone_sms: '352-555-0151', sms_opt_in: true });
  const requests = await api.query(
    `select voter_id, kind || ' ' || address || ' ' || state as request from messages where account_id = $1
     order by message_id`,
    [oak],
  );
  expect(requests).toEqual([
    { voter_id: one.voterId, request: 'opt-in +13525550150 withdrawn' },
    { voter_id: two.voterId, request: 'opt-in +13525550150 created' },
    { voter_id: one.voterId, request: 'change +13525550150 created' },
    { voter_id: one.voterId, request: 'opt-in +13525550151 created' },
  ]);
});

test('five voters may ask for texts to one number in 24 hours; answers to it do not count', async () => {
  const elm = await addOffice(api.test, { subdomain: 'elm' });
  await api.query(
    `insert into messages (account_id, kind, channel, address, language, cause, deliver_after)
     select $1, 'help', 'sms', '+13525550160', 'english', 'test:' || n, now() from generate_series(1, 5) n`,
    [elm],
  );
  const ask = async () => {
    const { browser } = await signInNewVoter(api, { accountId: elm, host: 'elm.localhost' });
    const answer = await browser.patch(me, { phone_sms: '352-555-0160', sms_opt_in: true });
    expect(answer.statusCode).toBe(200);
    return (await messagesTo('+13525550160')).filter(({ kind }) => kind === 'opt-in').length;
  };
  const asked: number[] = [];
  for (let n = 0; n < 6; n += 1) asked.push(await ask());
  expect(asked).toEqual([1, 2, 3, 4, 5, 5]);
  const age = (by: string) =>
    api.query(`update messages set created_at = created_at - $1::interval where account_id = $2`, [
      by,
      elm,
    ]);
  await age('23 hours 59 minutes');
  expect(await ask()).toBe(5);
  await age('1 minute');
  expect(await ask()).toBe(6);
});

test.each([
  // At any moment one of the two has another day than UTC.
  ['east', 'Pacific/Kiritimati'],
  ['west', 'Pacific/Pago_Pago'],
])('requests count for the day of their office, in the far %s', async (subdomain, time_zone) => {
  const accountId = await addOffice(api.test, { subdomain, time_zone });
  const { browser } = await signInNewVoter(api, { accountId, host: `${subdomain}.localhost` });
  await browser.patch(me, { phone_sms: '352-555-0170', sms_opt_in: true });
  const counted = await api.query(
    `select sms, day = (now() at time zone $2)::date as is_today from daily_requests where account_id = $1`,
    [accountId, time_zone],
  );
  expect(counted).toEqual([{ sms: 1, is_today: true }]);
});

describe('an office’s requests to confirm an address', () => {
  // Two more than may go.
  beforeEach(async () => {
    for (let n = 0; n < 5; n += 1) {
      const { save } = await newVoter(`10.20.1.${n}`);
      const answer = await save({ phone_sms: `352-555-012${n}`, sms_opt_in: true });
      expect(answer.statusCode).toBe(200);
    }
  });

  test('wait for the office above the daily limit, and the office is notified once', async () => {
    expect((await messagesTo('+1352555012%')).map(({ state }) => state)).toEqual([
      'created',
      'created',
      'created',
      'held',
      'held',
    ]);
    expect(await recorded('sending-stopped')).toEqual([
      { actor: expect.stringMatching(/^network:/), account_id: adams, count: 1 },
    ]);
    expect([await countEvents('sending-stopped'), await countEvents('spraying')]).toEqual([1, 0]);
  });

  test('never keep a notice from an address that gets no more news', async () => {
    const { save, voterId } = await newVoter('10.20.1.9');
    await save({ phone_sms: '352-555-0130', sms_opt_in: true });
    await api.query(`update contact_channels set status = 'proven' where voter_id = $1`, [voterId]);
    await save({ phone_sms: '352-555-0131', sms_opt_in: true });
    expect(await messagesTo('+13525550130')).toEqual([
      { kind: 'opt-in', state: 'withdrawn' },
      { kind: 'change', state: 'created' },
    ]);
  });

  test('do not count for another office', async () => {
    const lake = await addOffice(api.test, { subdomain: 'lake' });
    await addVoter(api.test, lake, { lastname: 'Laker' });
    const browser = api.browser('lake.localhost');
    await browser.post('/api/voter/session', typed({ lastname: 'Laker' }));
    await browser.patch(me, { phone_sms: '352-555-0140', sms_opt_in: true });
    expect(await messagesTo('+13525550140')).toEqual([{ kind: 'opt-in', state: 'created' }]);
  });
});

describe('changes of where many voters’ messages go', () => {
  test('from one network are on record once an hour, and changes of hours or language are none', async () => {
    for (let n = 0; n < 25; n += 1) {
      const { save } = await newVoter('10.20.2.1');
      await save({ language_preference: 'spanish' });
    }
    expect(await recorded('preferences-changed-in-mass')).toEqual([]);
    for (let n = 0; n < 25; n += 1) {
      const { save } = await newVoter('10.20.3.1');
      await save({ email: 'one@example.org', email_opt_in: true });
      await save({ email: '', email_opt_in: false });
    }
    const [event, ...more] = await recorded('preferences-changed-in-mass');
    expect(more).toEqual([]);
    expect(event).toMatchObject({ account_id: adams, count: 1 });
    expect(api.logLines.join('')).toContain('"kind":"preferences-changed-in-mass"');
    expect(await countEvents('preferences-changed-in-mass')).toBe(1);
  });
});
