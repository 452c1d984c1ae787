import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensurePackagedProgram } from './packaged-program.ts';

const caddyfile = path.resolve(import.meta.dirname, '../deploy/caddy/Caddyfile');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-proxies-'));
  mkdirSync(path.join(folder, 'ssl'));
  const files = ['-keyout', `${folder}/ssl/privkey.pem`, '-out', `${folder}/ssl/fullchain.pem`];
  const subject = [
    '-subj',
    '/CN=vote.example.gov',
    '-addext',
    'subjectAltName=DNS:vote.example.gov',
  ];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], {
    stdio: 'ignore',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What Caddy itself says about the file. nginx reads its own in the test of the release, which sends requests through it. */
function validate(change: (text: string) => string): { status: number | null; output: string } {
  const file = path.join(folder, 'Caddyfile');
  const text = readFileSync(caddyfile, 'utf8').replaceAll(
    '/etc/ssl/ballot-beacon',
    `${folder}/ssl`,
  );
  writeFileSync(file, change(text));
  const { status, stdout, stderr } = spawnSync(
    ensurePackagedProgram('caddy'),
    ['validate', '--config', file, '--adapter', 'caddyfile'],
    { encoding: 'utf8', env: { HOME: folder, XDG_DATA_HOME: folder } },
  );
  return { status, output: stdout + stderr };
}

test('Caddy accepts its file as it stands, and would find a mistake in it', () => {
  expect(validate((text) => text)).toMatchObject({
    status: 0,
    output: expect.stringContaining('Valid configuration'),
  });
  expect(validate((text) => text.replace('reverse_proxy', 'reverse_proxies')).status).toBe(1);
});

test('Caddy sends the console, scans and figures where nginx does', () => {
  const nginx = readFileSync(path.resolve(caddyfile, '../../nginx/ballot-beacon.conf'), 'utf8');
  const caddy = readFileSync(caddyfile, 'utf8');
  for (const same of ['/metrics', '/api/usps/', '127.0.0.1:8080', '127.0.0.1:8082'])
    expect([nginx.includes(same), caddy.includes(same)], same).toEqual([true, true]);
});
