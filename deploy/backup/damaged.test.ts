import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-damaged-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what cannot be read to its end is no backup, and beacon doctor is told of none', () => {
  // A disk that lost what was written to it, though pg_dump heard of nothing.
  const program = path.join(folder, 'pg_dump');
  writeFileSync(
    program,
    '#!/bin/sh\nfor each; do case $each in --file=*) echo lost >"$(echo "$each" | cut -d= -f2)";; esac; done\n',
  );
  chmodSync(program, 0o755);
  const backups = mkdtempSync(path.join(folder, 'backups-'));
  const stamp = path.join(folder, 'stamp');
  const { status, stdout } = spawnSync(path.join(import.meta.dirname, 'backup.sh'), {
    encoding: 'utf8',
    env: {
      ...{ PATH: `${folder}:${process.env.PATH}`, DATABASE_URL: 'postgresql:///none' },
      ...{ BACKUP_FOLDER: backups, BACKUP_STAMP: stamp },
    },
  });
  expect([status, stdout]).toEqual([1, '']);
  // Nor does its half stay, night after night, on a disk that is full.
  expect(readdirSync(backups)).toEqual([]);
  expect(existsSync(stamp)).toBe(false);
});
