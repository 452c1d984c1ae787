import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  type TestVoter,
} from '../../../../testing/api.ts';
import type { AccountId } from '../../platform/ids.ts';

const host = 'adams.localhost';
let api: TestApi;
let adams: AccountId;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams', is_token_required: true });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  // Older than every code of a test.
  await printCode({}, true, lake);
});
afterAll(() => api.close());
beforeEach(() => api.clock.advance(2 * 60 * 60_000));

async function printCode(voter: TestVoter = {}, isActive = true, office = adams): Promise<string> {
  const voterId = await addVoter(api.test, office, voter);
  const ballotId = await addBallot(api.test, office, voterId, {
    election: isActive ? 'Now' : 'Over',
    isActive,
    events: [{ status: 'sent' }],
  });
  const { rows } = await api.test.database.systemPool.query<{ guid: string }>(
    'insert into ballot_codes (account_id, ballot_id) values ($1, $2) returning guid',
    [office, ballotId],
  );
  return rows[0]?.guid ?? '';
}
const check = async (guid: string, at = host) =>
  (await api.browser(at).get(`/api/voter/qr-validate/${encodeURIComponent(guid)}`)).statusCode;
const signIn = (guid: string, date_of_birth = '02-03-1970', at = host) =>
  api.browser(at).post('/api/voter/ballot-login', { ballot_guid: guid, date_of_birth });

describe('the QR code of a ballot', () => {
  test('signs its voter in with the birth date, and needs no token: the paper is one', async () => {
    const guid = await printCode();
    expect(await check(guid)).toBe(204);
    expect(await check(guid.toUpperCase())).toBe(204);
    const browser = api.browser(host);
    const answer = await browser.post('/api/voter/ballot-login', {
      ballot_guid: guid,
      date_of_birth: '02/03/1970',
    });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({ session_id: expect.any(String) });
    expect((await browser.get('/api/voter/information/me')).statusCode).toBe(200);
    // A phone's keypad of digits has no hyphen.
    expect((await signIn(guid, '02031970')).statusCode).toBe(201);
  });

  test('is no use with another birth date, and after a hundred of them not at all', async () => {
    const guid = await printCode();
    const details: string[] = [];
    for (let attempt = 0; attempt < 101; attempt += 1) {
      const answer = await api.app.inject({
        method: 'POST',
        url: '/api/voter/ballot-login',
        headers: { host },
        remoteAddress: `10.0.0.${attempt}`,
        payload: {
          ballot_guid: guid,
          date_of_birth: attempt < 100 ? `05-10-${1900 + attempt}` : '02-03-1970',
        },
      });
      details.push(answer.json<{ detail: string }>().detail);
    }
    expect(new Set(details.slice(0, 100))).toEqual(new Set(['Date of birth did not match']));
    expect(details[100]).toBe('Another Proof Required');
  });

  test('never makes its voter wait for what others tried with it', async () => {
    const guid = await printCode();
    for (let day = 10; day < 28; day += 1) {
      const answer = await signIn(guid, `02-${day}-1970`);
      expect(answer.json()).toMatchObject({ status: 400, detail: 'Date of birth did not match' });
    }
    expect((await signIn(guid)).statusCode).toBe(201);
  });

  test('counts no sign-in as a failure: it may be used again and again', async () => {
    const guid = await printCode();
    const statuses: number[] = [];
    for (let time = 0; time < 21; time += 1) statuses.push((await signIn(guid)).statusCode);
    expect(new Set(statuses)).toEqual(new Set([201]));
  });

  test('lets a voter in whose device is known, while everybody else of its network waits', async () => {
    const guid = await printCode();
    const known = api.browser(host);
    const body = { ballot_guid: guid, date_of_birth: '02-03-1970' };
    expect((await known.post('/api/voter/ballot-login', body)).statusCode).toBe(201);
    // The device is remembered with the next request.
    await known.get('/api/voter/information/me');
    const others = await Promise.all(Array.from({ length: 10 }, () => printCode()));
    let refused = 400;
    for (let attempt = 0; attempt < 100 && refused === 400; attempt += 1)
      refused = (await signIn(others[attempt % 10] ?? '', '05-10-1980')).statusCode;
    expect(refused).toBe(429);
    expect((await signIn(guid)).statusCode).toBe(429);
    expect((await known.post('/api/voter/ballot-login', body)).statusCode).toBe(201);
  });

  test('ends the session that was in the browser before', async () => {
    const browser = api.browser(host);
    const first = await printCode();
    const second = await printCode({ lastname: 'Other' });
    const body = { date_of_birth: '02-03-1970' };
    await browser.post('/api/voter/ballot-login', { ...body, ballot_guid: first });
    const stolen = browser.cookies.get('beacon_session') ?? '';
    await browser.post('/api/voter/ballot-login', { ...body, ballot_guid: second });
    const thief = api.browser(host);
    thief.cookies.set('beacon_session', stolen);
    expect((await thief.get('/api/voter/information/me')).statusCode).toBe(403);
    expect((await browser.get('/api/voter/information/me')).statusCode).toBe(200);
  });

  test('says what is wrong with a date that is none', async () => {
    const guid = await printCode();
    expect((await signIn(guid, '13-45-1970')).json()).toMatchObject({
      status: 422,
      detail: 'Failed Validation',
      validation_messages: { date_of_birth: { invalid: expect.any(String) } },
    });
  });

  test('is unknown when made up, of another office, of a past election, or its voter is hidden or gone', async () => {
    const guid = await printCode();
    expect(await check('00000000-0000-4000-8000-000000000000')).toBe(404);
    expect(await check("x' or 1=1 --")).toBe(404);
    expect(await check(guid, 'lake.localhost')).toBe(404);
    expect((await signIn(guid, '02-03-1970', 'lake.localhost')).statusCode).toBe(404);
    for (const one of [
      await printCode({}, false),
      await printCode({ is_active: false }),
      await printCode({ is_confidential: true }),
    ]) {
      expect(await check(one)).toBe(404);
      expect((await signIn(one)).statusCode).toBe(404);
    }
  });

  test('leads from the bare host to the office that printed it, also beside an older code of another', async () => {
    const guid = await printCode();
    const browser = api.browser('localhost');
    const body = { ballot_guid: guid, date_of_birth: '02-03-1970' };
    expect((await browser.post('/api/voter/ballot-login', body)).statusCode).toBe(201);
    expect((await browser.get('/api/voter/branding')).json()).toMatchObject({
      _embedded: { branding: [{ account_id: adams }] },
    });
  });
});
