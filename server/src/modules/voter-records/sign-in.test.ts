import type { VoterRecord } from '@ballot-beacon/contract/office/voters';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { newLastname, signInNewVoter } from '../../../../testing/new-voter.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';

const host = 'adams.localhost';
const dayMs = 24 * 60 * 60_000;
let api: TestApi;
let adams: AccountId;
let clerk: TestPerson;
let trusted: TestPerson;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  clerk = await addPerson(api, { accountId: adams, host }, 'Cleo Marsh', ['clerk']);
  trusted = await addPerson(api, { accountId: adams, host }, 'Tess Hall', ['confidential-clerk']);
});
afterAll(() => api.close());
beforeEach(async () => {
  await clerk.signIn();
  await trusted.signIn();
});

const look = async (voterId: number): Promise<VoterRecord> =>
  (await clerk.browser.get(`/api/office/voters/${voterId}`)).json();
const ask = (voterId: number, deed: string, { browser } = clerk) =>
  browser.post(`/api/office/voters/${voterId}/${deed}`, {});
const readActors = async (action: string, voterId: number) =>
  (
    await api.query<{ actor: string }>(
      'select actor from audit_log where action = $1 and target = $2 order by audit_id',
      [action, String(voterId)],
    )
  ).map(({ actor }) => actor);

test('a voter who failed too often is shown as locked, and is let in again by a clerk, on record', async () => {
  const lastname = newLastname();
  const voterId = await addVoter(api.test, adams, { lastname });
  const signIn = (n: number, more: object = {}) =>
    api.app.inject({
      method: 'POST',
      url: '/api/voter/session',
      headers: { host },
      remoteAddress: `10.77.0.${n}`,
      payload: typed({ lastname, ...more }),
    });
  for (let n = 0; n < 99; n += 1)
    await signIn(n, { birthdate: `06-${1 + (n % 28)}-${1930 + Math.floor(n / 28)}` });
  expect((await look(voterId)).is_locked).toBe(false);
  await signIn(99, { birthdate: '06-01-1940' });
  expect((await look(voterId)).is_locked).toBe(true);
  api.clock.advance(2 * dayMs);
  await clerk.signIn();
  expect((await signIn(100)).statusCode).not.toBe(201);

  const unlocked = await ask(voterId, 'unlock');
  expect(unlocked.statusCode, unlocked.body).toBe(200);
  expect(unlocked.json()).toEqual({ was_locked: true });
  expect((await ask(voterId, 'unlock')).json()).toEqual({ was_locked: false });
  expect((await look(voterId)).is_locked).toBe(false);
  expect((await signIn(101)).statusCode).toBe(201);
  expect(await readActors('voter.unlock', voterId)).toEqual([
    expect.stringMatching(/^person:passkey\|/),
    expect.stringMatching(/^person:passkey\|/),
  ]);
});

test.each([
  ['first', 78],
  ['second', 79],
])(
  'a voter whose QR code of the %s ballot was tried too often is shown as locked too',
  async (which, network) => {
    const voterId = await addVoter(api.test, adams, { lastname: newLastname() });
    const codes = new Map<string, string | undefined>();
    for (const [name, election] of [
      ['first', '7'],
      ['second', '8'],
    ] as const) {
      const ballot = { election, events: [{ status: 'sent' }] };
      const ballotId = await addBallot(api.test, adams, voterId, ballot);
      const [code] = await api.query<{ guid: string }>(
        'insert into ballot_codes (account_id, ballot_id) values ($1, $2) returning guid',
        [adams, ballotId],
      );
      codes.set(name, code?.guid);
    }
    expect((await look(voterId)).is_locked).toBe(false);
    for (let n = 0; n < 100; n += 1)
      await api.app.inject({
        method: 'POST',
        url: '/api/voter/ballot-login',
        headers: { host },
        remoteAddress: `10.${network}.0.${n}`,
        payload: {
          ballot_guid: codes.get(which),
          date_of_birth: `06-${1 + (n % 28)}-${1930 + Math.floor(n / 28)}`,
        },
      });
    expect((await look(voterId)).is_locked).toBe(true);
    expect((await ask(voterId, 'unlock')).json()).toEqual({ was_locked: true });
    expect((await look(voterId)).is_locked).toBe(false);
  },
);

test('a voter whose phone was lost is signed out everywhere, and nobody else', async () => {
  const [lost, other] = [
    await signInNewVoter(api, { accountId: adams, host }),
    await signInNewVoter(api, { accountId: adams, host }),
  ];
  const isIn = async ({ browser }: typeof lost) =>
    (await browser.get('/api/voter/information/me')).statusCode === 200;
  expect([await isIn(lost), await isIn(other)]).toEqual([true, true]);
  expect((await ask(lost.voterId, 'sign-out')).json()).toEqual({ sessions: 1 });
  expect([await isIn(lost), await isIn(other)]).toEqual([false, true]);
  expect((await ask(lost.voterId, 'sign-out')).json()).toEqual({ sessions: 0 });
  expect(await readActors('session.end', lost.voterId)).toHaveLength(2);
});

test('a confidential voter’s letter code is ended by a clerk for confidential voters, and by no other', async () => {
  const voterId = await addVoter(api.test, adams, {
    registration_id: 'H-1',
    is_confidential: true,
  });
  await addBallot(api.test, adams, voterId, { election: '7', events: [{ status: 'sent' }] });
  for (const deed of ['unlock', 'sign-out'])
    expect((await ask(voterId, deed)).statusCode, deed).toBe(404);
  expect((await ask(voterId, 'letter-code/revocation')).statusCode).toBe(403);

  expect((await ask(voterId, 'letter-code/revocation', trusted)).json()).toEqual({
    had_code: false,
  });
  const body = { election: '7', voter_id: 'H-1', renew: false };
  const letters = await trusted.browser.post('/api/office/letter-codes.csv', body);
  const code = letters.body.split('\r\n')[1]?.split(',')[1] ?? '';
  const voter = api.browser(host);
  const entered = await voter.post('/api/voter/ballot-login', {
    ballot_guid: code,
    date_of_birth: '02-03-1970',
  });
  expect(entered.statusCode, entered.body).toBe(201);
  expect((await ask(voterId, 'letter-code/revocation', trusted)).json()).toEqual({
    had_code: true,
  });
  expect((await voter.get('/api/voter/information/me')).statusCode).toBe(403);
  expect((await voter.get(`/api/voter/qr-validate/${code}`)).statusCode).toBe(404);
  expect(await readActors('letter-code.revoke', voterId)).toHaveLength(2);
});
