import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  type TestVoter,
  typed,
} from '../../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import type { AccountId } from '../../platform/ids.ts';

/** A confidential voter gets in by the code of the office's letter, and is nobody in every other way. */
const host = 'adams.localhost';
const secret = 'a secret of the tests, long enough to be one';
const dayMs = 24 * 60 * 60_000;
let api: TestApi;
let adams: AccountId;
let lake: AccountId;
let beacon: Beacon;
let voters = 0;

beforeAll(async () => {
  api = await createTestApi({ secrets: [secret] });
  adams = await addOffice(api.test, { subdomain: 'adams', county: 'Adams', state: 'FL' });
  lake = await addOffice(api.test, { subdomain: 'lake' });
  beacon = createBeacon(api.test.url, { clock: api.clock });
  beacon.write('secret', secret);
});
afterAll(async () => {
  beacon.remove();
  await api.close();
});
beforeEach(() => api.clock.advance(2 * 60 * 60_000));

interface Hidden {
  readonly id: string;
  readonly lastname: string;
  readonly voterId: number;
}

async function addHidden(voter: TestVoter = {}, office = adams): Promise<Hidden> {
  voters += 1;
  const letters = [...String(voters)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const [id, lastname] = [`H${voters}`, `Hidden${letters}`];
  const hidden = { registration_id: id, lastname, is_confidential: true };
  const voterId = await addVoter(api.test, office, { ...hidden, ...voter });
  await api.query(
    `update voters set address = '9 Secret Lane', city = 'Hideaway', email = 'h@example.org', phone = '3525550123' where voter_id = $1`,
    [voterId],
  );
  await addBallot(api.test, office, voterId, { election: '7', events: [{ status: 'sent' }] });
  return { id, lastname, voterId };
}

const qr = ['qr', '--account', 'adams', '--election', '7'];

async function readLetters(...more: string[]): Promise<Map<string, string[]>> {
  const out = beacon.path(`letters-${crypto.randomUUID()}.csv`);
  await beacon.do(...qr, '--letters', '--out', out, ...more);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const [header, ...lines] = readFileSync(out, 'utf8').trimEnd().split('\r\n');
  expect(header).toBe('VoterID,Code,Url,LastDay');
  return new Map(lines.map((line) => [line.split(',')[0] ?? '', line.split(',')]));
}

async function codeFor({ id }: Hidden): Promise<string> {
  return (await readLetters('--voter', id)).get(id)?.[1] ?? '';
}

const check = async (code: string, at = host, remoteAddress = '10.1.1.1') =>
  (
    await api.app.inject({
      url: `/api/voter/qr-validate/${encodeURIComponent(code)}`,
      headers: { host: at },
      remoteAddress,
    })
  ).statusCode;

async function signIn(code: string, date_of_birth = '02-03-1970', at = host) {
  const browser = api.browser(at);
  const body = { ballot_guid: code, date_of_birth };
  const answer = await browser.post('/api/voter/ballot-login', body);
  return { browser, answer, status: answer.statusCode };
}

describe('the code of a letter', () => {
  test('signs a confidential voter in, who sees the ballot and nothing of where to find the voter', async () => {
    const hidden = await addHidden();
    const { browser, status } = await signIn(await codeFor(hidden));
    expect(status).toBe(201);
    const progress = await browser.get('/api/voter/ballot-status-progress/me');
    // A browser that is known would show a guesser that there is such a voter.
    expect(browser.cookies.has('beacon_device')).toBe(false);
    expect(progress.json().ballots[0].status_summary.current_status.status).toBe('sent');
    const own = await browser.get('/api/voter/information/me');
    expect(own.json()).toMatchObject({
      is_confidential: true,
      lastname: hidden.lastname,
      address: '',
      city: '',
      zipcode: '',
      county: 'Adams',
      email: '',
    });
    for (const secret of ['Secret Lane', 'Hideaway', 'h@example.org', '5550123', '34811', '1970'])
      expect(own.body).not.toContain(secret);
    const types = await browser.get('/api/voter/delivery-type');
    expect(types.json()).toEqual({ _embedded: { delivery_type: [] } });
    expect((await browser.get('/api/voter/archive-ballot')).statusCode).toBe(200);
  });

  test('does not open messages from before, and nobody signs up with it', async () => {
    const hidden = await addHidden();
    const [before] = await api.query<{ id: number }>(
      `insert into messages (account_id, kind, cause, voter_id, channel, address, language, deliver_after, state)
       values ($1, 'change', $2, $3, 'email', 'before@example.org', 'english', now(), 'sent') returning message_id as id`,
      [adams, `before ${hidden.id}`, hidden.voterId],
    );
    const { browser } = await signIn(await codeFor(hidden));
    expect((await browser.get('/api/voter/message')).json()).toEqual({
      messages: [],
      consents: [],
    });
    expect((await browser.post(`/api/voter/message/${before?.id}/again`, {})).statusCode).toBe(404);
    const saved = await browser.patch('/api/voter/information/me', {
      email: 'new@example.org',
      email_opt_in: true,
    });
    expect(saved.statusCode).toBe(409);
    const channels = await api.query('select from contact_channels where voter_id = $1', [
      hidden.voterId,
    ]);
    expect(channels).toEqual([]);
    expect((await browser.get('/api/voter/information/me')).statusCode).toBe(200);
  });

  test('counts in any case, without dashes, with letters for digits, and with its birth date alone', async () => {
    const code = await codeFor(await addHidden());
    const sloppy = code
      .toLowerCase()
      .replaceAll('-', ' ')
      .replaceAll('0', 'o')
      .replaceAll('1', 'l');
    expect(await check(sloppy)).toBe(204);
    expect((await signIn(sloppy, '02-04-1970')).answer.json()).toMatchObject({
      status: 400,
      detail: 'Date of birth did not match',
    });
    expect((await signIn(sloppy)).status).toBe(201);
  });

  test('is one voter’s, of one office, and the database does not contain it', async () => {
    const [one, other] = [await addHidden(), await addHidden()];
    const codes = [await codeFor(one), await codeFor(other)];
    expect(new Set(codes).size).toBe(2);
    for (const [index, hidden] of [one, other].entries()) {
      const { browser } = await signIn(codes[index] ?? '');
      const own = await browser.get('/api/voter/information/me');
      expect(own.json()).toMatchObject({ lastname: hidden.lastname });
    }
    expect(await check(codes[0] ?? '', 'lake.localhost')).toBe(404);
    const stored = JSON.stringify(await api.query('select * from letter_codes'));
    for (const code of codes) expect(stored).not.toContain(code.replaceAll('-', ''));
  });

  test('works at the bare host, which learns the office from it', async () => {
    const [one, other] = [await addHidden(), await addHidden({}, lake)];
    const ofLake = (await readLetters('--account', 'lake')).get(other.id)?.[1] ?? '';
    for (const { code, lastname } of [
      { ...one, code: await codeFor(one) },
      { ...other, code: ofLake },
    ]) {
      const { browser } = await signIn(code, '02-03-1970', 'localhost');
      const own = await browser.get('/api/voter/information/me');
      expect(own.json()).toMatchObject({ lastname });
    }
  });

  test('ends by revoking it, and with it the sessions that it started', async () => {
    const hidden = await addHidden();
    const [code, neighborsCode] = [await codeFor(hidden), await codeFor(await addHidden())];
    const { browser } = await signIn(code);
    const revoke = ['voter', 'revoke-letter', hidden.id, '--account', 'adams'];
    expect(await beacon.do(...revoke)).toContain('no longer works');
    expect((await browser.get('/api/voter/information/me')).statusCode).toBe(403);
    expect([await check(code), await check(neighborsCode)]).toEqual([404, 204]);
    expect(await beacon.do(...revoke)).toContain('has no letter code');
    const audited = await api.query(
      `select actor from audit_log where action = 'letter-code.revoke' and target = $1`,
      [String(hidden.voterId)],
    );
    expect(audited).toEqual([{ actor: 'operator:tester' }, { actor: 'operator:tester' }]);
  });

  test('is replaced by a newer one, ends after 180 days, with its election, and with the voter’s entry', async () => {
    const hidden = await addHidden();
    const [first, second] = [await codeFor(hidden), await codeFor(hidden)];
    expect(await check(first)).toBe(404);
    expect(await check(second)).toBe(204);
    await api.query('update voters set is_active = false where voter_id = $1', [hidden.voterId]);
    expect(await check(second)).toBe(404);
    await api.query('update voters set is_active = true where voter_id = $1', [hidden.voterId]);
    await api.query(`update elections set is_active = false where number = '7'`);
    expect(await check(second)).toBe(404);
    await api.query(`update elections set is_active = true where number = '7'`);
    api.clock.advance(179 * dayMs);
    expect(await check(second)).toBe(204);
    api.clock.advance(dayMs);
    expect(await check(second)).toBe(404);
    expect((await readLetters()).has(hidden.id)).toBe(true);
  });

  test('asks for another proof after a hundred wrong birth dates, until a clerk unlocks it', async () => {
    const hidden = await addHidden();
    const code = await codeFor(hidden);
    const attempt = (n: number, date_of_birth: string) =>
      api.app.inject({
        method: 'POST',
        url: '/api/voter/ballot-login',
        headers: { host },
        remoteAddress: `10.2.0.${n}`,
        payload: { ballot_guid: code, date_of_birth },
      });
    for (let n = 0; n < 100; n += 1) await attempt(n, `05-10-${1900 + n}`);
    expect((await attempt(100, '02-03-1970')).json()).toMatchObject({
      detail: 'Another Proof Required',
    });
    await beacon.do('voter', 'unlock', hidden.id, '--account', 'adams');
    expect((await attempt(101, '02-03-1970')).statusCode).toBe(201);
  });
});

test('codes that nobody printed are counted by network, recorded, and never looked up after twenty', async () => {
  const code = await codeFor(await addHidden());
  const countFailures = async () => {
    await api.keepHouse();
    const sum = `select sum((details->>'count')::int)::int as count from audit_log where action = 'security.qr-sign-in-failed'`;
    return (await api.query<{ count: number }>(sum))[0]?.count ?? 0;
  };
  const before = await countFailures();
  const from = '203.0.113.9';
  for (let n = 1_000; n < 1_020; n += 1)
    expect(await check(`0000-0000-0000-${n}`, host, from)).toBe(404);
  // Not even the right one, so that a guess that is refused says nothing.
  for (const one of ['0000-0000-0000-9999', code]) expect(await check(one, host, from)).toBe(429);
  expect(await check(code)).toBe(204);
  expect((await countFailures()) - before).toBe(22);
});

describe('letters', () => {
  test('go to active confidential voters who have no code that works; a renewal goes to all', async () => {
    await readLetters();
    const hidden = await addHidden();
    const gone = await addHidden({ is_active: false });
    await addVoter(api.test, adams, { registration_id: 'open', lastname: 'Open' });
    const fresh = await readLetters();
    expect([...fresh.keys()]).toEqual([hidden.id]);
    const [, code = '', url = ''] = fresh.get(hidden.id) ?? [];
    expect(new URL(url).pathname).toBe('/voter/qr-login');
    expect(new URL(url).searchParams.get('guid')).toBe(code);
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    const again = await beacon.do(...qr, '--letters', '--out', beacon.path('none.csv'));
    expect(again).toContain('No new codes');
    const renewed = await readLetters('--renew');
    expect(renewed.has(hidden.id)).toBe(true);
    expect(renewed.has(gone.id)).toBe(false);
    expect(renewed.has('open')).toBe(false);
    expect(await check(code)).toBe(404);
  });

  test('say the last day on all of which they work, by the office’s clock', async () => {
    await readLetters();
    const { id } = await addHidden();
    const before = api.clock.now();
    // In Florida it is the evening before.
    api.clock.set('2026-10-10T02:00:00Z');
    const letters = await readLetters('--voter', id);
    api.clock.set(before.toISOString());
    expect(letters.get(id)?.[3]).toBe('2027-04-06');
  });

  test('are printed anew for another election, whose code takes the place of the earlier one', async () => {
    const hidden = await addHidden();
    const code = await codeFor(hidden);
    await api.query(
      `insert into elections (account_id, number, name, election_date, is_active)
       values ($1, '8', 'Runoff', '2026-12-08', true)`,
      [adams],
    );
    const out = beacon.path('runoff.csv');
    await beacon.do('qr', '--account', 'adams', '--election', '8', '--letters', '--out', out);
    const line = readFileSync(out, 'utf8')
      .split('\r\n')
      .find((one) => one.startsWith(`${hidden.id},`));
    expect(await check(line?.split(',')[1] ?? '')).toBe(204);
    expect(await check(code)).toBe(404);
  });

  test('are for no other voter, and for none whose birth date is not known', async () => {
    await addVoter(api.test, adams, { registration_id: 'plain', lastname: 'Plain' });
    const dateless = await addHidden();
    await api.query('update voters set birthdate = null where voter_id = $1', [dateless.voterId]);
    for (const [id, message] of [
      ['plain', 'no active confidential voter plain'],
      [dateless.id, 'no birth date'],
      ['nobody', 'no active confidential voter nobody'],
    ] as const) {
      const result = await beacon.run(
        ...[...qr, '--letters', '--voter', id, '--out', beacon.path(`${id}.csv`)],
      );
      expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    }
    const { stdout } = await beacon.run(...qr, '--letters', '--out', beacon.path('all.csv'));
    expect(stdout).toMatch(/^1 confidential voters have no birth date/m);
  });

  test('change nothing when their file cannot be written, or its disk is full', async () => {
    const hidden = await addHidden();
    const code = await codeFor(hidden);
    const letters = [...qr, '--letters', '--voter', hidden.id, '--out'];
    const stderr = expect.stringContaining('cannot be written');
    for (const out of [beacon.path('gone/letters.csv'), '/dev/full'])
      expect(await beacon.run(...letters, out)).toMatchObject({ code: 1, stderr });
    expect(await check(code)).toBe(204);
  });
});

test('the print shop’s file, barcodes, reports, the outbox and ballot numbers leave confidential voters out', async () => {
  api.clock.advance(180 * dayMs); // Reports end with today, and the database's clock is ahead.
  const hidden = await addHidden();
  const plain = await addVoter(api.test, adams, { registration_id: 'P1', lastname: 'Printed' });
  await addBallot(api.test, adams, plain, { election: '7', events: [{ status: 'sent' }] });
  const [ballot] = await api.query<{ ballot_id: number }>(
    'select ballot_id from ballots where voter_id = $1',
    [hidden.voterId],
  );
  for (const [voterId, address] of [
    [hidden.voterId, 'hidden@example.org'],
    [plain, 'plain@example.org'],
  ])
    await api.query(
      `insert into messages (account_id, kind, cause, voter_id, channel, address, language, deliver_after, state)
       values ($1, 'change', $3, $2, 'email', $3, 'english', now(), 'sent')`,
      [adams, voterId, address],
    );
  const codes = beacon.path('ballots.csv');
  await beacon.do(...qr, '--out', codes);
  expect(readFileSync(codes, 'utf8')).toContain('P1');
  expect(readFileSync(codes, 'utf8')).not.toMatch(/^H\d/m);
  const report = (name: string) => beacon.do('report', name, '--account', 'adams');
  const status = await beacon.do('report', 'status', '--account', 'adams', '--election', '7');
  expect(new Set(status.match(/\d+$/gm))).toEqual(new Set(['1']));
  const [{ count } = { count: 0 }] = await api.query<{ count: number }>(
    `select count(*)::int as count from messages m join voters v using (voter_id) where not v.is_confidential`,
  );
  const lines = (await report('messages')).trimEnd().split('\n').slice(1);
  const sum = lines.reduce((total, line) => total + Number(line.split(',').at(-1)), 0);
  expect(sum).toBe(count);
  const outbox = await beacon.do('outbox', '--account', 'adams', '--json');
  expect(outbox).toContain('plain@example.org');
  expect(outbox).not.toContain('hidden@example.org');
  const shown = await beacon.run('ballot', 'show', String(ballot?.ballot_id), '--account', 'adams');
  expect(shown).toMatchObject({ code: 1, stdout: '' });
});

test('a session by name ends when its voter becomes confidential', async () => {
  const voterId = await addVoter(api.test, adams, { lastname: 'Becoming' });
  const browser = api.browser(host);
  expect(
    (await browser.post('/api/voter/session', typed({ lastname: 'Becoming' }))).statusCode,
  ).toBe(201);
  const ask = async () => (await browser.get('/api/voter/ballot-status-progress/me')).statusCode;
  expect(await ask()).toBe(200);
  await api.query('update voters set is_confidential = true where voter_id = $1', [voterId]);
  expect(await ask()).toBe(403);
});

test('by name a confidential voter stays nobody, also in the browser that the letter signed in', async () => {
  const hidden = await addHidden();
  const { browser } = await signIn(await codeFor(hidden));
  await browser.get('/api/voter/information/me');
  await browser.delete('/api/voter/session');
  const stranger = api.browser(host);
  const answers = [];
  for (const [who, lastname] of [
    [browser, hidden.lastname],
    [browser, 'Nobodyatall'],
    [stranger, hidden.lastname],
    [stranger, 'Nobodyatall'],
  ] as const) {
    const answer = await who.post('/api/voter/session', typed({ lastname }));
    const { date: _date, ...headers } = answer.headers;
    answers.push(JSON.stringify([answer.statusCode, headers, answer.body]));
  }
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('Invalid credentials');
});
