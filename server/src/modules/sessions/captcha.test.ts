import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { newLastname } from '../../../../testing/new-voter.ts';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import { askAt } from './captcha-check.ts';

const oldSecret = 'the secret of last month, now being replaced';
const newSecret = 'the secret of this month, which signs from now on';
const host = 'adams.localhost';
const asked: string[] = [];
let api: TestApi;
let before: TestApi;

beforeAll(async () => {
  api = await createTestApi({
    environment: { CAPTCHA: 'altcha' },
    secrets: [newSecret, oldSecret],
    askRecaptcha: async (_secret, response) => {
      asked.push(response);
      return response.startsWith('good');
    },
  });
  before = await createTestApi({ environment: { CAPTCHA: 'altcha' }, secrets: [oldSecret] });
  for (const one of [api, before]) {
    const adams = await addOffice(one.test, { subdomain: 'adams' });
    await addVoter(one.test, adams);
    for (const registration_id of ['T1', 'T2']) {
      await addVoter(one.test, adams, { lastname: 'Twin', registration_id });
    }
  }
  const lake = await addOffice(api.test, {
    subdomain: 'lake',
    is_token_required: true,
    recaptcha: { site_key: 'site', secret_key: 'secret' },
  });
  await addVoter(api.test, lake, { token: 'right' });
});
afterAll(async () => {
  await api.close();
  await before.close();
});
beforeEach(() => api.clock.advance(2 * 60 * 60_000));

interface Challenge {
  parameters: Record<string, unknown> & { cost: number };
  signature: string;
}

async function solve(
  from: TestApi = api,
  change: (challenge: Challenge) => void = () => {},
  { level, at = host }: { level?: number; at?: string } = {},
) {
  const query = level === undefined ? '' : `?level=${level}`;
  const challenge = (await from.browser(at).get(`/api/voter/captcha${query}`)).json<Challenge>();
  const solution = await solveChallenge({ challenge: challenge as never, deriveKey });
  change(challenge);
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

const signIn = async (more: Record<string, unknown>, to = host) =>
  (await api.browser(to).post('/api/voter/session', typed(more))).json<{
    session_id?: string;
    detail?: string;
  }>();
const isIn = (answer: { session_id?: string }) => answer.session_id !== undefined;

describe('the proof of work', () => {
  test('lets a browser in that has done it', async () => {
    expect(isIn(await signIn({ recaptcha: await solve() }))).toBe(true);
  });

  test('is worth one sign-in: a solution sent again is refused', async () => {
    const recaptcha = await solve();
    expect(isIn(await signIn({ recaptcha }))).toBe(true);
    expect(await signIn({ recaptcha })).toMatchObject({ detail: 'Invalid ReCAPTCHA' });
    const spelledAnew = Buffer.from(
      Buffer.from(recaptcha, 'base64')
        .toString()
        .replace(
          /"signature":"(\w+)"/,
          (_all, hex: string) => `"signature":"${hex.toUpperCase()}"`,
        ),
    ).toString('base64');
    expect(await signIn({ recaptcha: spelledAnew })).toMatchObject({ detail: 'Invalid ReCAPTCHA' });
  });

  test('spent a hundred times at the same instant, it is good once', async () => {
    const recaptcha = await solve();
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn({ recaptcha })));
    expect(answers.filter(isIn)).toHaveLength(1);
  });

  test('is not solved twice by a voter who is asked for the voter ID', async () => {
    const recaptcha = await solve();
    const twin = { lastname: 'Twin', recaptcha };
    expect(await signIn(twin)).toMatchObject({ detail: 'Ambiguous Credentials' });
    // Nobody else may use it meanwhile.
    expect(await signIn({ recaptcha })).toMatchObject({ detail: 'Invalid ReCAPTCHA' });
    expect(isIn(await signIn({ ...twin, provided_voter_id: 'T2' }))).toBe(true);
    expect(await signIn({ ...twin, provided_voter_id: 'T2' })).toMatchObject({
      detail: 'Invalid ReCAPTCHA',
    });
  });

  test('waits ten minutes for the voter ID, also when its own time runs out', async () => {
    const recaptcha = await solve();
    const twin = { lastname: 'Twin', recaptcha };
    api.clock.advance(19 * 60_000);
    await signIn(twin);
    api.clock.advance(9 * 60_000);
    expect(isIn(await signIn({ ...twin, provided_voter_id: 'T1' }))).toBe(true);
    const late = { lastname: 'Twin', recaptcha: await solve() };
    await signIn(late);
    api.clock.advance(21 * 60_000);
    expect(await signIn({ ...late, provided_voter_id: 'T1' })).toMatchObject({
      detail: 'Invalid ReCAPTCHA',
    });
  });

  test('does not serve for guessing voter IDs: a wrong one spends it', async () => {
    const recaptcha = await solve();
    const twin = { lastname: 'Twin', recaptcha };
    await signIn(twin);
    expect(await signIn({ ...twin, provided_voter_id: 'T9' })).toMatchObject({
      detail: 'Invalid credentials',
    });
    expect(await signIn({ ...twin, provided_voter_id: 'T1' })).toMatchObject({
      detail: 'Invalid ReCAPTCHA',
    });
  });

  test('runs out after twenty minutes', async () => {
    const recaptcha = await solve();
    api.clock.advance(20 * 60_000);
    expect(await signIn({ recaptcha })).toMatchObject({ detail: 'Invalid ReCAPTCHA' });
  });

  test('cannot be made cheaper, prolonged or made up', async () => {
    const cheaper = await solve(api, ({ parameters }) => {
      parameters.cost = 1;
    });
    const longer = await solve(api, ({ parameters }) => {
      parameters.data = { expires_at: 9e15 };
    });
    const unsigned = await solve(api, (challenge) => {
      challenge.signature = '';
    });
    const words = [
      'off',
      'x',
      Buffer.from('{}').toString('base64'),
      Buffer.from('null').toString('base64'),
    ];
    for (const recaptcha of [cheaper, longer, unsigned, ...words]) {
      expect(await signIn({ recaptcha })).toMatchObject({ detail: 'Invalid ReCAPTCHA' });
    }
  });

  test('made before a secret was replaced is still good after', async () => {
    before.clock.set(api.clock.now().toISOString());
    expect(isIn(await signIn({ recaptcha: await solve(before) }))).toBe(true);
  });
});

describe('after many failures for one name', () => {
  /** Failures of the name that are already on record, as a day of guessing leaves them. */
  const fail = async (lastname: string, times: number) => {
    for (let attempt = 0; attempt < times; attempt += 1) {
      await api.app.inject({
        method: 'POST',
        url: '/api/voter/session',
        headers: { host },
        remoteAddress: `10.7.${attempt}.1`,
        payload: typed({ lastname, birthdate: '05-05-1950', recaptcha: await solve() }),
      });
    }
  };

  test('more work is asked for, of the voter and of anybody alike, and then lets the voter in', async () => {
    const [adams] = await api.query<{ id: AccountId }>(
      "select account_id as id from accounts where subdomain = 'adams'",
    );
    await addVoter(api.test, adams?.id as AccountId, { lastname: 'Pursued' });
    await fail('Pursued', 5);
    await fail('Phantom', 5);
    const asked = await signIn({ lastname: 'Pursued', recaptcha: await solve() });
    expect(asked).toMatchObject({
      detail: 'More Work Required',
      'error-code': 9998,
      work_level: 1,
    });
    expect(await signIn({ lastname: 'Phantom', recaptcha: await solve() })).toEqual(asked);
    const harder = await solve(api, undefined, { level: 1 });
    expect(isIn(await signIn({ lastname: 'Pursued', recaptcha: harder }))).toBe(true);
    expect(await signIn({ lastname: 'Pursued', recaptcha: harder })).toMatchObject({
      detail: 'Invalid ReCAPTCHA',
    });
    // An answer that more work was asked for has spent its solution.
    const spent = await solve();
    await signIn({ lastname: 'Phantom', recaptcha: spent });
    expect(await signIn({ recaptcha: spent })).toMatchObject({ detail: 'Invalid ReCAPTCHA' });
  });

  test('the level of a challenge cannot be changed', async () => {
    const raised = await solve(api, ({ parameters }) => {
      parameters.data = { ...(parameters.data as object), level: 3 };
    });
    expect(await signIn({ recaptcha: raised })).toMatchObject({ detail: 'Invalid ReCAPTCHA' });
    expect((await api.browser(host).get('/api/voter/captcha?level=9')).statusCode).toBe(400);
  });

  test('work takes the place of the office’s own CAPTCHA only when it is asked for', async () => {
    const lake = 'lake.localhost';
    const instead = await solve(api, undefined, { level: 1, at: lake });
    const more = { recaptcha: instead, lastname: 'Chased', token: 'right' };
    expect(await signIn(more, lake)).toMatchObject({ detail: 'Invalid ReCAPTCHA' });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await signIn({ lastname: 'Chased', recaptcha: `good-chased-${attempt}` }, lake);
    }
    expect(await signIn({ lastname: 'Chased', recaptcha: 'good-more' }, lake)).toMatchObject({
      detail: 'More Work Required',
    });
    const asked = await solve(api, undefined, { level: 1, at: lake });
    expect(await signIn({ ...more, recaptcha: asked }, lake)).toMatchObject({
      detail: 'Invalid credentials',
    });
  });
});

test('the forty-first voter of one network has more work, and then gets in', async () => {
  const names = Array.from({ length: 41 }, newLastname);
  const [adams] = await api.query<{ id: AccountId }>(
    "select account_id as id from accounts where subdomain = 'adams'",
  );
  for (const lastname of names) await addVoter(api.test, adams?.id as AccountId, { lastname });
  for (const lastname of names.slice(0, 40))
    expect(isIn(await signIn({ lastname, recaptcha: await solve() }))).toBe(true);
  const last = { lastname: names[40] };
  expect(await signIn({ ...last, recaptcha: await solve() })).toMatchObject({
    detail: 'More Work Required',
    work_level: 1,
  });
  const harder = await solve(api, undefined, { level: 1 });
  expect(isIn(await signIn({ ...last, recaptcha: harder }))).toBe(true);
}, 60_000);

describe('a QR code', () => {
  test.each(['adams', 'lake'])('needs a proof of work at %s, once for each try', async (office) => {
    const at = `${office}.localhost`;
    const rows = await api.query<{ voter_id: VoterId; account_id: AccountId }>(
      `select v.voter_id, v.account_id from voters v join accounts a using (account_id)
       where a.subdomain = $1 order by 1 limit 1`,
      [office],
    );
    const [voter] = rows;
    if (!voter) throw new Error(`${office} has no voter.`);
    const ballotId = await addBallot(api.test, voter.account_id, voter.voter_id, {
      events: [{ status: 'sent' }],
    });
    const [code] = await api.query<{ guid: string }>(
      'insert into ballot_codes (account_id, ballot_id) values ($1, $2) returning guid',
      [voter?.account_id, ballotId],
    );
    const enter = async (recaptcha?: string, date_of_birth = '02-03-1970') =>
      (
        await api.browser(at).post('/api/voter/ballot-login', {
          ballot_guid: code?.guid,
          date_of_birth,
          ...(recaptcha && { recaptcha }),
        })
      ).json<{ session_id?: string; detail?: string }>();
    for (const none of [undefined, 'x', 'good-google']) {
      expect(await enter(none)).toMatchObject({ detail: 'Invalid ReCAPTCHA', 'error-code': 9999 });
    }
    const work = await solve(api, undefined, { level: 0, at });
    expect(isIn(await enter(work))).toBe(true);
    expect(await enter(work)).toMatchObject({ detail: 'Invalid ReCAPTCHA' });
    for (let day = 1; day <= 5; day += 1) {
      await enter(await solve(api, undefined, { level: 0, at }), `05-0${day}-1950`);
    }
    expect(await enter(await solve(api, undefined, { level: 0, at }))).toMatchObject({
      detail: 'More Work Required',
      work_level: 1,
    });
    expect(isIn(await enter(await solve(api, undefined, { level: 1, at })))).toBe(true);
  });
});

describe('reCAPTCHA, where the office chose it', () => {
  test('is asked at Google, once, and is good for one sign-in and its further question', async () => {
    const lake = 'lake.localhost';
    expect((await api.browser(lake).get('/api/voter/captcha')).statusCode).toBe(404);
    asked.length = 0;
    expect(await signIn({ recaptcha: 'bad' }, lake)).toMatchObject({ detail: 'Invalid ReCAPTCHA' });
    expect(await signIn({ recaptcha: 'good-1' }, lake)).toMatchObject({ detail: 'Token Required' });
    expect(isIn(await signIn({ recaptcha: 'good-1', token: 'right' }, lake))).toBe(true);
    expect(asked).toEqual(['bad', 'good-1']);
    // Google answers for two minutes, and would know better then; ours is remembered for longer.
    api.clock.advance(30 * 60_000);
    await api.keepHouse();
    expect(await signIn({ recaptcha: 'good-1', token: 'right' }, lake)).toMatchObject({
      detail: 'Invalid ReCAPTCHA',
    });
  });
});

describe('the question to Google', () => {
  const heard: { path: string | undefined; form: Record<string, string> }[] = [];
  let answerWith: { status?: number; text: string } | 'silence' = { text: '{}' };
  let google: Server;
  let park: TestApi;

  beforeAll(async () => {
    google = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      heard.push({ path: request.url, form });
      if (answerWith !== 'silence')
        response.writeHead(answerWith.status ?? 200).end(answerWith.text);
    });
    await new Promise<void>((resolve) => google.listen(0, '127.0.0.1', resolve));
    const { port } = google.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/siteverify`;
    park = await createTestApi({
      environment: { CAPTCHA: 'altcha' },
      // Short of patience only where no answer comes: another may be slow on a busy machine.
      askRecaptcha: (...question) =>
        askAt(url, answerWith === 'silence' ? 500 : undefined)(...question),
    });
    park.expectFailures(/"code":"invalid_input_secret"/);
    const office = await addOffice(park.test, {
      subdomain: 'park',
      recaptcha: { site_key: 'site', secret_key: 'the office’s own' },
    });
    await addVoter(park.test, office);
  });
  afterAll(async () => {
    await park.close();
    google.closeAllConnections();
    await new Promise((resolve) => google.close(resolve));
  });

  const knock = (recaptcha: string) =>
    park.browser('park.localhost').post('/api/voter/session', typed({ recaptcha }));

  test('carries the office’s secret, the answer and where it came from', async () => {
    answerWith = { text: '{"success":true}' };
    expect((await knock('ticked')).statusCode).toBe(201);
    expect(heard.at(-1)).toEqual({
      path: '/siteverify',
      form: { secret: 'the office’s own', response: 'ticked', remoteip: '127.0.0.1' },
    });
  });

  test('lets nobody in whose answer is not good', async () => {
    answerWith = { text: '{"success":"no"}' };
    expect((await knock('odd')).json()).toMatchObject({ detail: 'Invalid ReCAPTCHA' });
    answerWith = { text: '{"success":false,"error-codes":["timeout-or-duplicate"]}' };
    expect((await knock('stale')).json()).toMatchObject({
      detail: 'Invalid ReCAPTCHA',
      'error-code': 9999,
    });
  });

  test.each([
    ['is not answered in time', 'silence', 'TimeoutError'],
    ['meets a failing service', { status: 502, text: '{}' }, 'http_502'],
    ['is answered with a page', { text: '<html>' }, 'SyntaxError'],
    [
      'has a wrong key of the office',
      { text: '{"success":false,"error-codes":["invalid-input-secret"]}' },
      'invalid_input_secret',
    ],
  ] as const)(
    'that %s lets nobody in, does not count against the voter, and is reported to the operator',
    async (_what, answer, code) => {
      answerWith = answer;
      park.logLines.length = 0;
      const refused = await knock('private words');
      expect(refused.statusCode).toBe(500);
      expect(refused.json()).toMatchObject({ err_id: expect.any(String) });
      const log = park.logLines.join('');
      expect(log).toContain(`"event":"captcha.unavailable","code":"${code}"`);
      expect(log).not.toMatch(/private words|office’s own/);
    },
  );
});
