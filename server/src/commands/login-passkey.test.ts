import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { addPerson, confirmCommandLogin, type TestPerson } from '../../../testing/people.ts';
import { holdRoll } from '../../../testing/roll.ts';
import type { AccountId } from '../platform/ids.ts';

const host = 'adams.localhost';
const of = ['--account', 'adams'];
let api: TestApi;
let adams: AccountId;
let beacon: Beacon;
let rosa: TestPerson;
let ina: TestPerson;
/** Who opens the next link and confirms its code. */
let who: TestPerson | undefined;
const confirmed: number[] = [];

beforeEach(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  rosa = await addPerson(api, { accountId: adams, host }, 'Rosa Kim', ['releaser']);
  ina = await addPerson(api, { accountId: adams, host }, 'Ina Moss', ['importer', 'releaser']);
  beacon = createBeacon(api.test.url, {
    clock: api.clock,
    onOutput(text) {
      if (who)
        void confirmCommandLogin(text, who).then((status) => status && confirmed.push(status));
    },
  });
});
afterEach(async () => {
  await api.close();
  beacon.remove();
});
beforeEach(async () => {
  for (const person of [rosa, ina]) await person.signIn();
  confirmed.length = 0;
});

const confirm = ({ browser }: TestPerson, hash: string) =>
  browser.post('/api/office/command-session', { hash });
const login = (person: TestPerson) => {
  who = person;
  return beacon.run('login', ...of);
};

let rolls = 0;
const holdFile = async () => {
  rolls += 1;
  return String(await holdRoll(api, beacon, 'adams', { lastname: `Fox${rolls}` }));
};

describe('where people sign in by passkeys alone', () => {
  test('a typed name decides nothing once somebody may release', async () => {
    const id = await holdFile();
    const typed = await beacon.run('release', id, '--by', 'Rosa Kim');
    expect(typed.stderr).toContain('beacon login --account adams');
    const other = createBeacon(api.test.url, { clock: api.clock, environment: {} });
    const nobody = await addOffice(api.test, { subdomain: 'nobody' });
    // Who has a passkey there may release nothing, or was removed.
    const ofNobody = { accountId: nobody, host: 'nobody.localhost' };
    await addPerson(api, ofNobody, 'Vi Stone', ['viewer', 'importer']);
    await addPerson(api, ofNobody, 'Gil Moss', ['releaser']);
    await api.query(`update people set removed_at = now() where name = 'Gil Moss'`);
    const free = await holdRoll(api, other, 'nobody', { lastname: 'Free' });
    await other.do('release', String(free), '--by', 'Bea Deputy');
    other.remove();
  });

  test('a person who confirms the code at the console releases in that person’s name', async () => {
    const id = await holdFile();
    const signedIn = await login(rosa);
    expect(signedIn.stdout).toContain('as Rosa Kim (Releaser)');
    expect(confirmed).toEqual([204]);
    expect(await beacon.do('release', id)).toContain('was approved and loaded');
    const [entry] = await api.query<{ actor: string; details: object }>(
      `select actor, details from audit_log where action = 'import.release' order by audit_id desc limit 1`,
    );
    expect(entry?.actor).toMatch(/^person:passkey\|/);
    expect(entry?.details).toMatchObject({ identity: 'proven' });
    api.clock.advance(5 * 60_000);
    expect((await beacon.run('correct', id)).stderr).toContain('Sign in first');
  });

  test('a confirmation is as fresh as the sign-in at the console that gave it', async () => {
    const id = await holdFile();
    api.clock.advance(3 * 60_000);
    await login(rosa);
    const [seen] = await api.query<{ at: Date }>(
      `select last_seen_at as at from people where name = 'Rosa Kim'`,
    );
    expect(seen?.at).toEqual(api.clock.now());
    api.clock.advance(2 * 60_000);
    expect((await beacon.run('release', id)).stderr).toContain('Sign in first');
  });

  test('a person who loses a role at the console is signed out here, too', async () => {
    const office = { accountId: adams, host };
    const ada = await addPerson(api, office, 'Ada Wu', ['admin']);
    const lou = await addPerson(api, office, 'Lou Ray', ['releaser', 'viewer']);
    const id = await holdFile();
    await login(lou);
    const path = `/api/office/people/${lou.personId}`;
    expect((await ada.browser.patch(path, { roles: ['releaser'] })).statusCode).toBe(204);
    expect((await beacon.run('release', id)).stderr).toContain('Sign in first');
  });

  test('nobody releases what the same person imported', async () => {
    await login(ina);
    const own = await holdFile();
    expect((await beacon.run('release', own)).stderr).toContain('Ina Moss imported this file.');
  });

  test('a link is good once, with a fresh sign-in, and its secret opens nothing at the console', async () => {
    await login(rosa);
    const secret = readFileSync(beacon.path('state/ballot-beacon/sessions/adams'), 'utf8');
    const hash = createHash('sha256').update(secret).digest('hex');
    expect((await confirm(ina, hash)).statusCode).toBe(409);
    expect(
      await api.query(`select target from audit_log where action = 'command-session.create'`),
    ).toEqual([{ target: String(rosa.personId) }]);
    const stranger = api.browser(host);
    stranger.cookies.set('beacon_office', secret);
    expect((await stranger.get('/api/office/session')).statusCode).toBe(401);
    for (const no of ['', 'f'.repeat(63), 'f'.repeat(65), 'F'.repeat(64)])
      expect((await confirm(rosa, no)).statusCode, no).toBe(422);
    api.clock.advance(5 * 60_000);
    expect((await confirm(rosa, 'f'.repeat(64))).json()).toMatchObject({ 'error-code': 7001 });
  });

  test('a person who presses Ctrl+C waits no longer', async () => {
    const { child, result } = beacon.start('login', ...of);
    child.stdout?.once('data', () => child.kill('SIGINT'));
    const { code, stdout } = await result;
    expect(stdout).toContain('Waiting');
    expect(code).not.toBe(0);
  }, 20_000);

  test('a link that nobody opens ends after ten minutes', async () => {
    who = undefined;
    const waiting = beacon.run('login', ...of);
    const { stop } = keepAdvancing();
    expect((await waiting).stderr).toContain('Nobody confirmed the code.');
    stop();
  });
});

/** Lets minutes pass while the command waits. */
function keepAdvancing() {
  const timer = setInterval(() => api.clock.advance(60_000), 50);
  return { stop: () => clearInterval(timer) };
}
