import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import {
  type LocalProvider,
  startLocalProvider,
  visitProvider,
} from '../../../testing/identity-provider.ts';
import { holdRoll, writeRoll } from '../../../testing/roll.ts';

const minute = 60_000;
const of = ['--account', 'adams'];
let provider: LocalProvider;
let api: TestApi;
let beacon: Beacon;
/** Who confirms the next code, in the browser. */
let who = '';

beforeEach(async () => {
  provider = await startLocalProvider();
  provider.people.set('both', {
    id: 'both',
    name: 'Bea Both',
    groups: ['importers', 'releasers'],
  });
  api = await createTestApi();
  await addOffice(api.test, { subdomain: 'adams' });
  beacon = createBeacon(api.test.url, {
    clock: api.clock,
    environment: { OFFICE_PROVIDERS: provider.settings() },
    onOutput(text) {
      const address = /Open (\S+) in a browser/.exec(text)?.[1];
      if (address) void visitProvider(provider).confirmCode(address, who);
    },
  });
});
afterEach(async () => {
  await api.close();
  await provider.close();
  beacon.remove();
});

const login = (person: string) => {
  who = person;
  return beacon.run('login', ...of);
};

let rollNumber = 0;

async function holdFile(): Promise<string> {
  rollNumber += 1;
  return String(await holdRoll(api, beacon, 'adams', { lastname: `Fox${rollNumber}` }));
}

const newestAudit = async (action: string) =>
  (
    await api.query<{ actor: string; details: object }>(
      'select actor, details from audit_log where action = $1 order by audit_id desc limit 1',
      [action],
    )
  )[0];

test('without identities two typed names decide, and the record says that they are typed', async () => {
  const plain = createBeacon(api.test.url, { clock: api.clock, environment: {} });
  const file = plain.write('one.csv', writeRoll(1));
  await addOffice(api.test, { subdomain: 'plain' });
  await plain.do('import', file, '--account', 'plain', '--format', 'beacon-voters');
  const [{ import_id: id } = { import_id: 0 }] = await api.query<{ import_id: number }>(
    'select max(import_id) as import_id from imports',
  );
  await api.query(`update imports set state = 'messages-held' where import_id = $1`, [id]);
  await plain.do('release', String(id), '--by', 'Bea Deputy');
  expect(await newestAudit('import.release')).toMatchObject({
    actor: 'operator:Bea Deputy',
    details: { run_as: 'operator:tester', identity: 'typed' },
  });
  const nobody = await plain.run('correct', String(id));
  expect(nobody).toMatchObject({ code: 2 });
  expect(nobody.stderr).toContain(`beacon correct ${id} --by NAME`);
  await plain.do('correct', String(id), '--by', 'Bea Deputy');
  expect(await newestAudit('import.correct')).toMatchObject({
    actor: 'operator:Bea Deputy',
    details: { run_as: 'operator:tester', identity: 'typed' },
  });
  plain.remove();
});

describe('where an identity provider is set', () => {
  test('a typed name decides nothing', async () => {
    const id = await holdFile();
    for (const verb of [['release'], ['correct'], ['discard', '--reason', 'Wrong file']]) {
      const [name = '', ...more] = verb;
      const refused = await beacon.run(name, id, '--by', 'Bea Deputy', ...more);
      expect(refused.code, name).toBe(1);
      if (name !== 'correct') expect(refused.stderr).toContain('beacon login --account adams');
    }
    const nobody = await beacon.run('release', id);
    expect(nobody.stderr).toContain('Sign in first');
  });

  test('the person who signed in by the provider’s page releases, in that person’s name', async () => {
    const id = await holdFile();
    const signedIn = await login('rosa');
    expect(signedIn.stdout).toMatch(/confirm the code [\w-]+\. Waiting/);
    expect(signedIn.stdout).toContain('as Rosa Kim (Releaser)');
    const session = statSync(beacon.path('state/ballot-beacon/sessions/adams'));
    expect(session.mode & 0o777).toBe(0o600);
    expect((await beacon.run('release', id, '--by', 'Bea Deputy')).code).toBe(1);
    expect(await beacon.do('release', id)).toContain('was approved and loaded');
    expect(await newestAudit('import.release')).toMatchObject({
      actor: `person:${provider.issuer}|rosa`,
      details: { run_as: 'operator:tester', identity: 'proven' },
    });
    api.clock.advance(5 * minute);
    expect((await beacon.run('correct', id)).stderr).toContain('Sign in first');
  });

  test('whom the provider refuses reads that it refused', async () => {
    const refused = await login('nobody');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('The identity provider did not let you in (access_denied).');
  });

  test('nobody releases what the same person imported, and a lost role or group counts at once', async () => {
    await login('both');
    const own = await holdFile();
    expect((await beacon.run('release', own)).stderr).toContain('Bea Both imported this file.');
    // Nor does the importer alone take back what somebody else has let through.
    const setState = (state: string) =>
      api.query('update imports set state = $2 where import_id = $1', [own, state]);
    await setState('done');
    expect((await beacon.run('correct', own)).stderr).toContain('Bea Both imported this file.');
    await setState('file-held');
    const file = beacon.path('state/ballot-beacon/sessions/adams');
    const secret = readFileSync(file, 'utf8');
    await beacon.do('logout', ...of);
    expect((await beacon.run('release', own)).stderr).toContain('Sign in first');
    // The session itself has ended, also for a copy of its secret.
    writeFileSync(file, secret);
    expect((await beacon.run('release', own)).stderr).toContain('Sign in first');

    const other = await holdFile();
    await login('rosa');
    await api.query('delete from person_roles where role = $1', ['releaser']);
    expect((await beacon.run('release', other)).stderr).toContain('Sign in first');
    const { groups } = provider.people.get('rosa') ?? { groups: [] };
    provider.people.set('rosa', { id: 'rosa', name: 'Rosa Kim', groups: [] });
    const refused = await login('rosa');
    expect(refused.stderr).toContain('no group of yours');
    provider.people.set('rosa', { id: 'rosa', name: 'Rosa Kim', groups });
  });

  test('a session of the command line opens nothing at the console', async () => {
    await login('rosa');
    const secret = readFileSync(beacon.path('state/ballot-beacon/sessions/adams'), 'utf8');
    const browser = api.browser('adams.localhost');
    browser.cookies.set('beacon_office', secret);
    expect((await browser.get('/api/office/session')).statusCode).toBe(401);
  });
});
