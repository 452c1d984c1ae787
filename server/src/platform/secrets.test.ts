import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { createSecrets, loadFileKeys, loadSecrets, loadTokenKeys } from './secrets.ts';

const [older, newer, foreign] = ['o', 'n', 'f'].map((letter) => letter.repeat(32)) as [
  string,
  string,
  string,
];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beacon-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a new secret takes over without breaking what the old one signed', () => {
  const link = createSecrets([older]).sign('unsubscribe', 'ana@example.com');
  const rotated = createSecrets([newer, older]);
  expect(rotated.verify('unsubscribe', 'ana@example.com', link)).toBe(true);
  expect(rotated.sign('unsubscribe', 'ana@example.com')).toEqual(
    createSecrets([newer]).sign('unsubscribe', 'ana@example.com'),
  );
  expect(createSecrets([newer]).verify('unsubscribe', 'ana@example.com', link)).toBe(false);
  expect(rotated.keys('captcha')).toEqual([
    createSecrets([newer]).keys('captcha')[0],
    createSecrets([older]).keys('captcha')[0],
  ]);
});

test('a signature is good for its purpose, its text and its secret alone', () => {
  const secrets = createSecrets([newer, older]);
  const signature = secrets.sign('unsubscribe', 'ana@example.com');
  expect(secrets.verify('confirm', 'ana@example.com', signature)).toBe(false);
  expect(secrets.verify('unsubscribe', 'eve@example.com', signature)).toBe(false);
  expect(secrets.verify('unsubscribean', 'a@example.com', signature)).toBe(false);
  expect(secrets.verify('unsubscribe', 'ana@example.com', signature.subarray(1))).toBe(false);
  expect(
    secrets.verify(
      'unsubscribe',
      'ana@example.com',
      createSecrets([foreign]).sign('unsubscribe', 'ana@example.com'),
    ),
  ).toBe(false);
});

test('an installation without a secret creates a secret that only its owner can read, and keeps it', () => {
  const config = readConfig({ BEACON_DATA: folder });
  const first = loadSecrets(config).sign('any', 'text');
  expect(loadSecrets(config).sign('any', 'text')).toEqual(first);
  const file = join(folder, 'secret');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toHaveLength(43);
  writeFileSync(file, '');
  expect(() => loadSecrets(config)).toThrow(/secret is damaged/);
});

test.each([
  ['token-key', loadTokenKeys],
  ['file-key', loadFileKeys],
] as const)('an installation without a %s creates a key of its own, and keeps it', (name, load) => {
  const config = readConfig({ BEACON_DATA: folder });
  const keys = load(config);
  expect(load(config)).toEqual(keys);
  const file = join(folder, name);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect([readFileSync(file, 'utf8')]).toEqual(keys);
  writeFileSync(file, '');
  expect(() => load(config)).toThrow(`${name} is damaged`);
});

test('production does not start without a configured secret', () => {
  const environment = { BEACON_DATA: folder, NODE_ENV: 'production' };
  expect(loadTokenKeys(readConfig(environment))).toEqual([]);
  expect(loadFileKeys(readConfig(environment))).toEqual([]);
  expect(() => loadSecrets(readConfig(environment))).toThrow(/BEACON_SECRETS/);
  expect(() => loadSecrets(readConfig({ ...environment, BEACON_SECRETS: newer }))).not.toThrow();
});
