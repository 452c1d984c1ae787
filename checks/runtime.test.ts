import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

test('the product is tested on the Node that it brings along', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { dependencies: { node: string } };
  expect(process.versions.node).toBe(manifest.dependencies.node);
});

test('no package that reports installations to its maker is installed', () => {
  const { packages } = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  ) as { packages: Record<string, { resolved?: string }> };
  const telemetry = Object.entries(packages).filter(([place]) => /@scarf\/scarf$/.test(place));
  expect(telemetry.map(([, { resolved }]) => resolved)).toEqual(['dev/no-telemetry']);
});

const beacon = fileURLToPath(new URL('../server/beacon', import.meta.url));
let folder: string;
/** A PATH whose `node` is too old for the product. */
let oldMachine: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-old-node-'));
  writeFileSync(
    path.join(folder, 'node'),
    '#!/bin/sh\n[ "$1" = --version ] && echo v18.0.0 && exit\nexit 1\n',
    {
      mode: 0o755,
    },
  );
  oldMachine = `${folder}:/usr/bin:/bin`;
});
afterAll(() => rmSync(folder, { recursive: true }));

test('commands run on the product’s own Node, whatever the machine’s is', () => {
  const help = execFileSync(beacon, ['--help'], { env: { ...process.env, PATH: oldMachine } });
  expect(help.toString()).toContain('Usage: beacon');
});

test('without its own Node, on a machine with an old one, a command says what to do', () => {
  const copy = path.join(folder, 'beacon');
  copyFileSync(beacon, copy);
  const { status, stderr } = spawnSync(copy, ['--help'], { env: { PATH: oldMachine } });
  expect(status).toBe(1);
  expect(stderr.toString()).toMatch(/newer Node than this machine's \(v18.0.0\)\. Run npm ci/);
});
