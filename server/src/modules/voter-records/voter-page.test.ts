import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
} from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { VoterId } from '../../platform/ids.ts';
import { ensurePageIsBuilt } from '../../platform/page-build.ts';

const dist = fileURLToPath(new URL('../../../../web/dist', import.meta.url));
const email = 'ann.rivera@example.com';
let api: TestApi;
let clerk: TestPerson;
let trusted: TestPerson;
let elsewhere: TestPerson;
let ann: VoterId;
let inactive: VoterId;
let secret: VoterId;
let foreign: VoterId;

beforeAll(async () => {
  await ensurePageIsBuilt();
  api = await createTestApi({ pageDirectory: dist });
  const adams = await addOffice(api.test, { subdomain: 'adams', contact_proof: 'masked' });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  const same = { registration_id: '0042' };
  ann = await addVoter(api.test, adams, { ...same, firstname: 'Ann' });
  foreign = await addVoter(api.test, lake, { ...same, firstname: 'Faye' });
  inactive = await addVoter(api.test, adams, { is_active: false });
  secret = await addVoter(api.test, adams, { lastname: 'Hidden', is_confidential: true });
  for (const [office, voter] of [
    [adams, ann],
    [adams, inactive],
    [adams, secret],
    [lake, foreign],
  ] as const)
    await addBallot(api.test, office, voter, {
      events: [{ status: 'sent', on: '2026-11-02' }, { status: 'returned' }],
    });
  for (const [office, voter] of [
    [adams, ann],
    [lake, foreign],
  ] as const) {
    await api.query('insert into contact_preferences (account_id, voter_id) values ($1, $2)', [
      office,
      voter,
    ]);
    await api.query(
      `insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
       values ($1, $2, 'email', $3, 'proven', true)`,
      [office, voter, email],
    );
  }
  const office = { accountId: adams, host: 'adams.localhost' };
  clerk = await addPerson(api, office, 'Cleo Marsh', ['clerk']);
  trusted = await addPerson(api, office, 'Tess Hall', ['confidential-clerk']);
  elsewhere = await addPerson(api, { accountId: lake, host: 'lake.localhost' }, 'Lea Voss', [
    'clerk',
  ]);
}, 180_000);
afterAll(() => api.close());

const look = (voterId: VoterId, { browser } = clerk) =>
  browser.get(`/api/office/voters/${voterId}/page.html`);
const choose = (language: string | null) =>
  api.query('update voters set language_preference = $1 where voter_id = $2', [language, ann]);

test('a clerk sees the page that the voter sees, and nothing in it can run or send', async () => {
  const { statusCode, headers, body } = await look(ann);
  expect(statusCode, body).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/html/);
  expect(headers['cache-control']).toContain('no-store');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).toContain('sandbox allow-same-origin');
  expect(body).toContain('The election office has received your ballot.');
  expect(body).toContain('Hello, Ann');
  expect(body).not.toMatch(/<script|<noscript/);
});

test('it is in the language that the voter chose, and in English where the office has no such', async () => {
  await choose('spanish');
  const spanish = (await look(ann)).body;
  expect(spanish).toMatch(/<html[^>]* lang="es/);
  expect(spanish).toContain('La oficina electoral recibió su boleta.');
  for (const language of ['korean', null]) {
    await choose(language);
    expect((await look(ann)).body).toContain('The election office has received your ballot.');
  }
});

test('addresses are hidden in it as from a voter who has proven nothing', async () => {
  expect((await look(ann)).body).not.toContain(email);
  expect((await look(foreign, elsewhere)).body).toContain(email);
});

test('there is none of a voter of another office, an inactive one, or a confidential one', async () => {
  for (const voter of [foreign, inactive, secret]) {
    expect((await look(voter)).statusCode).toBe(404);
    const { statusCode, body } = await look(voter, trusted);
    expect(statusCode).toBe(404);
    expect(body).not.toMatch(/Hidden|Faye/);
  }
});

test('each look is on record, before the page is there', async () => {
  const count = async () =>
    (await api.query("select from audit_log where action = 'voter.page'")).length;
  const before = await count();
  await look(ann);
  await look(foreign);
  expect(await count()).toBe(before + 1);
  const [last] = await api.query<{ actor: string; target: string }>(
    "select actor, target from audit_log where action = 'voter.page' order by audit_id desc limit 1",
  );
  expect(last).toMatchObject({ target: String(ann) });
  expect(last?.actor).toMatch(/^person:passkey\|/);
});
