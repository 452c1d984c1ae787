import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  type TestBrowser,
  typed,
} from '../../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import { printCode } from '../../../../testing/new-voter.ts';
import type { AccountId } from '../../platform/ids.ts';

const secret = 'a secret that the command line and the API of this test share';
const host = 'adams.localhost';
let api: TestApi;
let beacon: Beacon;
let adams: AccountId;

beforeAll(async () => {
  api = await createTestApi({ secrets: [secret] });
  beacon = createBeacon(api.test.url);
  beacon.write('secret', secret);
  adams = await addOffice(api.test, { subdomain: 'adams' });
  await addVoter(api.test, adams);
});
afterAll(async () => {
  beacon.remove();
  await api.close();
});
// Each test begins with new hours and days.
beforeEach(() => api.clock.advance(2 * 24 * 60 * 60_000));

const post = (more: Record<string, unknown>, remoteAddress = '10.0.0.1', cookie = '') =>
  api.app.inject({
    method: 'POST',
    url: '/api/voter/session',
    headers: { host, ...(cookie && { cookie }) },
    remoteAddress,
    payload: typed(more),
  });

/** As many wrong birth dates as it takes, each from an address of its own. */
async function failTimes(times: number, more: Record<string, unknown>, subnet = 20) {
  const details = new Set<string>();
  for (let attempt = 0; attempt < times; attempt += 1) {
    const birthdate = `05-${1 + (attempt % 28)}-${1930 + Math.floor(attempt / 28)}`;
    const address = `10.${subnet}.${Math.floor(attempt / 250)}.${attempt % 250}`;
    const answer = await post({ birthdate, ...more }, address);
    details.add(answer.json<{ detail: string }>().detail);
  }
  return [...details];
}

describe('guessing for one person', () => {
  test('never makes the voter wait, however many addresses guess', async () => {
    await addVoter(api.test, adams, { lastname: 'Awaited' });
    expect(await failTimes(60, { lastname: 'Awaited' })).toEqual(['Invalid credentials']);
    expect((await post({ lastname: 'Awaited' }, '10.9.0.1')).statusCode).toBe(201);
  });

  test('ends after a hundred failures for good, under all spellings together', async () => {
    await addVoter(api.test, adams, { lastname: 'Łukasz-O’Hara' });
    const locks = () =>
      api.query(`select from audit_log where account_id = $1 and action = 'session.lock'`, [adams]);
    const before = await locks();
    const firstnames = ['Ann', 'A nn', 'An N', 'Ánn', 'Ann X', 'Ann Louise', 'A’nn', 'Aʻnn'];
    const lastnames = ['Lukasz-O’Hara', 'Łukasz OʻHara', 'LUKASZOHARA', 'Lu kasz ohara'];
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const names = { firstname: firstnames[attempt % 8], lastname: lastnames[attempt % 4] };
      const birthdate = `06-${1 + (attempt % 28)}-${1930 + Math.floor(attempt / 28)}`;
      const answer = await post({ ...names, birthdate }, `10.30.0.${attempt}`);
      expect(answer.json()).toMatchObject({ detail: 'Invalid credentials' });
      api.clock.advance(3 * 60 * 60_000);
    }
    for (const names of [{}, { firstname: 'An n' }, { firstname: 'Ann Zed' }]) {
      const answer = await post({ lastname: 'Lukasz O’Hara', ...names }, '10.30.1.1');
      expect(answer.json()).toMatchObject({
        status: 401,
        detail: 'Another Proof Required',
        'error-code': 8891,
      });
    }
    api.clock.advance(300 * 24 * 60 * 60_000);
    expect((await post({ lastname: 'Lukasz O’Hara' })).statusCode).toBe(401);
    expect(await locks()).toHaveLength(before.length + 1);
  });

  test('ends 400 days after the last failure, not after the first', async () => {
    await addVoter(api.test, adams, { lastname: 'Longago' });
    const enter = async () => (await post({ lastname: 'Longago' }, '10.33.1.1')).statusCode;
    await failTimes(99, { lastname: 'Longago' }, 33);
    api.clock.advance(300 * 24 * 60 * 60_000);
    await failTimes(1, { lastname: 'Longago' }, 33);
    api.clock.advance(399 * 24 * 60 * 60_000);
    await api.keepHouse();
    expect(await enter()).toBe(401);
    api.clock.advance(401 * 24 * 60 * 60_000);
    await api.keepHouse();
    expect(await enter()).toBe(201);
  });

  test('looks the same to the last byte for somebody, nobody, an inactive and a confidential voter', async () => {
    await addVoter(api.test, adams, { lastname: 'Lockedsome' });
    await addVoter(api.test, adams, { lastname: 'Lockedgone', is_active: false });
    await addVoter(api.test, adams, { lastname: 'Lockedhidden', is_confidential: true });
    const lastnames = ['Lockedsome', 'Lockednobody', 'Lockedgone', 'Lockedhidden'];
    for (const attempt of Array.from({ length: 101 }, (_, index) => index)) {
      const birthdate = attempt < 100 ? `05-${1 + (attempt % 28)}-1930` : '02-03-1970';
      const answers: string[] = [];
      for (const [index, lastname] of lastnames.entries()) {
        const address = `10.4${index}.${attempt % 200}.1`;
        const answer = await post({ lastname, birthdate }, address);
        const { date: _date, ...headers } = answer.headers;
        answers.push(JSON.stringify([answer.statusCode, headers, answer.body]));
      }
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toContain(
        attempt < 100 ? 'Invalid credentials' : 'Another Proof Required',
      );
    }
    // The same with a wrong token.
    const answers = await Promise.all(
      lastnames.map((lastname, index) => post({ lastname, token: 'WRONG-77' }, `10.5${index}.0.1`)),
    );
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers[0]?.json()).toMatchObject({ detail: 'Invalid credentials' });
  });

  test('cannot win new guesses by signing in as a namesake', async () => {
    await addVoter(api.test, adams, { lastname: 'Namesake', birthdate: '1981-01-01' });
    let guesses = 0;
    for (let attempt = 0; attempt < 150; attempt += 1) {
      const birthdate = `07-${1 + (attempt % 28)}-${1930 + Math.floor(attempt / 28)}`;
      const answer = await post({ lastname: 'Namesake', birthdate }, `10.31.0.${attempt % 7}`);
      if (answer.json<{ detail: string }>().detail === 'Invalid credentials') guesses += 1;
      if (attempt % 3 === 2) {
        await post({ lastname: 'Namesake', birthdate: '01-01-1981' }, `10.31.0.${attempt % 7}`);
      }
      api.clock.advance(2 * 60_000);
    }
    expect(guesses).toBeLessThanOrEqual(103);
  });

  test('wins a namesake who signs in daily three guesses a day, as many as a voter’s own typing errors may be', async () => {
    await addVoter(api.test, adams, { lastname: 'Daily', birthdate: '1981-01-01' });
    let guesses = 0;
    for (let day = 0; day < 12; day += 1) {
      for (let attempt = 0; attempt < 15; attempt += 1) {
        const birthdate = `07-${1 + attempt}-${1930 + day}`;
        const answer = await post({ lastname: 'Daily', birthdate }, '10.32.0.1');
        if (answer.json<{ detail: string }>().detail === 'Invalid credentials') guesses += 1;
      }
      await post({ lastname: 'Daily', birthdate: '01-01-1981' }, '10.32.0.1');
      api.clock.advance(24 * 60 * 60_000);
    }
    expect(guesses).toBe(100 + 8 * 3);
  });

  test('cannot win new guesses in a browser that a namesake signs in with', async () => {
    await addVoter(api.test, adams, { lastname: 'Senior', birthdate: '1950-05-05' });
    await addVoter(api.test, adams, { lastname: 'Senior', birthdate: '1981-01-01' });
    const signIn = (browser: TestBrowser, birthdate: string) =>
      browser.post('/api/voter/session', typed({ lastname: 'Senior', birthdate }));
    const [own, namesake] = [api.browser(host), api.browser(host)];
    for (const [browser, birthdate] of [
      [own, '05-05-1950'],
      [namesake, '01-01-1981'],
    ] as const) {
      expect((await signIn(browser, birthdate)).statusCode).toBe(201);
      await browser.delete('/api/voter/session');
    }
    let guesses = 0;
    for (let attempt = 0; attempt < 240; attempt += 1) {
      const birthdate = `07-${1 + (attempt % 28)}-${1930 + Math.floor(attempt / 28)}`;
      const answer = await signIn(namesake, birthdate);
      if (answer.json<{ detail: string }>().detail === 'Invalid credentials') guesses += 1;
      if (attempt % 40 === 39) await signIn(namesake, '01-01-1981');
    }
    expect(guesses).toBeLessThanOrEqual(103);
    // By then the details are locked for others, and the answer to a typing error in the own browser is as ever.
    expect((await post({ lastname: 'Senior', birthdate: '05-05-1950' })).statusCode).toBe(401);
    expect((await signIn(own, '05-06-1950')).json()).toMatchObject({
      detail: 'Invalid credentials',
    });
    expect((await signIn(own, '05-05-1950')).statusCode).toBe(201);
  });

  test('a hundred attempts at the same instant count like a hundred in a row', async () => {
    const answers = await Promise.all(
      Array.from({ length: 130 }, (_, index) =>
        post({ lastname: 'Bulk', birthdate: '05-01-1950' }, `10.32.0.${index}`),
      ),
    );
    const details = answers.map((answer) => answer.json<{ detail: string }>().detail);
    expect(details.filter((detail) => detail === 'Invalid credentials')).toHaveLength(100);
  });

  test('at the same instants as the voters, from the same networks, keeps no voter waiting', async () => {
    for (const lastname of ['Crowd', 'Crowded']) await addVoter(api.test, adams, { lastname });
    for (let instant = 0; instant < 2; instant += 1) {
      const answers = await Promise.all(
        Array.from({ length: 120 }, (_, index) => {
          const lastname = index % 2 === 0 ? 'Crowd' : 'Crowded';
          const guess = index % 3 === 0 ? { birthdate: '05-01-1950' } : {};
          return post({ lastname, ...guess }, `10.35.${instant}.${index % 20}`);
        }),
      );
      const statuses = answers.map(({ statusCode }) => statusCode);
      expect(statuses).toEqual(statuses.map((_, index) => (index % 3 === 0 ? 401 : 201)));
    }
  });
});

describe('at the lifetime limit', () => {
  const lock = (lastname: string) => failTimes(100, { lastname }, 33);
  const isLocked = async (lastname: string) =>
    (await post({ lastname }, '10.34.0.1')).json<{ detail: string }>().detail ===
    'Another Proof Required';

  test('a browser that signed this voter in before still does, with an allowance of its own', async () => {
    await addVoter(api.test, adams, { lastname: 'Devoted' });
    const browser = api.browser(host);
    expect(
      (await browser.post('/api/voter/session', typed({ lastname: 'Devoted' }))).statusCode,
    ).toBe(201);
    await browser.delete('/api/voter/session');
    const device = browser.cookies.get('beacon_device') ?? '';
    expect(Buffer.from(device, 'base64').toString('latin1')).not.toMatch(/devoted|ann|34811/i);
    await lock('Devoted');
    expect(await isLocked('Devoted')).toBe(true);
    expect(
      (await browser.post('/api/voter/session', typed({ lastname: 'Devoted' }))).statusCode,
    ).toBe(201);
    // It does not let another person in, and a changed cookie lets nobody in.
    await lock('Another');
    const cookie = `beacon_device=${device}`;
    const other = await post({ lastname: 'Another' }, '10.34.0.2', cookie);
    expect(other.json()).toMatchObject({ detail: 'Another Proof Required' });
    const forged = `beacon_device=${device.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`;
    expect((await post({ lastname: 'Devoted' }, '10.34.0.3', forged)).statusCode).toBe(401);
    // Its own allowance ends as well; signing in renews it.
    for (let attempt = 0; attempt < 99; attempt += 1) {
      await post({ lastname: 'Devoted', birthdate: '05-01-1950' }, '10.34.0.4', cookie);
    }
    expect((await post({ lastname: 'Devoted' }, '10.34.0.4', cookie)).statusCode).toBe(201);
    for (let attempt = 0; attempt < 100; attempt += 1) {
      await post({ lastname: 'Devoted', birthdate: '05-01-1950' }, '10.34.0.4', cookie);
    }
    expect((await post({ lastname: 'Devoted' }, '10.34.0.4', cookie)).statusCode).toBe(401);
  });

  test('an earlier browser gets in also while its whole network must wait', async () => {
    await addVoter(api.test, adams, { lastname: 'Shared' });
    const browser = api.browser(host);
    await browser.post('/api/voter/session', typed({ lastname: 'Shared' }));
    await browser.delete('/api/voter/session');
    const device = `beacon_device=${browser.cookies.get('beacon_device')}`;
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await post({ lastname: `Nobody${attempt}` }, '10.35.0.1');
    }
    expect((await post({ lastname: 'Shared' }, '10.35.0.1')).statusCode).toBe(429);
    const again = await post({ lastname: 'Shared' }, '10.35.0.1', device);
    expect(again.statusCode).toBe(201);
  });

  test('the right token lets the voter in, and tokens cannot be guessed either', async () => {
    const tokened = { lastname: 'Tokened', registration_id: 'TK-1', token: 'K7QM-3XPD' };
    await addVoter(api.test, adams, tokened);
    await lock('Tokened');
    expect(await isLocked('Tokened')).toBe(true);
    const right = { lastname: 'Tokened', token: 'K7QM-3XPD' };
    expect((await post(right, '10.36.0.1')).statusCode).toBe(201);
    // The token alone is not enough.
    const wrong = await post({ ...right, birthdate: '05-01-1950' }, '10.36.0.2');
    expect(wrong.json()).toMatchObject({ detail: 'Invalid credentials' });
    expect(await failTimes(99, { lastname: 'Tokened', token: 'K7QM-0000' }, 37)).toEqual([
      'Invalid credentials',
    ]);
    expect((await post(right, '10.36.0.3')).json()).toMatchObject({
      detail: 'Another Proof Required',
    });
    await beacon.do('voter', 'unlock', 'TK-1', '--account', 'adams');
    expect((await post(right, '10.36.0.4')).statusCode).toBe(201);
    // The tokens that were tried count no more, either.
    await lock('Tokened');
    expect((await post(right, '10.36.0.5')).statusCode).toBe(201);
  });

  test('a wrong token for two voters with the same details does not say that there are two', async () => {
    for (const registration_id of ['TW-1', 'TW-2'])
      await addVoter(api.test, adams, { lastname: 'Twinned', registration_id, token: 'K7QM-3XPD' });
    const attempt = async (more = {}) =>
      (await post({ lastname: 'Twinned', ...more }, '10.39.0.1')).json();
    expect(await attempt()).toMatchObject({ detail: 'Ambiguous Credentials' });
    await lock('Twinned');
    const wrong = await attempt({ token: 'K7QM-0000' });
    expect(wrong).toMatchObject({ detail: 'Invalid credentials' });
  });

  test('the QR code of the voter’s letter lets the voter in', async () => {
    const voterId = await addVoter(api.test, adams, { lastname: 'Lettered' });
    const ballot_guid = await printCode(api, adams, voterId);
    await lock('Lettered');
    const browser = api.browser(host);
    const body = { ballot_guid, date_of_birth: '02-03-1970' };
    expect((await browser.post('/api/voter/ballot-login', body)).statusCode).toBe(201);
    // From then on this browser has signed the voter in before.
    await browser.delete('/api/voter/session');
    const again = await browser.post('/api/voter/session', typed({ lastname: 'Lettered' }));
    expect(again.statusCode).toBe(201);
  });

  test('the office lets the voter in, and its act is on record', async () => {
    const voterId = await addVoter(api.test, adams, {
      lastname: 'Phoned',
      registration_id: 'PH-1',
    });
    const unlock = () => beacon.do('voter', 'unlock', 'PH-1', '--account', 'adams');
    expect(await unlock()).toContain('was not locked');
    const own = api.browser(host);
    const signIn = (birthdate?: string) =>
      own.post(
        '/api/voter/session',
        typed({ lastname: 'Phoned', ...(birthdate && { birthdate }) }),
      );
    expect((await signIn()).statusCode).toBe(201);
    await own.delete('/api/voter/session');
    for (let attempt = 0; attempt < 100; attempt += 1) await signIn('05-01-1950');
    expect(await isLocked('Phoned')).toBe(true);
    expect((await signIn()).json()).toMatchObject({ detail: 'Another Proof Required' });
    expect(await unlock()).toContain('can sign in again');
    expect(await isLocked('Phoned')).toBe(false);
    // Also in the browser where the voter used up its allowance.
    expect((await signIn()).statusCode).toBe(201);
    expect((await post({ lastname: 'Phoned' }, '10.38.0.1')).statusCode).toBe(201);
    const entries = await api.query<{ actor: string }>(
      `select actor from audit_log where action = 'voter.unlock' and target = $1`,
      [String(voterId)],
    );
    expect(entries).toEqual([{ actor: 'operator:tester' }, { actor: 'operator:tester' }]);
    const unknown = await beacon.run('voter', 'unlock', 'PH-2', '--account', 'adams');
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no voter with ID PH-2'),
    });
  });
});

describe('guessing from one network', () => {
  test('waits after twenty failures in an hour, and after a hundred in a day', async () => {
    const statuses: number[] = [];
    for (let hour = 0; hour < 6; hour += 1) {
      for (let attempt = 0; attempt < 21; attempt += 1) {
        const answer = await post({ lastname: `Nobody${attempt}` }, '2001:db8::1');
        statuses.push(answer.statusCode);
      }
      api.clock.advance(60 * 60_000);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    const waiting = await post({}, '2001:db8:0:0:ffff::2');
    expect(waiting.statusCode).toBe(429);
    expect(Number(waiting.headers['retry-after'])).toBe(18 * 60 * 60);
    expect((await post({}, '2001:db8:0:100::2')).statusCode).toBe(201);
  });

  test('has no allowance for each /64 of a /56 or a /48', async () => {
    for (let attempt = 0; attempt < 80; attempt += 1) {
      const group = (attempt * 256).toString(16);
      await post({ lastname: `Nobody${attempt}` }, `2001:db8:7:${group}::1`);
    }
    expect((await post({}, '2001:db8:7:ffff::1')).statusCode).toBe(429);
    for (let attempt = 0; attempt < 40; attempt += 1) {
      await post({ lastname: `Nobody${attempt}` }, `2001:db8:8:${attempt}::1`);
    }
    expect((await post({}, '2001:db8:8:fe::1')).statusCode).toBe(429);
    expect((await post({}, '2001:db8:8:100::1')).statusCode).toBe(201);
  });

  test('a voter who signs in again and again never waits', async () => {
    for (let attempt = 0; attempt < 25; attempt += 1) {
      expect((await post({}, '10.3.0.1')).statusCode).toBe(201);
    }
  });
});

test('neither counters nor the record name anybody', async () => {
  await post({ firstname: 'Secretive', lastname: 'Person' }, '10.4.0.1');
  const rows = await api.query<{ row: string }>(
    // The keys as a person would read them, and no time of the record: the digits of a clock spell any number.
    `select encode(throttle_key, 'escape') as row from throttles
     union all select concat_ws(' ', actor, action, target, details) from audit_log`,
  );
  const text = rows.map(({ row }) => row).join('\n');
  expect(text).toContain('session.refuse');
  for (const word of ['Secretive', 'Person', '34811', '1970', '10.4.0.1', 'Rivera']) {
    expect(text).not.toContain(word);
  }
});
