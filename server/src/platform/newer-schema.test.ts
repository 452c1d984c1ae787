import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBallot, addOffice, addVoter, typed } from '../../../testing/api.ts';
import { createBeacon } from '../../../testing/beacon.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { findFreePort } from '../../../testing/ports.ts';
import { urlsOfLogins } from './logins.ts';
import { migrate, readMigrations } from './migrations.ts';

let test_: TestDatabase;
let folder: string;
let api: ChildProcess;
let address: string;

/** What a next version may add: columns, tables, indexes, and rows of kinds of its own. */
const next = `
  alter table voters add column preferred_name text;
  alter table accounts add column region text not null default 'none';
  alter table ballot_events add column seen_by text;
  create table ballot_notes (account_id integer not null references accounts, ballot_id bigint not null, note text not null);
  call protect_by_account('ballot_notes', 'select');
  create index ballots_by_region on ballots (account_id, voter_id desc)`;

beforeAll(async () => {
  test_ = await createTestDatabase();
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-newer-'));
  const sha256 = createHash('sha256').update(next).digest('hex');
  const migrations = [...(await readMigrations()), { name: '9000-next.sql', text: next, sha256 }];
  expect(await migrate(test_.url, { migrations })).toEqual(['9000-next.sql']);
  const accountId = await addOffice(test_, { subdomain: 'adams' });
  const voterId = await addVoter(test_, accountId, { lastname: 'Fox' });
  await addBallot(test_, accountId, voterId, { events: [{ status: 'sent', on: '2026-11-02' }] });
  const { apiUrl, intakeUrl } = urlsOfLogins(test_.url);
  const port = await findFreePort();
  address = `http://127.0.0.1:${port}`;
  api = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../../testing/api-process.ts', import.meta.url))],
    {
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        ...{ DATABASE_API_URL: apiUrl, DATABASE_INTAKE_URL: intakeUrl, PORT: String(port) },
        ...{ BEACON_DATA: folder, BEACON_DEMO: '0', CAPTCHA: 'off', DEFAULT_ACCOUNT: 'adams' },
      },
    },
  );
});
afterAll(async () => {
  api.kill('SIGTERM');
  if (api.exitCode === null) await once(api, 'exit');
  await test_.drop();
  rmSync(folder, { recursive: true });
});

test('beside the schema of the next version voters sign in and files are imported, as while an upgrade is under way', async () => {
  const ask = (where: string, init?: RequestInit) => fetch(`${address}${where}`, init);
  const isReady = () =>
    ask('/readyz').then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { timeout: 30_000 }).toBe(true);
  const signedIn = await ask('/api/voter/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(typed({ lastname: 'Fox' })),
  });
  expect(signedIn.status).toBe(201);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const page = await ask('/api/voter/information/me', { headers: { cookie } });
  expect(page.status).toBe(200);
  const beacon = createBeacon(test_.url);
  const roll = beacon.write(
    'roll.csv',
    'registration_id,firstname,lastname,birthdate,zipcode\n77,Lee,Marsh,01/02/1950,34811\n',
  );
  await beacon.do('import', roll, '--account', 'adams', '--format', 'beacon-voters');
  expect((await beacon.do('voter', 'show', '77', '--account', 'adams')).length).toBeGreaterThan(0);
  // This version's own migration changes nothing there.
  expect(await migrate(test_.url)).toEqual([]);
  beacon.remove();
});
