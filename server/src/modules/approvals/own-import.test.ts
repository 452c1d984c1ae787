import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  addOffice,
  createTestApi,
  type TestApi,
  type TestBrowser,
} from '../../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import {
  type LocalProvider,
  type ProviderVisitor,
  signInByProvider,
  startLocalProvider,
  visitProvider,
} from '../../../../testing/identity-provider.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { holdRoll } from '../../../../testing/roll.ts';
import { runs, timeFor } from '../../../../testing/runs.ts';
import type { AccountId } from '../../platform/ids.ts';

vi.setConfig({ testTimeout: timeFor(300_000), hookTimeout: 120_000 });

/** One person with both roles, so that only being the importer stands in the way. */
const groups = ['importers', 'releasers'];
const name = 'Bea Both';
const reason = 'Checked with the county by phone.';
const host = 'adams.localhost';
const otherHost = 'lake.localhost';
let provider: LocalProvider;
let api: TestApi;
let beacon: Beacon;
let accountId: AccountId;
let visitor: ProviderVisitor;
let byPasskey: TestPerson;
let own: TestBrowser;
let atOtherOffice: TestBrowser;
/** Cookie of a colleague who may decide, and has signed out. */
let endedCookie = '';
/** What `beacon login` kept for the person. */
let commandSecret = '';
/** The import that waits, and the loaded import. */
let waiting = 0;
let loaded = 0;

// The last test decides on both imports, in whatever order the tests run.
beforeEach(async () => {
  provider = await startLocalProvider();
  provider.people.set('bea', { id: 'bea', name, groups });
  visitor = visitProvider(provider);
  const environment = { OFFICE_PROVIDERS: provider.settings() };
  api = await createTestApi({ environment });
  accountId = await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(api.test, { subdomain: 'lake' });
  beacon = createBeacon(api.test.url, {
    clock: api.clock,
    environment,
    onOutput(text) {
      const address = /Open (\S+) in a browser/.exec(text)?.[1];
      if (address) void visitProvider(provider).confirmCode(address, 'bea');
    },
  });
  byPasskey = await addPerson(api, { accountId, host }, 'Pat Key', ['importer', 'releaser']);
  own = await signIn();
  atOtherOffice = await signIn(otherHost);
  const colleague = await signIn(host, 'rosa');
  endedCookie = colleague.cookies.get('beacon_office') ?? '';
  await colleague.delete('/api/office/session');
  await beacon.do('login', '--account', 'adams');
  commandSecret = readFileSync(sessionFile('adams'), 'utf8');
  await holdRoll(api, beacon, 'adams');
  const rows = await api.query<{ import_id: number; operator: string }>(
    'select import_id, operator from imports order by import_id',
  );
  expect(rows.map(({ operator }) => operator)).toEqual([actors.provider(), actors.provider()]);
  [loaded = 0, waiting = 0] = rows.map(({ import_id: id }) => id);
});
afterEach(async () => {
  await api.close();
  await provider.close();
  beacon.remove();
});

async function signIn(at = host, person = 'bea', again = false): Promise<TestBrowser> {
  const browser = api.browser(at);
  const there = person === 'bea' ? visitor : visitProvider(provider);
  const answer = await signInByProvider(browser, there, person, { again });
  expect(answer.statusCode, answer.body).toBe(201);
  return browser;
}

const sessionFile = (subdomain: string) => beacon.path(`state/ballot-beacon/sessions/${subdomain}`);

/** How the import's record names the person. */
const actors = {
  provider: () => `person:${provider.issuer}|bea`,
  typed: (typed: string) => `operator:${typed}`,
};

const sameName = fc.constantFrom(
  name,
  'BEA BOTH',
  ' bea  both ',
  'Bea. Both.',
  'Ｂｅａ Both',
  'B\u200Bea\u00AD Both\u2060',
);
const decision = fc.constantFrom('release', 'return', 'correction');
const atConsole = fc.record({
  way: fc.constantFrom(
    'same-session',
    'new-session',
    'fresh-proof',
    'renamed',
    'passkey',
    'other-office',
    'other-cookie',
    'ended-cookie',
    'command-secret',
  ),
  importer: fc.oneof(fc.constant('provider' as const), sameName),
  decision,
  newName: sameName,
  body: fc.constantFrom(
    {},
    { by: 'Rosa Kim' },
    { person_id: 1 },
    { actor: 'system', name: 'Rosa Kim' },
  ),
  address: fc.constantFrom('plain', 'encoded', 'zeros'),
  headers: fc.constantFrom<Record<string, string>>(
    {},
    { 'x-forwarded-host': otherHost },
    { 'x-http-method-override': 'PUT' },
    { 'x-beacon-operator': 'Rosa Kim' },
  ),
});
type ConsoleAttempt = typeof atConsole extends fc.Arbitrary<infer One> ? One : never;

async function browserOf({ way, newName }: ConsoleAttempt): Promise<TestBrowser> {
  if (way === 'new-session') return signIn();
  if (way === 'fresh-proof') return signIn(host, 'bea', true);
  if (way === 'renamed') {
    provider.people.set('bea', { id: 'bea', name: newName, groups });
    const browser = await signIn();
    provider.people.set('bea', { id: 'bea', name, groups });
    return browser;
  }
  if (way === 'passkey') return byPasskey.browser;
  if (way === 'other-office') return atOtherOffice;
  if (way === 'same-session') return own;
  const browser = api.browser(host);
  const cookies = {
    'other-cookie': atOtherOffice.cookies.get('beacon_office') ?? '',
    'ended-cookie': endedCookie,
    'command-secret': commandSecret,
  };
  browser.cookies.set('beacon_office', cookies[way]);
  return browser;
}

async function attemptAtConsole(attempt: ConsoleAttempt): Promise<void> {
  const { way, decision, importer, body, address, headers } = attempt;
  const id = decision === 'correction' ? loaded : waiting;
  const passkeyActor = `(select 'person:' || issuer || '|' || subject from people where person_id = ${byPasskey.personId})`;
  await api.query(
    `update imports set operator = ${way === 'passkey' ? passkeyActor : '$2'} where import_id = $1 and $2::text is not null`,
    [id, importer === 'provider' ? actors.provider() : actors.typed(importer)],
  );
  const browser = await browserOf(attempt);
  const digits = String(id);
  const shown = {
    plain: digits,
    encoded: [...digits].map((digit) => `%3${digit}`).join(''),
    zeros: `0${digits}`,
  }[address];
  const answer = await browser.request({
    method: 'POST',
    url: `/api/office/files/${shown}/${decision}`,
    headers,
    payload: { reason, ...body },
  });
  expect([401, 403, 404, 422], `${JSON.stringify(attempt)}: ${answer.body}`).toContain(
    answer.statusCode,
  );
}

const atCommandLine = fc.record({
  verb: fc.constantFrom('release', 'correct', 'discard'),
  importer: fc.oneof(fc.constant('provider' as const), sameName),
  by: fc.option(fc.oneof(sameName, fc.constant('Rosa Kim'), fc.constant('rosa'))),
  session: fc.constantFrom('own', 'none', 'of-the-console', 'ended', 'made-up'),
});
type CommandAttempt = typeof atCommandLine extends fc.Arbitrary<infer One> ? One : never;

async function attemptAtCommandLine(attempt: CommandAttempt): Promise<void> {
  const { verb, importer, by, session } = attempt;
  const id = verb === 'correct' ? loaded : waiting;
  await api.query('update imports set operator = $2 where import_id = $1', [
    id,
    importer === 'provider' ? actors.provider() : actors.typed(importer),
  ]);
  const secrets = {
    own: commandSecret,
    'of-the-console': own.cookies.get('beacon_office') ?? '',
    ended: endedCookie,
    'made-up': 'A'.repeat(43),
  };
  rmSync(sessionFile('adams'), { force: true });
  if (session !== 'none') writeFileSync(sessionFile('adams'), secrets[session]);
  const { code, stdout } = await beacon.run(
    ...[verb, String(id), ...(by === null ? [] : ['--by', by])],
    ...(verb === 'discard' ? ['--reason', reason] : []),
  );
  expect(code, `${JSON.stringify(attempt)}: ${stdout}`).not.toBe(0);
}

const states = () =>
  api.query('select state from imports where import_id = any ($1) order by import_id', [
    [loaded, waiting],
  ]);
const undecided = [{ state: 'done' }, { state: 'file-held' }];

test('of 850 generated attempts at the console and its API to decide on one’s own import, none succeeds', async () => {
  await fc.assert(
    fc.asyncProperty(atConsole, async (attempt) => {
      await attemptAtConsole(attempt);
      expect(await states()).toEqual(undecided);
    }),
    { numRuns: runs(850) },
  );
});

test('of 150 generated attempts at the command line, none succeeds', async () => {
  await fc.assert(
    fc.asyncProperty(atCommandLine, async (attempt) => {
      await attemptAtCommandLine(attempt);
      expect(await states()).toEqual(undecided);
    }),
    { numRuns: runs(150) },
  );
});

test('and another person’s decision does, at the first try', async () => {
  const colleague = await signIn(host, 'rosa');
  await api.query('update imports set operator = $1', [actors.provider()]);
  const decide = async (id: number, what: string) =>
    (await colleague.post(`/api/office/files/${id}/${what}`, { reason })).json();
  expect(await decide(waiting, 'return')).toEqual({ state: 'discarded' });
  expect(await decide(loaded, 'correction')).toEqual({ state: 'corrected' });
});
