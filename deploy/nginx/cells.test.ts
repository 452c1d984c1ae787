import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, addVoter, typed } from '../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { makeCertificate } from '../../testing/deployment.ts';
import { ensurePackagedProgram } from '../../testing/packaged-program.ts';
import { readCodeBlocks } from '../../testing/pages.ts';
import { findFreePort } from '../../testing/ports.ts';

const project = path.resolve(import.meta.dirname, '../..');
const officesPerCell = 29;
const cells = ['east', 'west'] as const;
type Cell = (typeof cells)[number];

interface RunningCell {
  readonly test: TestDatabase;
  readonly port: number;
  api: ChildProcess;
}

let root: string;
let httpsPort: number;
let proxy: ChildProcess;
const running = {} as Record<Cell, RunningCell>;
const officesOf = (cell: Cell): string[] =>
  Array.from({ length: officesPerCell }, (_, n) => `${cell}-${n + 1}`);
const hostOf = (office: string): string => `${office}.vote.example.gov`;
/** In letters alone, for a number is no name. */
const lastnameOf = (office: string): string =>
  office.replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'beacon-cells-'));
  for (const folder of ['etc/nginx/conf.d', 'etc/ssl/ballot-beacon', 'stubs'])
    mkdirSync(path.join(root, folder), { recursive: true });
  makeCertificate(path.join(root, 'etc/ssl/ballot-beacon'));
  await Promise.all(cells.map(async (cell) => (running[cell] = await startCell(cell))));
  httpsPort = await findFreePort();
  followPage();
  proxy = await startProxy();
});

afterAll(async () => {
  await end(proxy);
  for (const { api, test: database } of Object.values(running)) {
    await end(api);
    await database.drop();
  }
  rmSync(root, { recursive: true });
});

test('an office is answered by its own cell, and voters of another cell are unknown there', async () => {
  for (const office of cells.flatMap(officesOf))
    expect([office, await signIn(office)]).toEqual([office, 201]);
  expect(await signIn('east-1', 'west-1')).toBe(401);
});

test('when a cell is gone, voters of the other one notice nothing', async () => {
  const { west } = running;
  await end(west.api);
  const answers: { readonly cell: Cell; readonly status: number }[] = [];
  // One after the other: all at once, an API whose machine does other work may send some away as very busy.
  for (const cell of [...cells, 'east' as const])
    for (const office of officesOf(cell)) answers.push({ cell, status: await signIn(office) });
  const statuses = (cell: Cell) =>
    new Set(answers.filter((one) => one.cell === cell).map(({ status }) => status));
  expect(statuses('east')).toEqual(new Set([201]));
  expect(statuses('west')).toEqual(new Set([502]));
  west.api = await startApi('west', west);
});

/** A site of its own: a database with offices, each with one voter, and an API. */
async function startCell(cell: Cell): Promise<RunningCell> {
  const database = await createTestDatabase();
  for (const office of officesOf(cell)) {
    const accountId = await addOffice(database, { subdomain: office });
    await addVoter(database, accountId, { lastname: lastnameOf(office) });
  }
  const at = { test: database, port: await findFreePort() };
  return { ...at, api: await startApi(cell, at) };
}

async function startApi(
  cell: Cell,
  { test: database, port }: Pick<RunningCell, 'test' | 'port'>,
): Promise<ChildProcess> {
  const api = spawn(process.execPath, [path.join(project, 'testing/api-process.ts')], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      BEACON_DATA: path.join(root, cell),
      BASE_DOMAIN: 'vote.example.gov',
      PUBLIC_URL: `https://${cell}.vote.example.gov`,
      PORT: String(port),
      CAPTCHA: 'off',
      TRUST_PROXY: 'loopback',
      BEACON_DEMO: '0',
      LOG_LEVEL: 'silent',
      SMS_PROVIDER: 'none',
      EMAIL_PROVIDER: 'none',
    },
  });
  await waitUntil(
    () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    api,
  );
  return api;
}

/** Writes the files of docs/operations/cells.md and runs its commands, in a folder that stands for `/`. */
function followPage(): void {
  const here = (text: string): string =>
    text
      .replaceAll('/etc/', `${root}/etc/`)
      .replaceAll('/opt/ballot-beacon', project)
      .replaceAll('10.1.0.1:8080', `127.0.0.1:${running.east.port}`)
      .replaceAll('10.2.0.1:8080', `127.0.0.1:${running.west.port}`);
  for (const name of ['nginx', 'systemctl'])
    writeFileSync(path.join(root, 'stubs', name), '#!/bin/sh\n', { mode: 0o755 });
  for (const { text, language, heading } of readCodeBlocks('operations/cells.md')) {
    // Moving an office is tested where it is made.
    if (heading !== 'The table') continue;
    const [, file] = /^# (\/\S+)\n/.exec(text) ?? [];
    if (file !== undefined) {
      const offices = officesOf('west')
        .map((office) => `${hostOf(office)} west;\n`)
        .join('');
      const isTable = file.endsWith('/beacon-cells');
      writeFileSync(here(file), here(text) + (isTable ? offices : ''));
    } else if (language === 'sh') {
      const env = { PATH: `${root}/stubs:/usr/bin:/bin` };
      const { status, stderr } = spawnSync('sh', ['-e', '-c', here(text)], {
        encoding: 'utf8',
        env,
      });
      if (status !== 0) throw new Error(stderr);
    }
  }
}

async function startProxy(): Promise<ChildProcess> {
  const site = path.join(root, 'etc/nginx/conf.d/ballot-beacon.conf');
  const ports = { 80: await findFreePort(), 443: httpsPort };
  const here = readFileSync(site, 'utf8')
    .replaceAll('/etc/ssl', `${root}/etc/ssl`)
    .replaceAll(/ {4}listen \[::\].*\n/g, '')
    .replaceAll(/listen (80|443)/g, (_, port: '80' | '443') => `listen 127.0.0.1:${ports[port]}`);
  writeFileSync(site, here);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((each) => `${each}_temp_path ${root}/${each};`)
    .join(' ');
  const file = path.join(root, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${root}/nginx.pid; error_log ${root}/nginx.log; events {} http { access_log off; ${temporary} include ${root}/etc/nginx/conf.d/*.conf; }`,
  );
  const child = spawn(ensurePackagedProgram('nginx'), ['-c', file], { stdio: 'ignore' });
  await waitUntil(
    () =>
      signIn('east-1').then(
        () => true,
        () => false,
      ),
    child,
  );
  return child;
}

/** @param voterOf the office whose voter signs in @returns the status of the answer */
function signIn(office: string, voterOf = office): Promise<number> {
  const host = hostOf(office);
  const body = typed({ lastname: lastnameOf(voterOf) });
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        ...{ host: '127.0.0.1', port: httpsPort, servername: host, rejectUnauthorized: false },
        ...{ path: '/api/voter/session', method: 'POST', agent: false },
        headers: { host, 'content-type': 'application/json', origin: `https://${host}` },
      },
      (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    asked.once('error', reject);
    asked.end(JSON.stringify(body));
  });
}

async function waitUntil(isReady: () => Promise<boolean>, child: ChildProcess): Promise<void> {
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    await wait(50);
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
