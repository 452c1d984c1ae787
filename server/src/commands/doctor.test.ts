import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../testing/database.ts';
import { runBeacon } from '../cli.ts';
import { processSurroundings } from './surroundings.ts';

test('what is unsafe about a fresh production installation is listed, with exit status 1, in the log and on record', async () => {
  const { url, database, drop } = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'beacon-doctor-'));
  let output = '';
  let logged = '';
  const code = await runBeacon(['doctor', '--json'], {
    ...processSurroundings,
    environment: {
      NODE_ENV: 'production',
      DATABASE_URL: url,
      BEACON_DATA: folder,
      TIME_SERVER: '127.0.0.1',
      BEACON_OPERATOR: 'tester',
    },
    terminal: undefined,
    writeOutput: (text) => {
      output += text;
    },
    writeError: (text) => {
      logged += text;
    },
  });
  const ids = (JSON.parse(output) as { id: string }[]).map(({ id }) => id);
  expect(code).toBe(1);
  expect(ids).toEqual([
    'settings.public-url',
    'settings.secrets',
    'settings.email-provider',
    'settings.sms-provider',
    'settings.voice-provider',
    'settings.trust-proxy',
    'settings.support-phone',
    'settings.support-email',
    'settings.security-contact',
    'database.api-login',
    'database.worker-login',
    'database.intake-login',
    'database.office-login',
    'time.clock',
    'backup.age',
  ]);
  const { rows } = await database.systemPool.query<{ target: string }>(
    `select target from audit_log where action = 'security.doctor-finding' and actor = 'operator:tester'
     order by audit_id`,
  );
  expect(rows.map(({ target }) => target)).toEqual(ids);
  const lines = logged.split('\n').filter((line) => line.startsWith('{'));
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events).toEqual(
    ids.map((target) => ({
      ...{ level: 40, time: expect.any(String), event: 'security.event' },
      ...{ kind: 'doctor-finding', network: 'none', account: null, target, count: 1 },
    })),
  );
  rmSync(folder, { recursive: true });
  await drop();
});
