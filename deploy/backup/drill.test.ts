import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensurePageIsBuilt } from '../../server/src/platform/page-build.ts';
import { addOffice, addVoter } from '../../testing/api.ts';
import { createTwoCells } from '../../testing/two-cells.ts';

/** Five processes are started after each other. */
const drillLastsMs = 180_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-drill-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ['postgresql://admin@db.example:5432', 'postgresql://admin@db.example:5432/'],
  ['postgresql://admin@db.example:5432?sslmode=verify-full', 'postgresql://admin@db.example:5432/'],
  ['postgresql://admin@db.example:5432/postgres', 'postgresql://admin@db.example:5432/'],
  ['postgresql://admin@/postgres?host=/run', 'postgresql://admin@/'],
])('the drill on %s restores to a database of its own', (server, start) => {
  const log = path.join(folder, 'log');
  // Programs of PostgreSQL that reach no server: one answers that a database is empty, the other says where it restores to, and ends there.
  for (const [name, work] of [
    ['psql', 'echo 0'],
    ['pg_restore', `printf '%s\\n' "$@" >>${log}; exit 1`],
  ])
    writeFileSync(path.join(folder, name ?? ''), `#!/bin/sh\n${work}\n`, { mode: 0o755 });
  const { status, pid } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'drill.ts'), 'beacon.dump', '--server', server],
    { encoding: 'utf8', env: { PATH: `${folder}:${process.env.PATH}` } },
  );
  expect(status).toBe(1);
  const [, query = ''] = server.split('?');
  expect(readFileSync(log, 'utf8').split('\n')).toContain(
    `--dbname=${start}beacon_drill_${pid}${query && `?${query}`}`,
  );
});

test(
  'voters of an office that moved to another cell are not drawn: they sign in there',
  async () => {
    await ensurePageIsBuilt();
    const { east, inEast, inWest, close } = await createTwoCells();
    try {
      for (const subdomain of ['adams', 'lake'])
        await addVoter(east.test, await addOffice(east.test, { subdomain }), { lastname: 'Fox' });
      await inEast.do('migrate', '--cell', '1');
      await inWest.do('migrate', '--cell', '2');
      await inEast.do('account', 'move', 'adams');
      const { url } = east.test;
      const run = (file: string, parameters: readonly string[]) =>
        spawnSync(file, parameters, {
          encoding: 'utf8',
          env: { PATH: process.env.PATH, DATABASE_URL: url, BACKUP_FOLDER: folder },
        }).stdout.trim();
      const backup = run(path.join(import.meta.dirname, 'backup.sh'), []);
      const drill = path.join(import.meta.dirname, 'drill.ts');
      const printed = run(process.execPath, [drill, backup, '--server', url, '--voters', '5']);
      expect(printed.split('\n').at(-1)).toBe('1 voters sign in, nothing is sent twice');
    } finally {
      await close();
    }
  },
  drillLastsMs,
);
