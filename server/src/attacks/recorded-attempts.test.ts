import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi, typed } from '../../../testing/api.ts';

/** Every way to try a door leaves a trace for the office or the site's operator, and none names anybody. */
let api: TestApi;
let guarded: TestApi;
const host = 'adams.localhost';
const remoteAddress = '203.0.113.61';

beforeEach(async () => {
  [api, guarded] = await Promise.all([
    createTestApi(),
    createTestApi({ environment: { CAPTCHA: 'altcha' } }),
  ]);
  await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(guarded.test, { subdomain: 'adams' });
});
afterEach(() => Promise.all([api.close(), guarded.close()]));

const post = (to: TestApi, at: string, url: string, payload: object, headers = {}) =>
  to.app.inject({ method: 'POST', url, payload, remoteAddress, headers: { host: at, ...headers } });

test.each([
  [
    'sign-in-failed',
    401,
    () => api,
    (to: TestApi) => post(to, host, '/api/voter/session', typed({ lastname: 'Nobody' })),
  ],
  [
    'unbranded-sign-in-failed',
    401,
    () => api,
    (to: TestApi) => post(to, 'localhost', '/api/voter/session', typed({ lastname: 'Nobody' })),
  ],
  [
    'captcha-refused',
    401,
    () => guarded,
    (to: TestApi) => post(to, host, '/api/voter/session', typed({ recaptcha: 'made up' })),
  ],
  [
    'qr-sign-in-failed',
    404,
    () => api,
    (to: TestApi) =>
      post(to, host, '/api/voter/ballot-login', {
        ballot_guid: randomUUID(),
        date_of_birth: '02-03-1970',
      }),
  ],
  [
    'callback-refused',
    403,
    () => api,
    (to: TestApi) =>
      post(to, host, '/api/provider/mail/events', [{ event: 'bounce', message: '<x>' }], {
        authorization: 'Bearer made-up',
      }),
  ],
  [
    'push-refused',
    401,
    () => api,
    (to: TestApi) => post(to, host, '/api/usps/iv-mtr', { msgGrpId: 'x', events: [] }),
  ],
])(
  '%s is in the record, the log and the metrics, without an address',
  async (kind, status, of, attempt) => {
    const to = of();
    expect((await attempt(to)).statusCode).toBe(status);
    await to.keepHouse();
    const rows = await to.query<{ account: number | null; actor: string }>(
      'select account_id as account, actor from audit_log where action = $1',
      [`security.${kind}`],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.actor).toMatch(/^network:[\w-]{16}$/);
    expect(rows[0]?.account === null).toBe(
      ['unbranded-sign-in-failed', 'callback-refused'].includes(kind),
    );
    const log = to.logLines.filter((line) => line.includes(`"kind":"${kind}"`)).join('');
    expect(log).toContain(rows[0]?.actor.replace('network:', ''));
    expect(log + JSON.stringify(rows)).not.toMatch(/203\.0\.113|Nobody|1970/);
    const metrics = await to.app.inject({ url: '/metrics', headers: { host } });
    expect(metrics.body).toContain(`beacon_security_events_total{kind="${kind}"} 1`);
  },
);

const readRecord = async (kind: string) => {
  await api.keepHouse();
  return api.query<{ account: string | null }>(
    `select a.subdomain as account from audit_log l left join accounts a using (account_id) where l.action = $1`,
    [`security.${kind}`],
  );
};

test('a visitor who must wait is in the record of the office, and none of an office that is away is', async () => {
  const moved = await addOffice(api.test, { subdomain: 'lake' });
  await api.query('insert into moved_accounts (account_id, began_at) values ($1, now())', [moved]);
  api.expectFailures(/"code":"57P03"/);
  const away = await post(api, 'lake.localhost', '/api/voter/session', typed());
  expect(away.statusCode).toBe(503);
  expect(await readRecord('throttled')).toEqual([]);
  const payload = { token: 'A'.repeat(43) };
  const tries = Array.from({ length: 21 }, () =>
    post(api, host, '/api/office/invitation', payload),
  );
  const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(await readRecord('throttled')).toEqual([{ account: 'adams' }]);
});

test('a proxy that is not trusted is noticed by the header Forwarded, too', async () => {
  await post(api, host, '/api/voter/session', typed(), { forwarded: 'for=192.0.2.60' });
  expect(await readRecord('proxy-not-trusted')).toHaveLength(1);
});
