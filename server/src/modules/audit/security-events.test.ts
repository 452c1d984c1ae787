import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { openDatabase } from '../../platform/postgres.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { networkOf } from './rules.ts';
import { createSecurityEvents } from './security-events.ts';

let api: TestApi;
let adams: number;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
});
afterAll(() => api.close());

test('pushes with a wrong password, and the wait that follows, are on record without an address', async () => {
  const push = () =>
    api.app.inject({
      method: 'POST',
      url: '/api/usps/iv-mtr',
      headers: { host: 'adams.localhost:8080', 'content-type': 'application/json' },
      remoteAddress: '203.0.113.77',
      payload: '{}',
    });
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 100) statuses.push((await push()).statusCode);
  expect(statuses.at(-1)).toBe(429);
  await api.keepHouse();

  const rows = await api.query<{ actor: string; action: string; count: number }>(
    `select actor, action, sum((details ->> 'count')::int)::int as count from audit_log
     where account_id = $1 and action like 'security.%' group by actor, action order by action`,
    [adams],
  );
  expect(rows).toEqual([
    {
      actor: expect.stringMatching(/^network:[\w-]{16}$/),
      action: 'security.push-refused',
      count: statuses.length,
    },
    { actor: rows[0]?.actor, action: 'security.throttled', count: 1 },
  ]);
  const logged = api.logLines.filter((line) => line.includes('security.event'));
  expect(logged.join()).toContain('"kind":"push-refused"');
  expect(logged.join()).toContain(rows[0]?.actor.replace('network:', ''));
  expect(JSON.stringify(rows) + api.logLines.join()).not.toContain('203.0.113');
});

test('what one network tries at two offices within a second is on each office’s own record', async () => {
  const offices = [
    await addOffice(api.test, { subdomain: 'bay' }),
    await addOffice(api.test, { subdomain: 'cove' }),
  ];
  const push = (subdomain: string) =>
    api.app.inject({
      method: 'POST',
      url: '/api/usps/iv-mtr',
      headers: { host: `${subdomain}.localhost:8080`, 'content-type': 'application/json' },
      remoteAddress: '203.0.113.78',
      payload: '{}',
    });
  for (const subdomain of ['bay', 'cove', 'cove']) await push(subdomain);
  await api.keepHouse();
  const rows = await api.query(
    `select account_id, sum((details ->> 'count')::int)::int as count from audit_log
     where account_id = any($1::int[]) group by account_id order by account_id`,
    [offices],
  );
  expect(rows).toEqual(offices.map((one, index) => ({ account_id: one, count: index + 1 })));
});

test('a flood from more networks than 500 costs no more rows: the others are counted together', async () => {
  const events = createSecurityEvents(
    api.database,
    createSecrets(['a secret of this test, thirty-two letters']),
    createLog('silent'),
    createMetrics(),
  );
  const target = 'flood of this test';
  for (let n = 0; n < 600; n += 1)
    events.record({ kind: 'captcha-refused', address: `10.${n >> 8}.${n & 255}.1`, target });
  await events.flush();
  const rows = await api.query<{ actor: string; count: number }>(
    `select actor, (details ->> 'count')::int as count from audit_log where target = $1`,
    [target],
  );
  expect(rows).toHaveLength(501);
  expect(rows).toContainEqual({ actor: 'network:many', count: 100 });
});

test('every kind is in the figures before the first attempt, and attempts are in the log while the database is away', async () => {
  const lines: string[] = [];
  const metrics = createMetrics();
  const away = openDatabase('postgresql://beacon@127.0.0.1:1/none');
  const events = createSecurityEvents(
    away,
    createSecrets(['a secret of this test, thirty-two letters']),
    createLog('info', { write: (line: string) => void lines.push(line) }),
    metrics,
  );
  expect(await metrics.registry.metrics()).toContain(
    'beacon_security_events_total{kind="spraying"} 0',
  );
  events.record({ kind: 'spraying', address: '203.0.113.79' });
  await events.flush();
  expect(lines).toEqual([
    expect.stringContaining('"kind":"spraying"'),
    expect.stringContaining('record-security-events'),
  ]);
  await away.close();
});

test('what was tried is on record a second later, without anything that asks for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const events = createSecurityEvents(
    api.database,
    createSecrets(['a secret of this test, thirty-two letters']),
    createLog('silent'),
    createMetrics(),
  );
  const target = 'a try of this test';
  events.record({ kind: 'captcha-refused', address: '203.0.113.5', target });
  vi.advanceTimersByTime(1_000);
  vi.useRealTimers();
  const recorded = () => api.query('select action from audit_log where target = $1', [target]);
  await expect.poll(recorded).toEqual([{ action: 'security.captcha-refused' }]);
});

test('an office cannot read the entries of another, nor write any by itself', async () => {
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  expect(await api.queryAs(lake, 'select actor from audit_log')).toEqual([]);
  await expect(
    api.queryAs(adams, `insert into audit_log (actor, action) values ('x', 'security.forged')`),
  ).rejects.toThrow(/row-level security/);
});

test('addresses of one network are one: IPv4 /24, IPv6 /48, however they are written', () => {
  const byte = fc.nat(255);
  fc.assert(
    fc.property(byte, byte, byte, byte, byte, (a, b, c, d, e) => {
      expect(networkOf(`${a}.${b}.${c}.${d}`)).toBe(`${a}.${b}.${c}.0/24`);
      expect(networkOf(`::ffff:${a}.${b}.${c}.${d}`)).toBe(networkOf(`${a}.${b}.${c}.${e}`));
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), (groups) => {
      const written = groups.map((group) => group.toString(16));
      const network = networkOf(written.join(':'));
      expect(network).toBe(`${written.slice(0, 3).join(':')}::/48`);
      // As the address parser of the web shortens it.
      const short = new URL(`http://[${written.join(':').toUpperCase()}]`).hostname.slice(1, -1);
      expect(networkOf(short)).toBe(network);
    }),
  );
  expect(networkOf('2001:db8::1.2.3.4')).toBe('2001:db8:0::/48');
  expect(networkOf('')).toBe('unknown');
});
