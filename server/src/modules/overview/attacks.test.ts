import type { Today } from '@ballot-beacon/contract/office/today';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { newLastname } from '../../../../testing/new-voter.ts';
import { addPerson } from '../../../../testing/people.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

test('the office sees at the console that somebody attacks its voters, and what waits above its limit', async () => {
  const host = 'adams.localhost';
  const adams = await addOffice(api.test, {
    subdomain: 'adams',
    daily_request_limits: { email: 30, sms: 2, voice: 2 },
  });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  const viewer = await addPerson(api, { accountId: adams, host }, 'Vic Lane', ['viewer']);
  const neighbor = await addPerson(api, { accountId: lake, host: 'lake.localhost' }, 'Bo Li', [
    'viewer',
  ]);
  const read = async ({ browser } = viewer): Promise<Pick<Today, 'attacks' | 'waiting'>> => {
    await api.keepHouse();
    return (await browser.get('/api/office/today')).json();
  };
  expect(await read()).toMatchObject({ attacks: [], waiting: { requests: 0 } });

  for (let n = 0; n < 25; n += 1) {
    const lastname = newLastname();
    await addVoter(api.test, adams, { lastname });
    const request = (method: 'POST' | 'PATCH', url: string, payload: object, cookie = '') =>
      api.app.inject({
        method,
        url,
        payload,
        headers: { host, cookie },
        remoteAddress: '10.40.0.1',
      });
    const entered = await request('POST', '/api/voter/session', typed({ lastname }));
    const cookie = `beacon_session=${entered.cookies[0]?.value}`;
    const change =
      n < 5
        ? { phone_sms: `352-555-012${n}`, sms_opt_in: true }
        : { email: 'one@example.org', email_opt_in: true };
    const saved = await request('PATCH', '/api/voter/information/me', change, cookie);
    expect(saved.statusCode, saved.body).toBe(200);
  }
  expect(await read()).toMatchObject({
    attacks: [{ kind: 'preferences-changed-in-mass' }],
    waiting: { requests: 3 },
  });

  for (let n = 0; n < 25; n += 1) {
    const payload = typed({ lastname: newLastname() });
    const from = { headers: { host }, remoteAddress: '10.40.0.2' };
    await api.app.inject({ method: 'POST', url: '/api/voter/session', payload, ...from });
  }
  const { attacks } = await read();
  expect(attacks.map(({ kind }) => kind)).toEqual(['preferences-changed-in-mass', 'spraying']);
  // Of several the last one counts.
  await api.query(
    `insert into audit_log (account_id, at, actor, action)
     select account_id, min(at) - interval '2 hours', actor, action from audit_log
     where action = 'security.spraying' group by account_id, actor, action`,
  );
  expect((await read()).attacks).toEqual(attacks);
  expect(await read(neighbor)).toMatchObject({ attacks: [], waiting: { requests: 0 } });
  // One of the day before is over.
  const attackHoursAgo = (hours: number) =>
    api.query(
      `insert into audit_log (account_id, actor, action, at) values ($1, 'network:test', 'security.spraying', $2)`,
      [lake, new Date(api.clock.now().getTime() - hours * 60 * 60_000)],
    );
  await attackHoursAgo(25);
  expect((await read(neighbor)).attacks).toEqual([]);
  await attackHoursAgo(23);
  expect((await read(neighbor)).attacks).toMatchObject([{ kind: 'spraying' }]);
});
