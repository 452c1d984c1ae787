import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readCodeBlocks } from '../../testing/pages.ts';

let folder: string;
let log: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-passwords-'));
  log = path.join(folder, 'log');
  // Programs of PostgreSQL that say how they were started: what stands in their arguments, every user of the machine can read.
  for (const name of ['psql', 'pg_dump', 'pg_restore'])
    writeFileSync(
      path.join(folder, name),
      `#!/bin/sh
echo "$PGPASSWORD: ${name} $* $PGSSLROOTCERT" >>${log}
for each; do case $each in --file=*.part) : >"$(echo "$each" | cut -d= -f2)";; esac; done
echo 0
`,
      { mode: 0o755 },
    );
});
afterEach(() => rmSync(folder, { recursive: true }));

const password = `s3cret@/:'"$ %é`;
const urlOf = (user: string) =>
  `postgresql://${user}:${encodeURIComponent(`${user} ${password}`)}@one:5432,two:5432/beacon?sslmode=require`;

function run(program: string, parameters: readonly string[], environment: NodeJS.ProcessEnv) {
  const ended = spawnSync(program, parameters, {
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env.PATH}`, ...environment },
  });
  return { ...ended, started: readFileSync(log, 'utf8').trim().split('\n') };
}

const script = (name: string) => path.join(import.meta.dirname, name);
const withUser = (started: readonly string[], user: string) =>
  started.filter((line) => line.includes(`postgresql://${user}@one:5432,two:5432/`));

test('a backup gives the password of the database to its programs without writing it into their arguments', () => {
  const { status, started } = run(script('backup.sh'), [], {
    DATABASE_URL: urlOf('owner'),
    BACKUP_FOLDER: folder,
  });
  expect(status).toBe(0);
  expect(withUser(started, 'owner')).toEqual([
    expect.stringMatching(/: pg_dump .*beacon\?sslmode=require/),
  ]);
  for (const line of withUser(started, 'owner'))
    expect(line.startsWith(`owner ${password}: `)).toBe(true);
  expect(started.filter((line) => / .*: .*s3cret/.test(line))).toEqual([]);
});

test('so do a restore, for two logins, and the drill', () => {
  const restored = run(script('restore.sh'), ['beacon.dump'], {
    DATABASE_URL: urlOf('owner'),
    ADMIN_URL: urlOf('admin'),
  });
  expect(restored.status).toBe(0);
  expect(withUser(restored.started, 'owner')).toHaveLength(4);
  expect(withUser(restored.started, 'admin')).toHaveLength(1);
  // It goes no further than the first command of the product, which finds no server.
  const drilled = run(process.execPath, [script('drill.ts'), 'beacon.dump'], {
    DRILL_URL: urlOf('driller'),
  });
  const all = drilled.started;
  expect(withUser(all, 'driller').length).toBeGreaterThan(3);
  for (const user of ['owner', 'admin', 'driller'])
    for (const line of withUser(all, user))
      expect(line.startsWith(`${user} ${password}: `)).toBe(true);
  expect(all.filter((line) => /: .*s3cret.*s3cret|: \w+ .*s3cret/.test(line))).toEqual([]);
});

test('an address without a password is left as it is', () => {
  const { started } = run(script('backup.sh'), [], {
    DATABASE_URL: 'postgresql:///beacon?host=/run/a:b@c',
    BACKUP_FOLDER: folder,
    PGPASSWORD: 'of the environment',
  });
  expect(started[0]).toMatch(
    /^of the environment: pg_dump .*postgresql:\/\/\/beacon\?host=\/run\/a:b@c/,
  );
});

test('a certificate is checked by the authorities that the machine knows, unless the address names another', () => {
  const known = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt'].find(
    (file) => existsSync(file),
  );
  const ends = (query: string, environment = {}) => {
    const url = `postgresql://owner@db.example.gov/beacon?${query}`;
    const { started } = run(script('backup.sh'), [], {
      ...{ DATABASE_URL: url, BACKUP_FOLDER: folder, HOME: folder, ...environment },
    });
    return started
      .findLast((line) => line.includes('pg_dump'))
      ?.split(' ')
      .at(-1);
  };
  expect(known).toBeDefined();
  expect(ends('sslmode=verify-full')).toBe(known);
  expect(ends('sslmode=verify-full&sslrootcert=/own.pem')).toBe('');
  expect(ends('sslmode=disable')).toBe('');
  expect(ends('sslmode=verify-full', { PGSSLROOTCERT: '/own.pem' })).toBe('/own.pem');
  mkdirSync(path.join(folder, '.postgresql'));
  writeFileSync(path.join(folder, '.postgresql/root.crt'), '');
  expect(ends('sslmode=verify-full')).toBe('');
});

const root = path.resolve(import.meta.dirname, '../..');

test('the pages that set up a database write no password into the arguments of a program', () => {
  const blocks = ['deployment', 'failover'].flatMap((page) =>
    readCodeBlocks(`operations/${page}.md`).filter(
      ({ language, text }) => language === 'sh' && /\bpsql\b/.test(text),
    ),
  );
  expect(blocks).toHaveLength(2);
  for (const { text } of blocks) {
    const onThisMachine = text.replaceAll('/opt/ballot-beacon', root);
    const [withoutRest = ''] = onThisMachine.split(' > /etc/');
    const names = ['OWNER', 'API', 'INTAKE', 'WORKER', 'OFFICE'].map((who) => `${who}_PASSWORD`);
    const { status, started, stderr } = run('sh', ['-e', '-c', withoutRest], {
      ADMIN_URL: urlOf('admin'),
      ...Object.fromEntries(names.map((name) => [name, `s3cret of ${name}`])),
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(started.length).toBeGreaterThan(0);
    for (const line of started) expect(line.startsWith(`admin ${password}: psql `)).toBe(true);
    expect(started.filter((line) => / .*: psql .*s3cret/.test(line))).toEqual([]);
  }
});

test('so does the compose file', () => {
  const { services } = parse(
    readFileSync(path.join(root, 'deploy/container/compose.yaml'), 'utf8'),
    {
      merge: true,
    },
  ) as { services: { logins: { command: string[] } } };
  const [shell = '', ...rest] = services.logins.command;
  const { status, started } = run(
    shell,
    rest.map((word) => word.replaceAll('$$', '$')),
    { PGPASSWORD: 'admin', PASSWORD: 's3cret' },
  );
  expect(status).toBe(0);
  expect(started.length).toBeGreaterThan(4);
  expect(started.filter((line) => line.includes('s3cret'))).toEqual([]);
});
