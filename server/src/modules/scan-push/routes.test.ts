import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
} from '../../../../testing/api.ts';
import { createBeacon } from '../../../../testing/beacon.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';
import { drawCredential, pushPath } from './index.ts';

const host = 'adams.localhost';
const code = (voter: number): string => `00716123456${String(voter).padStart(9, '0')}`;
let api: TestApi;
let adams: AccountId;
let authorization: string;
let ofLake: string;

beforeAll(async () => {
  api = await createTestApi({ environment: { DEFAULT_ACCOUNT: '' } });
  adams = await addOffice(api.test, { subdomain: 'adams' });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  authorization = await draw(adams);
  ofLake = await draw(lake);
  for (const voter of [1, 2, 3, 4]) {
    const ballotId = await addBallot(api.test, adams, await addVoter(api.test, adams), {
      date: '2026-12-08',
      events: [{ status: 'sent', on: '2026-11-16' }],
    });
    await api.query(
      `insert into mail_pieces (account_id, tracking_code, ballot_id, direction) values ($1, $2, $3, 'outbound')`,
      [adams, code(voter), ballotId],
    );
  }
});
afterAll(() => api.close());

async function draw(accountId: AccountId): Promise<string> {
  const { user, password } = await api.test.database.transaction((tx) =>
    drawCredential(tx, accountId, api.clock.now()),
  );
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

const event = (voter: number, at = '2026-11-18T09:15:00', more = {}) => ({
  imb: `${code(voter)}34811`,
  scanDatetime: at,
  mailPhase: 'Phase 2a - Destination MMP',
  handlingEventType: 'A',
  scanEventCode: '517',
  scanFacilityState: 'GA',
  scanFacilityZip: '30301',
  ...more,
});
const sending = (...events: unknown[]) => JSON.stringify({ msgGrpId: '1', recCnt: 1, events });

function push(
  payload: string | Buffer,
  headers: Record<string, string | undefined> = {},
  remoteAddress = '10.0.0.1',
) {
  const all = { host, authorization, 'content-type': 'application/json', ...headers };
  const given = Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined);
  return api.app.inject({
    method: 'POST',
    url: pushPath,
    payload,
    remoteAddress,
    headers: Object.fromEntries(given),
  });
}

const countScans = async () =>
  (await api.query<{ count: number }>('select count(*) from mail_scans'))[0]?.count;
const statuses = async () =>
  (
    await api.query<{ current_status: string }>(
      'select current_status from ballots order by ballot_id',
    )
  ).map((row) => row.current_status);

describe('scans that USPS pushes', () => {
  test('are stored and shown, and a repeat changes nothing', async () => {
    const before = Number(await countScans());
    const answer = await push(sending(event(4)));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ received: 1, new: 1, refused: 0 });
    expect((await statuses())[3]).toBe('in-transit');
    for (const repeat of [sending(event(4)), `${sending(event(4))} `]) {
      const again = await push(repeat);
      expect(again.statusCode).toBe(200);
      expect(again.json()).toMatchObject({ new: 0 });
    }
    expect(await countScans()).toBe(before + 1);
  });

  test.each([
    ['gzip', 8],
    ['x-gzip', 9],
    ['GZIP', 10],
  ])('may be compressed, which the header calls %s', async (encoding, hour) => {
    const at = `2026-11-18T${String(hour).padStart(2, '0')}:20:00`;
    const answer = await push(gzipSync(sending(event(2, at))), { 'content-encoding': encoding });
    expect(answer.json()).toEqual({ received: 1, new: 1, refused: 0 });
  });

  test('may name the scheme of the password in any letters', async () => {
    for (const scheme of ['basic', 'BASIC'])
      expect(
        (await push(sending(), { authorization: authorization.replace('Basic', scheme) }))
          .statusCode,
      ).toBe(200);
  });

  test('are stored except for unreadable events, which the import’s report counts', async () => {
    const answer = await push(
      sending(event(3, '7020-11-18T09:15:00'), { imb: 'x' }, event(3, '2026-11-18T10:00:00')),
    );
    expect(answer.json()).toEqual({ received: 3, new: 1, refused: 2 });
    const [imported] = await api.query<{ report: { refusals: object[]; rejectsFile: null } }>(
      'select report from imports order by import_id desc limit 1',
    );
    expect(imported?.report.refusals).toHaveLength(2);
    expect(imported?.report.rejectsFile).toBeNull();
  });

  test('that cannot be right are refused, and the office reads why', async () => {
    const before = [await countScans(), await statuses()];
    const early = [1, 2, 3, 4].flatMap((voter) =>
      ['07', '08'].map((day) => event(voter, `2026-11-${day}T08:00:00`)),
    );
    const answer = await push(sending(...early));
    const because =
      'These rows cannot be right, so none of them was loaded. If they are right, import them as a file: a second person can approve that.';
    expect([answer.statusCode, answer.json().detail]).toEqual([422, because]);
    expect([await countScans(), await statuses()]).toEqual(before);
    // What the office's ballots have to do with it is for the office alone.
    const [refused] = await api.query<{ state: string; because: string; gate: object[] }>(
      `select state, report->>'refusedBecause' as because, report->'gate' as gate
       from imports order by import_id desc limit 1`,
    );
    const detail = expect.stringMatching(/^8 of 8 new scans are from days when /);
    const example = expect.objectContaining({ to: expect.stringMatching(/^scan of 11\/0[78]/) });
    const examples = expect.arrayContaining([example]);
    expect(refused).toMatchObject({ state: 'refused', because, gate: [{ detail, examples }] });
    expect((await push(sending(event(1, '2026-11-17T08:00:00')))).json()).toMatchObject({ new: 1 });
  });

  test('may be an empty list: the answer is 200, and nothing is stored', async () => {
    const before = await api.query('select from imports');
    expect((await push(sending())).json()).toEqual({ received: 0, new: 0, refused: 0 });
    expect(await api.query('select from imports')).toHaveLength(before.length);
  });

  test('need no cookie and no page: they come from a program', async () => {
    const answer = await push(sending(event(1)), {
      origin: 'https://iv.usps.example',
      'sec-fetch-site': 'cross-site',
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('of a barcode that two offices use belong to the office they were pushed to', async () => {
    await push(sending(event(1, '2026-11-19T08:00:00')), {
      host: 'lake.localhost',
      authorization: ofLake,
    });
    const rows = await api.query<{ account_id: number }>(
      `select distinct account_id from mail_scans where scanned_at = '2026-11-19 08:00'`,
    );
    expect(rows.map((row) => row.account_id === adams)).toEqual([false]);
  });
});

test('an operator creates the password, sees it once, and it works at the address shown with it', async () => {
  const beacon = createBeacon(api.test.url);
  try {
    const drawn: { url: string; user: string; password: string } = JSON.parse(
      await beacon.do('scan-push', '--account', 'lake', '--json'),
    );
    expect(new URL(drawn.url)).toMatchObject({ hostname: 'lake.localhost', pathname: pushPath });
    ofLake = `Basic ${Buffer.from(`${drawn.user}:${drawn.password}`).toString('base64')}`;
    const answer = await push(sending(event(1)), {
      host: new URL(drawn.url).host,
      authorization: ofLake,
    });
    expect(answer.statusCode).toBe(200);
    const rows = await api.query<object>('select * from push_credentials');
    expect(JSON.stringify(rows)).not.toContain(drawn.password);
    const audit = await beacon.do('audit', '--account', 'lake', '--json');
    expect(audit).toContain('scan-push.draw');
    expect(audit).not.toContain(drawn.password);
  } finally {
    beacon.remove();
  }
});

describe('nobody else', () => {
  const wrong = `Basic ${Buffer.from('usps:wrong').toString('base64')}`;

  test('may push: without the password, with a wrong password, with another office’s', async () => {
    const before = await countScans();
    let address = 0;
    for (const given of [
      undefined,
      '',
      'Basic',
      'Basic !!!!',
      `Bearer ${authorization.slice(6)}`,
      wrong,
      ofLake,
      `Basic ${'A'.repeat(5000)}`,
      `${authorization.slice(0, -4)}AAAA`,
    ]) {
      address += 1;
      const answer = await push(
        sending(event(1, '2026-11-20T09:00:00')),
        { authorization: given },
        `10.0.1.${address}`,
      );
      expect(answer.statusCode, given).toBe(401);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
    }
    expect(await countScans()).toBe(before);
  });

  test('learns from the answer whether an office has scans pushed to it', async () => {
    await addOffice(api.test, { subdomain: 'plain' });
    const answers = await Promise.all(
      [host, 'plain.localhost'].map((one) =>
        push(sending(event(1)), { host: one, authorization: wrong }, '10.0.2.1'),
      ),
    );
    expect(answers[0]?.statusCode).toBe(401);
    expect(answers[1]?.body).toBe(answers[0]?.body);
  });

  test('tries passwords for long', async () => {
    const codes = [];
    for (let attempt = 0; attempt < 22; attempt += 1)
      codes.push((await push(sending(event(1)), { authorization: wrong }, '10.0.3.1')).statusCode);
    expect(codes).toEqual([...Array(20).fill(401), 429, 429]);
    // A sender with the right password is not locked out by one without it.
    expect((await push(sending(event(1)), {}, '10.0.3.1')).statusCode).toBe(200);
    // Another office has a count of its own.
    const elsewhere = { host: 'lake.localhost', authorization: wrong };
    expect((await push(sending(event(1)), elsewhere, '10.0.3.1')).statusCode).toBe(401);
  });

  test('gets the body of a stranger read', async () => {
    const answer = await push(
      Buffer.alloc(20 * 1024 * 1024, 0x20),
      { authorization: wrong },
      '10.0.4.1',
    );
    expect(answer.statusCode).toBe(401);
  });

  test('old passwords stop with the new one', async () => {
    const old = authorization;
    authorization = await draw(adams);
    expect((await push(sending(event(1)), { authorization: old }, '10.0.5.1')).statusCode).toBe(
      401,
    );
    expect((await push(sending(event(1)))).statusCode).toBe(200);
  });

  test.each([
    ['nowhere.localhost', 404],
    ['localhost', 404],
    ['evil.test', 421],
  ])('reaches an office by the host %s', async (other, status) => {
    const answer = await push(sending(event(1)), { host: other });
    expect(answer.statusCode).toBe(status);
  });

  test('reads or deletes anything there', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
      const answer = await api.app.inject({
        method,
        url: pushPath,
        headers: { host, authorization },
      });
      expect(answer.statusCode, method).toBe(404);
    }
  });
});

describe('while one of the office’s files is being imported', () => {
  test('two pushes wait a few seconds and must then be sent again, a third must at once; another office’s does not wait', async () => {
    const before = await countScans();
    const late = sending(event(1, '2026-11-19T04:00:00'));
    const pushForLake = () =>
      push(sending(event(9)), { host: 'lake.localhost', authorization: ofLake });
    await api.test.database.transaction(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('import'), ${adams})`.execute(tx);
      const kept = [push(late)];
      expect((await pushForLake()).statusCode).toBe(200);
      kept.push(push(late), push(late));
      let answered = 0;
      for (const one of kept) one.then(() => (answered += 1));
      await Promise.race(kept);
      const refused = await pushForLake();
      expect([refused.statusCode, answered]).toEqual([503, 1]);
      for (const answer of await Promise.all(kept)) {
        expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '30']);
        expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      }
      expect((await pushForLake()).statusCode).toBe(200);
    });
    expect(await countScans()).toBe(Number(before) + 1);
    expect((await push(late)).json()).toMatchObject({ received: 1, new: 1 });
  }, 60_000);
});

describe('an unreadable push', () => {
  const gzip = { 'content-encoding': 'gzip' };

  test.each<[string, string | Buffer, Record<string, string>, number]>([
    ['nothing', '', {}, 422],
    ['half a document', '{"events": [{"imb": "1"', {}, 422],
    ['no document', 'hello', {}, 422],
    ['another document', '{"hello": "world"}', {}, 422],
    ['an error message', '{"message": "Unauthorized"}', {}, 422],
    ['a form', 'events=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a text', sending(), { 'content-type': 'text/plain' }, 415],
    ['an unknown packing', sending(), { 'content-encoding': 'br' }, 415],
    ['what is no gzip', sending(), gzip, 400],
    ['half a gzip', gzipSync(sending(event(1))).subarray(0, 60), gzip, 400],
    ['a gzip bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20)), gzip, 413],
    ['too large a body', Buffer.alloc(9 * 1024 * 1024, 0x20), {}, 413],
    ['deep nesting', `{"events":[${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}]}`, {}, 422],
  ])('%s is answered as such and harms nothing', async (_what, payload, headers, status) => {
    const before = await countScans();
    const answer = await push(payload, headers);
    expect(answer.statusCode).toBe(status);
    if (status !== 200)
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(await countScans()).toBe(before);
  });

  test.each([
    [
      'as it is, of 8 MB',
      8,
      {},
      (body: Buffer) => body,
      'The request is larger than this call takes.',
    ],
    ['unpacked, of 32 MB', 32, gzip, gzipSync, 'The uncompressed body is larger than 32 MB.'],
  ])('is read %s, and refused with a byte more', async (_what, megabytes, headers, pack, why) => {
    const blank = Buffer.alloc(megabytes * 1024 ** 2 + 1, 0x20);
    expect((await push(pack(blank.subarray(1)), headers)).statusCode).toBe(422);
    const refused = await push(pack(blank), headers);
    expect([refused.statusCode, refused.json().detail]).toEqual([413, why]);
  });
});

test('no barcode and no password is in the log', async () => {
  const seen = api.logLines.length;
  await push(sending(event(1, '2026-11-19T09:15:00'), { imb: `${code(1)}x` }));
  await push(gzipSync(sending(event(1))), { 'content-encoding': 'gzip' });
  await push(sending(event(1)), { authorization: ofLake });
  await push(`{"events": ["${code(1)}34811"`);
  await push(sending(event(1)), { authorization: undefined });
  // Each is at least a request that is done.
  expect(api.logLines.length - seen).toBeGreaterThanOrEqual(5);
  const log = api.logLines.join('');
  expect(log).toContain('import.finished');
  for (const secret of [code(1), authorization.slice(6), '34811'])
    expect(log).not.toContain(secret);
});
