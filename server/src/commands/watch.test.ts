// Longer than 400 lines: every test drops files into one watched folder through the same helpers.
import type { ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Beacon, type CommandResult, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { pg, sql } from '../../../testing/sql.ts';

let office: TestOffice;
let beacon: Beacon;
let folder: string;
const running: { child: ChildProcess; result: Promise<CommandResult> }[] = [];

beforeEach(async () => {
  office = await createTestOffice();
  beacon = createBeacon(office.db.url);
  folder = join(beacon.folder, 'drop');
  mkdirSync(folder);
});
afterEach(async () => {
  for (const { child, result } of running.splice(0)) {
    child.kill('SIGKILL');
    await result;
  }
  beacon.remove();
  await office.close();
});

const soon = ['--settle', '0.4', '--every', '0.1'];

function start(...more: string[]) {
  const watch = beacon.start('watch', folder, '--account', 'adams', ...soon, ...more);
  running.push(watch);
  return watch;
}

function untilStarted({ child }: ReturnType<typeof start>): Promise<void> {
  return new Promise((resolve) => {
    child.stdout?.on('data', (text: string) => {
      if (text.includes('"watch.started"')) resolve();
    });
  });
}

async function stop(watch: ReturnType<typeof start>): Promise<CommandResult> {
  watch.child.kill('SIGTERM');
  return watch.result;
}

function drop(name: string, content: string | Uint8Array): void {
  writeFileSync(join(folder, name), content);
}

/** The names of data files, without the stamp, which the order follows. */
function filed(where: 'done' | 'failed'): string[] {
  const path = join(folder, where);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => !/\.(report\.(txt|json)|rejects\.csv)$/.test(name))
    .sort()
    .map((name) => name.replace(/^(\d+-)?\d{8}T\d{6}-\d{3}Z-/, ''));
}

/** The only file of this ending, or of this name. */
function read(where: 'done' | 'failed', ending: string): string {
  const path = join(folder, where);
  const names = readdirSync(path).filter((name) => name.endsWith(ending));
  expect(names).toHaveLength(1);
  return readFileSync(join(path, names[0] ?? ''), 'utf8');
}

const until = (what: () => unknown) => expect.poll(what, { timeout: 60_000, interval: 20 });

const header = 'registration_id,firstname,lastname,birthdate,zipcode';
const rollOf = (ids: readonly (string | number)[]) =>
  [header, ...ids.map((id) => `${id},Ann,Lee,01/02/1950,99301`), ''].join('\n');
const roll = (...ids: (string | number)[]) => rollOf(ids);
const big = rollOf(Array.from({ length: 50_000 }, (_, n) => `K${n}`));

async function ids(): Promise<string> {
  const { rows } = await sql<{ ids: string | null }>`
    select string_agg(registration_id, ' ' order by registration_id) as ids from voters`.execute(
    office.db.database.system,
  );
  return rows[0]?.ids ?? '';
}

async function isCopying(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_progress_copy
    where datname = current_database() and tuples_processed > 0`.execute(office.db.database.system);
  return rows.length > 0;
}

describe('a file that an office’s exporter drops into the folder', () => {
  test('is imported in the order of arrival, and moved with its report and its refused rows', async () => {
    drop('b-first.csv', roll(1, 2));
    drop('a-second.csv', `${roll(2, 3)}4,Ann,,01/02/1950,99301\n`);
    utimesSync(join(folder, 'b-first.csv'), 1_700_000_000, 1_700_000_000);
    const watch = start();
    await until(() => filed('done')).toEqual(['b-first.csv', 'a-second.csv']);
    expect(await ids()).toBe('1 2 3');
    const report = read('done', 'a-second.csv.report.txt');
    expect(report).toMatch(/^Adams County \(adams\), .* P[SD]T, import 2, format beacon-voters$/m);
    expect(report).toContain('voters new 1, changed 0, unchanged 1; rows refused 1');
    const rejects = /: (\S+\.rejects\.csv)$/m.exec(report)?.[1] ?? '';
    expect(rejects).toMatch(/drop\/done\/\d{8}T\d{6}-\d{3}Z-a-second\.csv\.rejects\.csv$/);
    expect(readFileSync(rejects, 'utf8')).toContain('4,Ann,,01/02/1950,99301');
    expect(statSync(rejects).mode & 0o7).toBe(0);
    expect(JSON.parse(read('done', 'a-second.csv.report.json'))).toMatchObject({
      import_id: 2,
      state: 'done',
      file_name: 'a-second.csv',
      rejectsFile: rejects,
      rows: { read: 3, added: 1, unchanged: 1, refused: 1 },
    });

    drop('later.csv', roll(9));
    await until(() => filed('done')).toContain('later.csv');
    const { code, stdout, stderr } = await stop(watch);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events).toEqual([
      'watch.started',
      ...['import.finished', 'import.finished', 'import.finished'],
      'watch.stopped',
    ]);
    // A file's name may contain a voter's name.
    expect(stdout).not.toMatch(/first|a-second|later/);
  });

  test('is left alone until it is complete', async () => {
    const whole = roll(1, 2, 3);
    const packed = gzipSync(roll(5, 6));
    drop('upload.csv.filepart', roll(7));
    drop('.hidden.csv', roll(7));
    drop('empty.csv', '');
    drop('packed.csv.gz', packed.subarray(0, -9));
    symlinkSync(beacon.write('elsewhere.csv', roll(8)), join(folder, 'link.csv'));
    drop('growing.csv', whole.slice(0, 40));
    // Much longer than the pause between two of its pieces, even on a busy machine.
    const watch = start('--settle', '1.2');
    await untilStarted(watch);
    // It grows for four times as long as the settling time.
    let at = 40;
    const grow = () => {
      appendFileSync(join(folder, 'growing.csv'), whole.slice(at, at + 1));
      at += 1;
      return [at >= whole.length, ...filed('done')];
    };
    await expect.poll(grow, { interval: 50, timeout: 60_000 }).toEqual([true]);
    await until(() => filed('done')).toEqual(['growing.csv']);
    expect(await ids()).toBe('1 2 3');
    const once = ['watch', folder, '--account', 'adams', ...soon, '--once'];
    expect(await beacon.run(...once)).toEqual({
      code: 0,
      stdout: '',
      stderr: `packed.csv.gz is incomplete and stays where it is: its end is missing.
link.csv is a link to another file and stays where it is. Put the file itself into the folder.
`,
    });
    writeFileSync(join(folder, 'packed.csv.gz'), packed);
    renameSync(join(folder, 'upload.csv.filepart'), join(folder, 'upload.csv'));
    await until(() => filed('done').sort()).toEqual(['growing.csv', 'packed.csv.gz', 'upload.csv']);
    expect(await ids()).toBe('1 2 3 5 6 7');
    expect((await stop(watch)).code).toBe(0);
    expect(filed('failed')).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual([
      '.hidden.csv',
      'done',
      'empty.csv',
      'failed',
      'link.csv',
    ]);
  });

  test('leaves nothing behind when its exporter takes it away before it is complete', async () => {
    drop('packed.csv.gz', gzipSync(roll(5, 6)).subarray(0, -9));
    // A copy may keep the time at which the exporter wrote the file.
    utimesSync(join(folder, 'packed.csv.gz'), 1_700_000_000, 1_700_000_000);
    const once = ['watch', folder, '--account', 'adams', ...soon, '--once'];
    expect((await beacon.run(...once)).stderr).toContain('packed.csv.gz is incomplete');
    rmSync(join(folder, 'packed.csv.gz'));
    expect(await beacon.run(...once)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect([...filed('done'), ...filed('failed')]).toEqual([]);
  });

  test('moves to failed with an explanation for the clerk when it is not a known file, and the next file is imported', async () => {
    drop('1-odd.csv', 'a,b,c\n1,2,3\n');
    drop('2-torn.csv', roll(1, 2).slice(0, -12));
    drop('3-torn.csv.gz', gzipSync(roll(1, 2)).subarray(0, -9));
    drop('4-bad.csv', `${header}\n1\n2,A,B,,99301\n3\n`);
    drop('5-good.csv', roll(1));
    const once = ['watch', folder, '--account', 'adams', ...soon, '--patience', '0', '--once'];
    const { code, stdout, stderr } = await beacon.run(...once, '--json');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Some files were not imported. Their reports are beside them in failed/.\n',
    });
    expect(JSON.parse(stdout)).toMatchObject([
      { file_name: '1-odd.csv', state: 'failed', import_id: null },
      { file_name: '2-torn.csv', state: 'refused' },
      { file_name: '3-torn.csv.gz', state: 'failed' },
      { file_name: '4-bad.csv', state: 'refused' },
      { file_name: '5-good.csv', state: 'done' },
    ]);
    expect(read('failed', '1-odd.csv.report.txt')).toMatch(/do not recognize this file/);
    expect(read('failed', '2-torn.csv.report.txt')).toMatch(/probably not complete. Send it again/);
    expect(read('failed', '3-torn.csv.gz.report.txt')).toMatch(/damaged or not complete/);
    expect(read('failed', '4-bad.csv.report.txt')).toMatch(/2 of 3; limit/);
    expect(read('failed', '4-bad.csv.rejects.csv')).toContain('line,reason');
    for (const name of ['1-odd.csv', '2-torn.csv']) {
      expect(read('failed', `${name}.report.txt`)).toContain('drop it into the folder once more');
    }
    expect(await ids()).toBe('1');
    expect(await beacon.run(...once)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('never replaces an earlier file with its name', async () => {
    const contents = [roll(1), roll(1, 2), roll(1, 2)];
    for (const content of contents) {
      drop('ballots.csv', content);
      await beacon.do('watch', folder, '--account', 'adams', ...soon, '--once');
    }
    expect(filed('done')).toEqual(['ballots.csv', 'ballots.csv', 'ballots.csv']);
    const kept = readdirSync(join(folder, 'done')).filter((name) => name.endsWith('ballots.csv'));
    const read = (name: string) => readFileSync(join(folder, 'done', name), 'utf8');
    expect(kept.sort().map(read)).toEqual(contents);
    expect(readdirSync(folder).sort()).toEqual(['done', 'failed']);
  });

  test('leaves the folder for no other: links to done/ and failed/ are refused, with what to do', async () => {
    const elsewhere = join(beacon.folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(folder, 'failed'));
    drop('ballots.csv', roll(1));
    expect(
      await beacon.run('watch', folder, '--account', 'adams', ...soon, '--once'),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/drop\/failed must be a folder, not a link.*Remove it\./),
    });
    rmSync(join(folder, 'failed'));
    await beacon.do('watch', folder, '--account', 'adams', ...soon, '--once');
    expect(filed('done')).toEqual(['ballots.csv']);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('sends no messages while it waits for approval, and its report says who must check it', async () => {
    await office.import('beacon-voters', rollOf(Array.from({ length: 400 }, (_, n) => `V${n}`)));
    await office.addElection('7', '2026-11-03');
    await sql`
      insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
      select account_id, voter_id, 'email', registration_id || '@mail.example', 'proven', true from voters`.execute(
      office.db.database.system,
    );
    const ballots = (status: string, mailed: string) =>
      [
        'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription',
        ...Array.from({ length: 400 }, (_, n) => `7,V${n},${status},${mailed},,,`),
        '',
      ].join('\n');
    drop('ballots.csv', ballots('Undeliverable', '10/05/2026'));
    await beacon.do('watch', folder, '--account', 'adams', ...soon, '--once');
    expect(filed('done')).toEqual(['ballots.csv']);
    const report = read('done', 'ballots.csv.report.txt');
    expect(report).toMatch(/^Waiting for approval\. .* beacon release \d+ --by THEIR_NAME\./m);
    expect(report).toMatch(
      /^ {2}- Election 7: its first file lists 400 of 400 ballots as undeliverable\./m,
    );
    const stored = JSON.parse(read('done', '.report.json'));
    expect(stored).toMatchObject({ state: 'file-held' });
    const number = String(stored.import_id);

    // The watch ran as "tester", who counts as the importer; any other person may approve the file, and both are recorded.
    const refused = await beacon.run('release', number, '--by', ' Tester');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('A second person must'),
    });
    await beacon.do('release', number, '--by', 'Bea Deputy');
    const audit = JSON.parse(await beacon.do('audit', '--account', 'adams', '--json'));
    expect(audit[0]).toMatchObject({
      actor: 'operator:Bea Deputy',
      action: 'import.release',
      details: { run_as: 'operator:tester' },
    });

    // A shorter file waits for approval as a whole: nothing of it is loaded.
    drop('shorter.csv', ballots('Outbound', '10/05/2026').split('\n').slice(0, 301).join('\n'));
    await beacon.do('watch', folder, '--account', 'adams', ...soon, '--once');
    expect(read('done', 'shorter.csv.report.txt')).toMatch(
      /^Waiting for approval\. .* beacon release \d+ .* Nothing in the file was loaded/m,
    );
  });
});

describe('a watch that is interrupted', () => {
  test('by a kill in the middle of a file imports the file once and completely after a restart', async () => {
    drop('1-big.csv', big);
    drop('2-small.csv', roll('S1'));
    const killed = start();
    await until(isCopying).toBe(true);
    killed.child.kill('SIGKILL');
    expect((await killed.result).code).toBeNull();
    expect(filed('done')).toEqual([]);
    expect(await ids()).toBe('');

    const again = start();
    await until(() => filed('done')).toEqual(['1-big.csv', '2-small.csv']);
    await stop(again);
    const { rows } = await sql<{ voters: number; imports: number }>`
      select (select count(*) from voters) as voters, (select count(*) from imports) as imports`.execute(
      office.db.database.system,
    );
    expect(rows).toEqual([{ voters: 50_001, imports: 2 }]);
    expect(readdirSync(folder).sort()).toEqual(['done', 'failed']);
  });

  test('by a kill between import and move finds nothing to import after a restart, and moves the file', async () => {
    await beacon.do('import', beacon.write('roll.csv', roll(1, 2)), '--account', 'adams');
    mkdirSync(join(folder, 'importing'));
    writeFileSync(join(folder, 'importing', 'roll.csv'), roll(1, 2));
    await beacon.do('watch', folder, '--account', 'adams', ...soon, '--once');
    expect(filed('done')).toEqual(['roll.csv']);
    expect(read('done', '.report.txt')).toContain(
      'is the same file as last time. Nothing changed.',
    );
    expect(await ids()).toBe('1 2');
  });

  test('by a stop signal finishes the current file and leaves the others where they are', async () => {
    drop('1-big.csv', big);
    drop('2-small.csv', roll('S1'));
    const watch = start();
    await until(isCopying).toBe(true);
    expect(await stop(watch)).toMatchObject({ code: 0, stderr: '' });
    expect(filed('done')).toEqual(['1-big.csv']);
    expect(readdirSync(folder).sort()).toEqual(['2-small.csv', 'done', 'failed']);
  });

  test('by a database outage leaves the files alone and imports them when the database is back', async () => {
    const name = new URL(office.db.url.replace(/@\//, '@x/')).pathname.slice(1);
    const admin = new pg.Client({
      connectionString: office.db.url.replace(`/${name}`, '/postgres'),
    });
    await admin.connect();
    try {
      drop('1-big.csv', big);
      const watch = start();
      await until(isCopying).toBe(true);
      await admin.query(`alter database ${name} allow_connections false`);
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [name],
      );
      await until(() => readdirSync(folder)).toContain('1-big.csv');
      drop('2-small.csv', roll('S1'));
      await admin.query(`alter database ${name} allow_connections true`);
      await until(() => filed('done')).toEqual(['1-big.csv', '2-small.csv']);
      const { stdout } = await stop(watch);
      expect(stdout).toContain('"event":"watch.waiting"');
      expect(filed('failed')).toEqual([]);
    } finally {
      await admin.end();
    }
  });
});

test('a watch that cannot start says why', async () => {
  for (const [code, message, path, ...given] of [
    [1, 'Account lake does not exist', folder, '--account', 'lake'],
    [1, 'must be a folder', join(folder, 'gone'), '--account', 'adams'],
    [1, 'must be a folder', beacon.write('file.csv', 'x'), '--account', 'adams'],
    [2, 'Format none does not exist', folder, '--account', 'adams', '--format', 'none'],
    [2, '--json needs --once', folder, '--account', 'adams', '--json'],
    ...['soon', '', '-1', '86401'].map(
      (settle) =>
        [2, 'a number of seconds', folder, '--account', 'adams', '--settle', settle] as const,
    ),
  ] as const) {
    const result = await beacon.run('watch', path, ...given);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(message) });
    expect(result.stderr).not.toMatch(/^ +at /m);
  }
});

test('a folder belongs to one office, whatever path it is watched by', async () => {
  const lake = { subdomain: 'lake', name: 'Lake County', county: 'Lake', state: 'WA' };
  const file = beacon.write('lake.json', JSON.stringify({ ...lake, time_zone: 'UTC' }));
  await beacon.do('account', 'apply', file);
  const watch = start();
  await untilStarted(watch);
  drop('roll.csv', roll(1, 2));
  await until(() => filed('done')).toEqual(['roll.csv']);
  const other = join(beacon.folder, 'other-way');
  symlinkSync(folder, other);
  drop('next.csv', roll(1, 2, 3));
  for (const path of [folder, other]) {
    expect(await beacon.run('watch', path, '--account', 'lake', '--once')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/belongs to account adams\. .* own folder\. .*\/account\.$/m),
    });
  }
  await until(() => filed('done')).toEqual(['roll.csv', 'next.csv']);
  await stop(watch);
  // Also after the watch has ended: the files there still belong to the office.
  const refused = await beacon.run('watch', folder, '--account', 'lake', '--once');
  expect(refused.code).toBe(1);
  rmSync(/remove (\S+)\.$/m.exec(refused.stderr)?.[1] ?? '');
  await beacon.do('watch', folder, '--account', 'lake', '--once');
  expect(await ids()).toBe('1 2 3');
});
