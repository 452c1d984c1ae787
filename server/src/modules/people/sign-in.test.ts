import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { createTestPasskey } from '../../../../testing/authenticator.ts';
import { createBeacon } from '../../../../testing/beacon.ts';
import { meetAtLock } from '../../../../testing/meet-at-lock.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';

const minute = 60_000;
const host = 'adams.localhost';
let api: TestApi;
let accountId: AccountId;
let admin: TestPerson;

beforeAll(async () => {
  api = await createTestApi();
  accountId = await addOffice(api.test, { subdomain: 'adams', name: 'Adams Elections' });
  await addOffice(api.test, { subdomain: 'lake' });
  admin = await addPerson(api, { accountId, host }, 'Ada Wu', ['admin']);
});
afterAll(() => api.close());
beforeEach(() => admin.signIn());

const session = '/api/office/session';
const people = '/api/office/people';
const statusOf = async (person: TestPerson) => (await person.browser.get(session)).statusCode;
const clerk = (name: string) => addPerson(api, { accountId, host }, name, ['clerk', 'viewer']);

async function inviteAt(name = 'Nell Fox') {
  const answer = await admin.browser.post(people, { name, roles: ['clerk'] });
  const { url } = answer.json<{ url: string }>();
  expect(url).toMatch(/^http:\/\/adams\.localhost\/office\/invitation#[\w-]{43}$/);
  return { token: url.split('#')[1] ?? '' };
}

describe('an invitation', () => {
  test('by the command line brings in the first administrator, once', async () => {
    const beacon = createBeacon(api.test.url, { clock: api.clock });
    const printed = await beacon.do(
      ...['person', 'invite', '--account', 'adams', '--name', 'Rosa Kim'],
      ...['--role', 'admin', '--role', 'releaser'],
    );
    expect(printed).toContain('Rosa Kim is invited to Adams Elections as Administrator, Releaser.');
    const token = /#([\w-]{43})/.exec(printed)?.[1] ?? '';
    const browser = api.browser(host);
    const shown = await browser.post('/api/office/invitation', { token });
    expect(shown.json()).toMatchObject({ name: 'Rosa Kim', roles: ['admin', 'releaser'] });
    const options = await browser.post('/api/office/invitation/passkey-challenge', { token });
    expect(options.json()).toMatchObject({
      rp: { id: host, name: 'Adams Elections' },
      user: { name: 'Rosa Kim' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const passkey = createTestPasskey(`http://${host}`).register(options.json());
    const body = { token, passkey };
    expect((await browser.post('/api/office/invitation/acceptance', body)).statusCode).toBe(201);
    expect((await browser.get(people)).statusCode).toBe(200);
    expect((await browser.post('/api/office/invitation', { token })).statusCode).toBe(404);
    expect((await browser.post('/api/office/invitation/acceptance', body)).statusCode).toBe(404);
    expect(await beacon.do('person', 'list', '--account', 'adams')).toContain('Rosa Kim');
    beacon.remove();
  });

  test('ends, and a person was last seen, by the office’s clock', async () => {
    const beacon = createBeacon(api.test.url, { clock: api.clock });
    api.clock.set('2026-11-03T03:00:00Z');
    await admin.signIn();
    const invite = ['person', 'invite', '--account', 'adams', '--name', 'Bo', '--role', 'clerk'];
    expect(await beacon.do(...invite)).toContain('until 11/03/2026 10:00 PM EST:\n');
    const listed = await beacon.do('person', 'list', '--account', 'adams');
    expect(listed).toMatch(/^\d+\tAda Wu\tAdministrator\t11\/02\/2026 10:00 PM EST$/m);
    const id = /^(\d+)\tAda Wu/m.exec(listed)?.[1] ?? '';
    // The same number is nobody at another office.
    for (const [verb, ...more] of [['roles', '--role', 'viewer'], ['remove'], ['readmit']])
      expect(await beacon.run('person', verb ?? '', id, '--account', 'lake', ...more)).toEqual({
        ...{ code: 1, stdout: '' },
        stderr: `Person ${id} is not in lake. See: beacon person list --account lake\n`,
      });
    for (const number of ['0', '-1', '1.5', 'Ada'])
      expect(
        await beacon.run('person', 'remove', '--account', 'adams', '--', number),
      ).toMatchObject({ code: 2, stderr: expect.stringContaining('Use the number of a person') });
    expect(await statusOf(admin)).toBe(200);
    beacon.remove();
    // It is listed until it ends, also to somebody who signed in before.
    api.clock.set('2026-11-04T02:59:00Z');
    await admin.signIn();
    const listedNames = async () => JSON.stringify((await admin.browser.get(people)).json());
    expect(await listedNames()).toContain('"Bo"');
    api.clock.set('2026-11-04T03:00:00Z');
    expect(await listedNames()).not.toContain('"Bo"');
  });

  test('is good for 24 hours', async () => {
    const token = await inviteAt('Zoe First');
    api.clock.advance(minute);
    await inviteAt('Abe Second');
    const { invitations } = (await admin.browser.get(people)).json();
    const names = invitations.map(({ name }: { name: string }) => name);
    expect(names.slice(-2)).toEqual(['Zoe First', 'Abe Second']);
    const browser = api.browser(host);
    api.clock.advance(24 * 60 * minute - minute - 1);
    expect((await browser.post('/api/office/invitation', token)).statusCode).toBe(200);
    const options = await browser.post('/api/office/invitation/passkey-challenge', token);
    const passkey = createTestPasskey(`http://${host}`).register(options.json());
    api.clock.advance(1);
    expect((await browser.post('/api/office/invitation', token)).statusCode).toBe(404);
    const accepted = await browser.post('/api/office/invitation/acceptance', { ...token, passkey });
    expect(accepted.statusCode).toBe(404);
  });

  test('to one office opens no other', async () => {
    const token = await inviteAt();
    const elsewhere = api.browser('lake.localhost');
    expect((await elsewhere.post('/api/office/invitation', token)).statusCode).toBe(404);
  });

  test('leads to https where voters come by it, although the proxy in front asks by http', async () => {
    const site = { PUBLIC_URL: 'https://vote.example.gov', BASE_DOMAIN: 'vote.example.gov' };
    const secure = await createTestApi({ environment: site });
    const place = { host: 'adams.vote.example.gov', scheme: 'https' } as const;
    const office = await addOffice(secure.test, { subdomain: 'adams' });
    const ada = await addPerson(secure, { accountId: office, ...place }, 'Ada Wu', ['admin']);
    const invited = await ada.browser.post(people, { name: 'Nell Fox', roles: ['clerk'] });
    expect(invited.json().url).toMatch(/^https:\/\/adams\.vote\.example\.gov\/office\/invitation#/);
    await secure.close();
  });

  test('is accepted by a passkey for its own challenge alone', async () => {
    const [one, two] = [await inviteAt('One'), await inviteAt('Two')];
    const browser = api.browser(host);
    const accept = async (token: object, origin: string) => {
      const options = await browser.post('/api/office/invitation/passkey-challenge', one);
      const passkey = createTestPasskey(origin).register(options.json());
      const body = { ...token, passkey };
      return (await browser.post('/api/office/invitation/acceptance', body)).statusCode;
    };
    expect(await accept(two, `http://${host}`)).toBe(401);
    expect(await accept(one, 'http://lake.localhost')).toBe(401);
    expect(await accept(one, 'http://evil.test')).toBe(401);
    expect(await accept(one, `http://${host}`)).toBe(201);
    // The other stays good, for its own person.
    const left = await browser.post('/api/office/invitation', two);
    expect(left.json()).toMatchObject({ name: 'Two' });
  });

  test('lets somebody who lost a passkey back in, and the lost one no more', async () => {
    const nell = await clerk('Nell Lost');
    const inviteAgain = async () => {
      const again = await admin.browser.post(`${people}/${nell.personId}/invitation`, {});
      return again.json<{ url: string }>().url.split('#')[1] ?? '';
    };
    const [earlier, token] = [await inviteAgain(), await inviteAgain()];
    const browser = api.browser(host);
    // Of two links to one person the newer counts.
    expect((await browser.post('/api/office/invitation', { token: earlier })).statusCode).toBe(404);
    const options = await browser.post('/api/office/invitation/passkey-challenge', { token });
    const passkey = createTestPasskey(`http://${host}`).register(options.json());
    const answer = await browser.post('/api/office/invitation/acceptance', { token, passkey });
    expect(answer.json()).toMatchObject({ person_id: nell.personId, roles: ['clerk', 'viewer'] });
    expect(await statusOf(nell)).toBe(401);
    const challenge = await browser.post('/api/office/passkey-challenge', {});
    const lost = nell.passkey.signIn(challenge.json());
    expect((await browser.post(session, { passkey: lost })).statusCode).toBe(401);
  });
});

describe('signing in', () => {
  test('takes each answer of a passkey once', async () => {
    const { passkey: shared } = await clerk('Nell Shared');
    const browser = api.browser(host);
    // A passkey that several devices share counts none of its uses, so that its count refuses no copy of an answer.
    for (const signIn of [admin.passkey.signIn, (options: unknown) => shared.signIn(options, 0)]) {
      const challenge = (await browser.post('/api/office/passkey-challenge', {})).json();
      const passkey = signIn(challenge);
      expect((await browser.post(session, { passkey })).statusCode).toBe(201);
      expect((await browser.post(session, { passkey })).statusCode).toBe(401);
    }
  });

  test('takes no answer of a copy of a passkey, which counts its uses by itself', async () => {
    const browser = api.browser(host);
    const challenge = async () => (await browser.post('/api/office/passkey-challenge', {})).json();
    const copied = admin.passkey.signIn(await challenge(), 1);
    expect((await browser.post(session, { passkey: copied })).statusCode).toBe(401);
    await admin.signIn(browser);
  });

  test('takes one of two answers with the same count that come at the same moment', async () => {
    const browsers = [api.browser(host), api.browser(host)];
    const answers: object[] = [];
    for (const browser of browsers) {
      const challenge = await browser.post('/api/office/passkey-challenge', {});
      answers.push(admin.passkey.signIn(challenge.json(), 1000));
    }
    const signedIn = await meetAtLock(
      api.test.database,
      (tx) => sql`select from passkeys for update`.execute(tx),
      () => browsers.map((browser, n) => browser.post(session, { passkey: answers[n] })),
    );
    expect(signedIn.map(({ statusCode }) => statusCode).sort()).toEqual([201, 401]);
  });

  test('takes no challenge that is old, of another office, or not ours', async () => {
    const browser = api.browser(host);
    const fresh = (await browser.post('/api/office/passkey-challenge', {})).json();
    const foreign = (
      await api.browser('lake.localhost').post('/api/office/passkey-challenge', {})
    ).json();
    const signIn = async (challenge: object) =>
      (await browser.post(session, { passkey: admin.passkey.signIn(challenge) })).statusCode;
    expect(await signIn(foreign)).toBe(401);
    expect(await signIn({ challenge: 'A'.repeat(84) })).toBe(401);
    api.clock.advance(5 * minute);
    expect(await signIn(fresh)).toBe(401);
  });

  test('sets a cookie that no script and no other site gets', async () => {
    const browser = api.browser(host, { 'x-forwarded-proto': 'https' });
    await admin.signIn(browser);
    const challenge = await browser.post('/api/office/passkey-challenge', {});
    const passkey = admin.passkey.signIn(challenge.json());
    const answer = await browser.post(session, { passkey });
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^beacon_office=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  test('asks an address to wait after twenty refusals in an hour', async () => {
    const browser = api.browser(host);
    const token = 'A'.repeat(43);
    const request = { method: 'POST', url: '/api/office/invitation', payload: { token } } as const;
    const attempt = () => browser.request({ ...request, remoteAddress: '203.0.113.9' });
    const tries = Array.from({ length: 220 }, attempt);
    const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 404)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(200);
    // At another office it made no mistake.
    const there = api.browser('lake.localhost');
    const elsewhere = await there.request({ ...request, remoteAddress: '203.0.113.9' });
    expect(elsewhere.statusCode).toBe(404);
    // What it tries while it waits does not count for the day.
    api.clock.advance(60 * minute);
    expect((await attempt()).statusCode).toBe(404);
  });
});

describe('a session', () => {
  test('ends after 30 minutes without activity, and the page’s own question is none', async () => {
    api.clock.advance(29 * minute);
    expect(await statusOf(admin)).toBe(200);
    api.clock.advance(minute);
    const ended = await admin.browser.get(session);
    expect(ended.statusCode).toBe(401);
    expect(String(ended.headers['set-cookie'])).toMatch(/^beacon_office=;/);
  });

  test('is not kept alive by what an open page asks for again and again', async () => {
    const ina = await addPerson(api, { accountId, host }, 'Ina Idle', ['importer']);
    const asks = { today: 200, uploads: 200, 'files/1': 404, 'uploads/1': 404 };
    for (const [path, status] of Object.entries(asks)) {
      await ina.signIn();
      api.clock.advance(29 * minute);
      expect((await ina.browser.get(`/api/office/${path}`)).statusCode).toBe(status);
      api.clock.advance(minute);
      expect([path, await statusOf(ina)]).toEqual([path, 401]);
    }
    // A page that somebody loads does, as does the list of files.
    for (const path of ['options', 'files']) {
      await ina.signIn();
      api.clock.advance(29 * minute);
      expect((await ina.browser.get(`/api/office/${path}`)).statusCode).toBe(200);
      api.clock.advance(29 * minute);
      expect([path, await statusOf(ina)]).toEqual([path, 200]);
    }
  });

  test('ends after 12 hours, however active the person is', async () => {
    for (let passed = 0; passed < 12 * 60; passed += 20) {
      expect((await admin.browser.get(people)).statusCode).toBe(200);
      api.clock.advance(20 * minute);
    }
    expect((await admin.browser.get(people)).statusCode).toBe(401);
  });

  test('ends everywhere with the next request when the person is removed', async () => {
    const nell = await clerk('Nell Gone');
    const elsewhere = api.browser(host);
    await nell.signIn(elsewhere);
    const invited = await admin.browser.post(`${people}/${nell.personId}/invitation`, {});
    const token = invited.json<{ url: string }>().url.split('#')[1] ?? '';
    expect((await admin.browser.delete(`${people}/${nell.personId}`)).statusCode).toBe(204);
    expect((await elsewhere.post('/api/office/invitation', { token })).statusCode).toBe(404);
    expect(await statusOf(nell)).toBe(401);
    expect((await elsewhere.get(session)).statusCode).toBe(401);
  });

  test('ends when the person loses a role, and not when the person gets one more', async () => {
    const nell = await clerk('Nell Less');
    const change = (roles: string[]) =>
      admin.browser.patch(`${people}/${nell.personId}`, { roles });
    expect((await change(['clerk', 'viewer', 'importer'])).statusCode).toBe(204);
    expect(await statusOf(nell)).toBe(200);
    expect((await change(['clerk', 'importer'])).statusCode).toBe(204);
    expect(await statusOf(nell)).toBe(401);
    await nell.signIn();
    expect((await change(['clerk', 'viewer'])).statusCode).toBe(204);
    expect(await statusOf(nell)).toBe(401);
  });

  test('is none for a person whose every role is gone, whatever passkey is left', async () => {
    const nell = await clerk('Nell None');
    await api.query('delete from person_roles where person_id = $1', [nell.personId]);
    const challenge = await nell.browser.post('/api/office/passkey-challenge', {});
    const body = { passkey: nell.passkey.signIn(challenge.json()) };
    const refused = await nell.browser.post(session, body);
    const detail = 'You have no role in this office any more. Ask an administrator.';
    expect([refused.statusCode, refused.json().detail]).toEqual([403, detail]);
    expect((await nell.browser.get(session)).statusCode).toBe(401);
  });

  test('begins at no provider where the office has none', async () => {
    const start = await api.browser(host).post('/api/office/provider-sign-in', { again: false });
    const detail = 'This office has no identity provider. Sign in with a passkey.';
    expect([start.statusCode, start.json().detail]).toEqual([404, detail]);
  });

  test('ends by signing out, here and not elsewhere', async () => {
    const nell = await clerk('Nell Out');
    const elsewhere = api.browser(host);
    await nell.signIn(elsewhere);
    await nell.browser.delete(session);
    expect(await statusOf(nell)).toBe(401);
    const [newest] = await api.query<{ action: string; target: string }>(
      'select action, target from audit_log order by audit_id desc limit 1',
    );
    expect(newest).toEqual({ action: 'office-session.delete', target: String(nell.personId) });
    expect((await elsewhere.get(session)).statusCode).toBe(200);
  });
});

test('roles are changed only from what the administrator saw: nobody gets back what another took away', async () => {
  const nell = await addPerson(api, { accountId, host }, 'Nell Both', ['admin', 'editor']);
  const change = (body: object) => admin.browser.patch(`${people}/${nell.personId}`, body);
  const from = ['editor', 'admin'];
  expect((await change({ from, roles: ['editor'] })).statusCode).toBe(204);
  const late = await change({ from, roles: ['admin', 'editor', 'releaser'] });
  const detail = 'Somebody changed the roles of this person meanwhile. Look at them again.';
  expect([late.statusCode, late.json().detail]).toEqual([409, detail]);
  const seen = { from: ['editor'], roles: ['editor', 'releaser'] };
  expect((await change(seen)).statusCode).toBe(204);
});

describe('the last administrator of an office', () => {
  test('cannot be removed, nor lose the role, even when two try at once to remove each other', async () => {
    const lakeId = await addOffice(api.test, { subdomain: 'hill' });
    const office = { accountId: lakeId, host: 'hill.localhost' };
    const one = await addPerson(api, office, 'One', ['admin']);
    const two = await addPerson(api, office, 'Two', ['admin']);
    const answers = await Promise.all([
      one.browser.delete(`${people}/${two.personId}`),
      two.browser.delete(`${people}/${one.personId}`),
    ]);
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    const [left, leftId] =
      (await one.browser.get(session)).statusCode === 200
        ? [one, one.personId]
        : [two, two.personId];
    expect((await left.browser.delete(`${people}/${leftId}`)).statusCode).toBe(409);
    const demoted = await left.browser.patch(`${people}/${leftId}`, { roles: ['viewer'] });
    expect(demoted.statusCode).toBe(409);
  });
});

test('every change of people is in the audit, with who did it', async () => {
  const nell = await clerk('Nell Traced');
  await admin.browser.patch(`${people}/${nell.personId}`, { roles: ['clerk'] });
  await admin.browser.post(`${people}/${nell.personId}/invitation`, {});
  await admin.browser.delete(`${people}/${nell.personId}`);
  const entries = await api.query<{ action: string; actor: string }>(
    `select action, actor from audit_log where target = $1 order by audit_id`,
    [String(nell.personId)],
  );
  expect(entries.map(({ action }) => action)).toEqual([
    'person.accept-invitation',
    'office-session.create',
    'person.change-roles',
    'person.invite',
    'person.remove',
  ]);
  expect(entries.at(-1)?.actor).toMatch(/^person:passkey\|[\w-]{43}$/);
});
