import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import type { AccountId } from '../../platform/ids.ts';
import { deleteExpired, endSessions } from './store.ts';

let api: TestApi;
let adams: AccountId;
let lake: AccountId;
const adamsHost = 'adams.localhost:8080';

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  lake = await addOffice(api.test, { subdomain: 'lake', is_token_required: true });
  await addVoter(api.test, adams, { middlename: 'Louise' });
  await addVoter(api.test, adams, { firstname: 'José', lastname: 'Núñez-O’Brien' });
  await addVoter(api.test, adams, { firstname: 'Søren Łiħŧ', lastname: 'Œrstœd-Ærøßæ' });
  await addVoter(api.test, adams, { firstname: '', lastname: 'Wibisana' });
  await addVoter(api.test, adams, { lastname: 'Gone', is_active: false });
  await addVoter(api.test, adams, { lastname: 'Hidden', is_confidential: true });
  for (const registration_id of ['TWIN1', 'TWIN2']) {
    await addVoter(api.test, adams, { lastname: 'Johnson', registration_id });
  }
  await addVoter(api.test, lake, { token: 'K7QM-3XPD' });
  await addVoter(api.test, lake, { lastname: 'Bare', registration_id: 'B1', token: 'R4TW-9HPL' });
  for (const registration_id of ['L1', 'L2']) {
    await addVoter(api.test, lake, {
      lastname: 'Nguyen',
      registration_id,
      token: `tok-${registration_id}`,
    });
  }
});
afterAll(() => api.close());
// Throttles count per hour; each test has an hour of its own.
beforeEach(() => api.clock.advance(2 * 60 * 60_000));

const signIn = (more: Record<string, unknown> = {}, host = adamsHost) =>
  api.browser(host).post('/api/voter/session', typed(more));

describe('signing in', () => {
  test('a voter who types what is on the roll gets a session, whose secret is in the cookie alone', async () => {
    const browser = api.browser(adamsHost);
    const answer = await browser.post('/api/voter/session', typed());
    expect(answer.statusCode).toBe(201);
    const { session_id: handle } = answer.json<{ session_id: string }>();
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^beacon_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(answer.body).not.toContain(browser.cookies.get('beacon_session'));
    expect(handle).toMatch(/^[0-9a-f-]{36}$/);
    const me = await browser.get('/api/voter/information/me');
    expect(me.statusCode).toBe(200);
    expect(me.headers['cache-control']).toBe('no-store');
    expect(String(me.headers['set-cookie'])).toMatch(
      /^beacon_device=[\w-]{16}(?:\.[\w-]{43}){2}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect((await browser.get('/api/voter/information/me')).headers['set-cookie']).toBeUndefined();
    const voter = await browser.get('/api/voter/information');
    expect(voter.json()).toMatchObject({
      _embedded: { voter_information: [{ firstname: 'Ann', lastname: 'Rivera', address: '' }] },
    });
  });

  test.each([
    ['case, spaces', { firstname: ' ANN ', lastname: ' rivera' }],
    ['a middle name typed after the first', { firstname: 'Ann Louise' }],
    ['a middle initial', { firstname: 'Ann L.' }],
    ['slashes in the birth date', { birthdate: '2/3/1970' }],
    ['backslashes in the birth date', { birthdate: '02\\03\\1970' }],
    ['bare digits in the birth date', { birthdate: '02031970' }],
    ['a birth date as a browser fills it in', { birthdate: '1970-02-03' }],
    ['digits of an Arabic keyboard', { birthdate: '٠٢-٠٣-١٩٧٠', zipcode: '٣٤٨١١' }],
    ['no accents, no hyphen', { firstname: 'jose', lastname: 'nunez obrien' }],
    ['letters of other alphabets', { firstname: 'Soren Liht', lastname: 'Oerstoed Aerossae' }],
    ['another apostrophe', { firstname: 'José', lastname: "Nunez O'Brien" }],
    ['no first name on the roll, none typed', { firstname: '', lastname: 'Wibisana' }],
    ['no first name on the roll, none sent', { firstname: undefined, lastname: 'Wibisana' }],
  ])('does not stumble over %s', async (_what, more) => {
    expect((await signIn(more)).statusCode).toBe(201);
  });

  test('a wrong person, nobody, an inactive and a confidential voter get the very same answer', async () => {
    const answers = await Promise.all([
      signIn({ firstname: 'Annie' }),
      signIn({ lastname: 'Nobody' }),
      signIn({ lastname: 'Gone' }),
      signIn({ lastname: 'Hidden' }),
      signIn({ birthdate: '02-04-1970' }),
      signIn({ zipcode: '34812' }),
      signIn({ lastname: 'Wibisana' }),
      signIn({ lastname: 'Johnson', provided_voter_id: 'TWIN3' }),
    ]);
    const [first] = answers;
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.body).toBe(first?.body);
      const { date: _date, ...headers } = answer.headers;
      const { date: _firstDate, ...firstHeaders } = first?.headers ?? {};
      expect(headers).toEqual(firstHeaders);
    }
    expect(first?.json()).toEqual({
      title: 'Unauthorized',
      status: 401,
      detail: 'Invalid credentials',
      'error-code': 8888,
    });
    expect(first?.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  test('a wrong birth date from a browser that signed the voter in before is on record as any other', async () => {
    const refused = async () => {
      const [row] = await api.query<{ count: number }>(
        `select count(*) as count from audit_log where action = 'session.refuse' and details->>'outcome' = 'no-match'`,
      );
      return row?.count ?? 0;
    };
    const browser = api.browser(adamsHost);
    expect((await browser.post('/api/voter/session', typed())).statusCode).toBe(201);
    expect((await browser.get('/api/voter/information/me')).statusCode).toBe(200);
    expect(browser.cookies.get('beacon_device')).toBeDefined();
    for (const one of [api.browser(adamsHost), browser]) {
      const before = await refused();
      const wrong = await one.post('/api/voter/session', typed({ birthdate: '02/03/1950' }));
      expect(wrong.statusCode).toBe(401);
      expect(await refused()).toBe(before + 1);
    }
  });

  test('two voters alike are told apart by the voter ID', async () => {
    const refused = () =>
      api.query(
        `select action from audit_log where actor like 'visitor:%' and details->>'outcome' = 'ambiguous'`,
      );
    const before = await refused();
    const asked = await signIn({ lastname: 'Johnson' });
    expect(asked.statusCode).toBe(401);
    expect(asked.json()).toMatchObject({ detail: 'Ambiguous Credentials', 'error-code': 8889 });
    expect(await refused()).toEqual([...before, { action: 'session.refuse' }]);
    const browser = api.browser(adamsHost);
    const answer = await browser.post(
      '/api/voter/session',
      typed({ lastname: 'Johnson', provided_voter_id: ' twin2 ' }),
    );
    expect(answer.statusCode).toBe(201);
    const voter = await browser.get('/api/voter/information');
    expect(voter.json()).toMatchObject({
      _embedded: { voter_information: [{ registration_id: 'TWIN2' }] },
    });
  });

  test('where the office demands its token, the name alone is not enough, nor is another’s token', async () => {
    const lakeHost = 'lake.localhost';
    expect((await signIn({}, lakeHost)).json()).toMatchObject({
      status: 401,
      detail: 'Token Required',
      'error-code': 8890,
    });
    expect((await signIn({ token: 'K7QM-0000' }, lakeHost)).json()).toMatchObject({
      detail: 'Invalid credentials',
    });
    // The host of every office asks for it as much.
    expect((await signIn({ lastname: 'Bare' }, 'localhost')).json()).toMatchObject({
      'error-code': 8890,
    });
    const bare = { lastname: 'Bare', token: 'R4TW-9HPL' };
    expect((await signIn(bare, 'localhost')).statusCode).toBe(201);
    const hashes = () => api.query(`select token_hash from voters where token_hash like 'keyed$%'`);
    const before = (await hashes()).length;
    expect((await signIn({ token: 'K7QM-3XPD' }, lakeHost)).statusCode).toBe(201);
    // The first right sign-in stores it at full cost; that opens too.
    expect(await hashes()).toHaveLength(before - 1);
    expect((await signIn({ token: 'K7QM-3XPD' }, lakeHost)).statusCode).toBe(201);
    const twin = { lastname: 'Nguyen', provided_voter_id: 'L1' };
    expect((await signIn({ lastname: 'Nguyen' }, lakeHost)).json()).toMatchObject({
      'error-code': 8889,
    });
    expect((await signIn(twin, lakeHost)).json()).toMatchObject({ 'error-code': 8890 });
    expect((await signIn({ ...twin, token: 'tok-L2' }, lakeHost)).statusCode).toBe(401);
    expect((await signIn({ ...twin, token: 'tok-L1' }, lakeHost)).statusCode).toBe(201);
  });

  test('where the office demands its token, a person guessed a hundred times is still asked for it, and gets in', async () => {
    const lakeHost = 'lake.localhost:8080';
    const lastname = 'Besieged';
    await addVoter(api.test, lake, { lastname, token: 'M2XC-7QRT' });
    for (let attempt = 0; attempt < 100; attempt += 1)
      await api.app.inject({
        ...{ method: 'POST', url: '/api/voter/session', headers: { host: lakeHost } },
        remoteAddress: `10.77.0.${attempt}`,
        payload: typed({ lastname, birthdate: `05-${1 + (attempt % 28)}-1950` }),
      });
    const asked = await signIn({ lastname }, lakeHost);
    expect([asked.statusCode, asked.json().detail]).toEqual([401, 'Token Required']);
    const isRight = await signIn({ lastname, token: 'M2XC-7QRT' }, lakeHost);
    expect(isRight.statusCode).toBe(201);
  });

  test('what is missing or cannot be is said field by field, in the visitor’s language', async () => {
    const english = await api.browser(adamsHost).post('/api/voter/session', {});
    expect(english.statusCode).toBe(422);
    expect(english.json()).toMatchObject({
      detail: 'Failed Validation',
      'error-code': 8888,
      validation_messages: {
        lastname: { required: 'Last name is required.' },
        zipcode: { required: 'Zip code is required.' },
        birthdate: { required: 'Date of birth is required.' },
        recaptcha: { required: 'Please complete the CAPTCHA' },
      },
    });
    const wrong = await signIn({
      firstname: 'x'.repeat(61),
      zipcode: '3481',
      birthdate: '02-30-1970',
    });
    expect(wrong.json()).toMatchObject({
      validation_messages: {
        firstname: { tooLong: 'First name is too long.' },
        zipcode: { invalid: 'Zip code must be 5 digits.' },
        birthdate: { invalid: expect.stringMatching(/date that exists/) },
      },
    });
    const spanish = api.browser(adamsHost);
    spanish.cookies.set('language', 'spanish');
    const answer = await spanish.post('/api/voter/session', {});
    const { validation_messages: messages } = answer.json<{
      validation_messages: { lastname: { required: string } };
    }>();
    expect(messages.lastname.required).toMatch(/apellido/i);
  });

  test('a birth date in the future is no birth date', async () => {
    expect((await signIn({ birthdate: '01-01-2099' })).statusCode).toBe(422);
  });
});

describe('a session', () => {
  const signedIn = async () => {
    const browser = api.browser(adamsHost);
    await browser.post('/api/voter/session', typed());
    return browser;
  };
  const isAlive = async (browser: Awaited<ReturnType<typeof signedIn>>) =>
    (await browser.request({ url: '/api/voter/information/me' })).statusCode === 200;
  /** How many are kept after those that ran out were deleted. */
  const countKept = async () => {
    await deleteExpired(api.test.database.unscoped, api.clock.now());
    const [row] = await api.query<{ count: number }>('select count(*)::int as count from sessions');
    return row?.count;
  };

  test('ends after 24 minutes without a request', async () => {
    const browser = await signedIn();
    api.clock.advance(23 * 60_000);
    expect(await isAlive(browser)).toBe(true);
    api.clock.advance(23 * 60_000);
    expect(await countKept()).toBe(1);
    expect(await isAlive(browser)).toBe(true);
    api.clock.advance(24 * 60_000 + 1);
    const answer = await browser.get('/api/voter/information/me');
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ detail: 'Session expired' });
    expect(await countKept()).toBe(0);
  });

  test('ends after 12 hours however busy it is', async () => {
    const browser = await signedIn();
    for (let minutes = 0; minutes < 12 * 60; minutes += 20) {
      expect(await isAlive(browser)).toBe(true);
      api.clock.advance(20 * 60_000);
    }
    expect(await isAlive(browser)).toBe(false);
    expect(await countKept()).toBe(0);
  });

  test('is gone after log-out, also for who kept the cookie, and no other is', async () => {
    const [browser, other] = [await signedIn(), await signedIn()];
    const stolen = browser.cookies.get('beacon_session') ?? '';
    const answer = await browser.delete('/api/voter/session');
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
    expect(browser.cookies.has('beacon_session')).toBe(false);
    const thief = api.browser(adamsHost);
    thief.cookies.set('beacon_session', stolen);
    expect(await isAlive(thief)).toBe(false);
    expect(await isAlive(other)).toBe(true);
  });

  test('logging out twice, or without a session, is no error', async () => {
    expect((await api.browser(adamsHost).delete('/api/voter/session')).statusCode).toBe(204);
  });

  test('is new at each sign-in: one planted before never becomes the voter’s', async () => {
    const browser = api.browser(adamsHost);
    const planted = 'A'.repeat(43);
    browser.cookies.set('beacon_session', planted);
    await browser.post('/api/voter/session', typed());
    const first = browser.cookies.get('beacon_session');
    expect(first).not.toBe(planted);
    await browser.post('/api/voter/session', typed());
    expect(browser.cookies.get('beacon_session')).not.toBe(first);
    const old = api.browser(adamsHost);
    old.cookies.set('beacon_session', first ?? '');
    expect(await isAlive(old)).toBe(false);
  });

  test('ends when the office takes the voter off the roll', async () => {
    const voterId = await addVoter(api.test, adams, { lastname: 'Leaving' });
    const browser = api.browser(adamsHost);
    await browser.post('/api/voter/session', typed({ lastname: 'Leaving' }));
    expect(await isAlive(browser)).toBe(true);
    await api.test.database.systemPool.query(
      'update voters set is_active = false where voter_id = $1',
      [voterId],
    );
    expect(await isAlive(browser)).toBe(false);
    // The browser does not go on showing a secret that is worth nothing.
    expect(browser.cookies.has('beacon_session')).toBe(false);
  });

  test('is in the database as a hash only', async () => {
    const browser = await signedIn();
    const secret = browser.cookies.get('beacon_session') ?? '';
    const { rows } = await api.test.database.systemPool.query<{ row: string }>(
      'select sessions::text as row from sessions',
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) {
      expect(row).not.toContain(secret);
      expect(row).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});

test('a call from a page of another site is refused before anything is looked at', async () => {
  const browser = api.browser(adamsHost, { origin: 'https://evil.test' });
  expect((await browser.post('/api/voter/session', typed())).statusCode).toBe(403);
  expect((await browser.delete('/api/voter/session')).statusCode).toBe(403);
});

test('an operator can sign one voter, or all of an office, out at once', async () => {
  const signedInAs = async (lastname: string) => {
    const browser = api.browser(adamsHost);
    await browser.post(
      '/api/voter/session',
      typed({ lastname, firstname: lastname === 'Wibisana' ? '' : 'Ann' }),
    );
    return browser;
  };
  const isAlive = async (browser: Awaited<ReturnType<typeof signedInAs>>) =>
    (await browser.get('/api/voter/information/me')).statusCode === 200;
  const ended = await addVoter(api.test, adams, { lastname: 'Ended' });
  const one = await signedInAs('Ended');
  const other = await signedInAs('Rivera');
  expect(await endSessions(api.test.database.system, adams, ended)).toBe(1);
  expect([await isAlive(one), await isAlive(other)]).toEqual([false, true]);
  await endSessions(api.test.database.system, lake);
  expect(await endSessions(api.test.database.system, lake)).toBe(0);
  expect(await isAlive(other)).toBe(true);
  expect(await endSessions(api.test.database.system, adams)).toBeGreaterThanOrEqual(1);
  expect(await isAlive(other)).toBe(false);
});
