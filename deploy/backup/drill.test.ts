import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

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
