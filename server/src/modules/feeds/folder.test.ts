import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DropFolder } from './folder.ts';
import { type DroppedFile, NotAFolder } from './guarded-files.ts';

let home: string;
let path: string;
let secret: string;
let folder: DropFolder;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'beacon-folder-'));
  path = join(home, 'drop');
  mkdirSync(path);
  secret = join(home, 'another-offices.csv');
  writeFileSync(secret, 'theirs');
  folder = new DropFolder(path, join(home, 'state'));
  await folder.prepare();
});
afterEach(() => rmSync(home, { recursive: true }));

const drop = (name: string, content: string) => writeFileSync(join(path, name), content);
const listed = async () => (await folder.list()).files.map(({ name }) => name);
const now = new Date('2026-11-21T14:52:37.123Z');
const describeNothing = () => ({ text: '', json: {} });

async function findOnly(): Promise<DroppedFile> {
  const [file, ...others] = (await folder.list()).files;
  if (!file || others.length > 0) throw new Error('Not one file is there.');
  return file;
}

async function copyOnly(): Promise<{ file: DroppedFile; copy: string }> {
  const file = await findOnly();
  const copy = await folder.copy(file);
  if (copy === null) throw new Error('It was not copied.');
  return { file, copy };
}

test('a file that changes while it is copied is not taken', async () => {
  writeFileSync(join(path, 'large.csv'), Buffer.alloc(64 * 1024 * 1024, 'x'));
  const file = await findOnly();
  const copying = folder.copy(file);
  const isBegun = () =>
    readdirSync(home, { recursive: true }).some((name) => String(name).endsWith('copying'));
  while (!isBegun()) await new Promise(setImmediate);
  utimesSync(join(path, 'large.csv'), 10, 10);
  expect(await copying).toBeNull();
  expect(isBegun()).toBe(false);
});

test('files are imported in the order in which they arrived, and those of one moment by name', async () => {
  const times = { 'b.csv': 10, 'a.csv': 20, 'd.csv': 5, 'c.csv': 10, 'e.csv': 30 };
  for (const [name, seconds] of Object.entries(times)) {
    drop(name, name);
    utimesSync(join(path, name), seconds, seconds);
  }
  const ordered = ['d.csv', 'b.csv', 'c.csv', 'a.csv', 'e.csv'];
  expect(await listed()).toEqual(ordered);
  // Also those that a watch had copied when it died.
  for (const file of (await folder.list()).files) {
    await folder.copy(file);
    rmSync(join(path, file.name));
  }
  for (const [name, seconds] of Object.entries(times))
    utimesSync(folder.pathOfCopy(name), seconds, seconds);
  const left = (await folder.listLeftOver()).map(({ name }) => name);
  expect([left[0], ...left.slice(1, 3).sort(), ...left.slice(3)]).toEqual(ordered);
});

test('an export never changes a file with its name that is being processed, and is processed after it', async () => {
  drop('ballots.csv', 'first');
  const { file, copy } = await copyOnly();
  drop('ballots.csv', 'second');
  expect(readFileSync(copy, 'utf8')).toBe('first');
  const done = await folder.file(file, 'done', now, describeNothing, null);
  expect(readFileSync(done, 'utf8')).toBe('first');
  expect(existsSync(copy)).toBe(false);
  expect(await listed()).toEqual(['ballots.csv']);
  expect(readFileSync(join(path, 'ballots.csv'), 'utf8')).toBe('second');
});

test('an export that changed after its check is not processed', async () => {
  drop('ballots.csv', 'first');
  const file = await findOnly();
  drop('ballots.csv', 'first and more');
  expect(await folder.copy(file)).toBeNull();
  expect(await listed()).toEqual(['ballots.csv']);
});

test('two files with one name processed at the same moment are both kept, each with its reports, however long the name', async () => {
  const name = `${'Wähler'.repeat(34)}.csv`;
  const rejects = join(home, 'rejects');
  writeFileSync(rejects, 'line,reason\n');
  const paths: string[] = [];
  for (const content of ['first', 'second']) {
    drop(name, content);
    const { file } = await copyOnly();
    const describe = (copy: string | null) => ({ text: `${content} ${copy}`, json: { content } });
    paths.push(await folder.file(file, 'done', now, describe, rejects));
  }
  expect(paths.map((one) => readFileSync(one, 'utf8'))).toEqual(['first', 'second']);
  for (const one of paths) {
    expect(readFileSync(`${one}.rejects.csv`, 'utf8')).toBe('line,reason\n');
    expect(readFileSync(`${one}.report.txt`, 'utf8')).toContain(`${one}.rejects.csv`);
    expect(JSON.parse(readFileSync(`${one}.report.json`, 'utf8'))).toHaveProperty('content');
  }
  expect(readdirSync(join(path, 'done'))).toHaveLength(8);
  expect(readFileSync(rejects, 'utf8')).toBe('line,reason\n');
});

test.each([
  ...['.ballots.csv', '~ballots.csv', 'ballots.csv~', 'ballots.csv.part', 'ballots.csv.PARTIAL'],
  ...['ballots.csv.filepart', 'ballots.tmp', 'ballots.csv.crdownload', 'ballots.csv.lock'],
])('%s is not a finished export', async (name) => {
  drop(name, 'x');
  drop('ballots.csv', 'x');
  expect(await listed()).toEqual(['ballots.csv']);
});

describe('a person who may write to the folder cannot make the watch', () => {
  const makePipe = (at: string) => expect(spawnSync('mkfifo', [at]).status).toBe(0);
  const substitutes = [
    ['a link', (at: string) => symlinkSync(secret, at)],
    ['a second name of a file', (at: string) => linkSync(secret, at)],
    ['a pipe that never ends', makePipe],
  ] as const;

  test.each(substitutes)('read %s', async (_what, put) => {
    put(join(path, 'ballots.csv'));
    expect(await listed()).toEqual([]);
    expect([...(await folder.list()).oddities.keys()]).toEqual(['ballots.csv']);
  });

  test.each(substitutes)(
    'read %s that takes the place of a file after its check',
    async (_what, put) => {
      drop('ballots.csv', 'theirs');
      const file = await findOnly();
      rmSync(join(path, 'ballots.csv'));
      put(join(path, 'ballots.csv'));
      expect(await folder.copy(file)).toBeNull();
      expect(readdirSync(join(home, 'state'), { recursive: true }).join()).not.toContain('ballots');
    },
  );

  test('move or delete another’s file in place of the one it processed', async () => {
    drop('ballots.csv', 'ours');
    const { file } = await copyOnly();
    renameSync(join(path, 'ballots.csv'), join(home, 'hidden'));
    symlinkSync(secret, join(path, 'ballots.csv'));
    const done = await folder.file(file, 'done', now, describeNothing, null);
    expect(lstatSync(done).isFile()).toBe(true);
    expect(readFileSync(done, 'utf8')).toBe('ours');
    expect(readFileSync(secret, 'utf8')).toBe('theirs');
  });

  test.each(['done', 'failed'] as const)('write through a link in place of %s', async (where) => {
    const elsewhere = join(home, 'elsewhere');
    mkdirSync(elsewhere);
    drop('ballots.csv', 'ours');
    const { file } = await copyOnly();
    rmSync(join(path, where), { recursive: true });
    symlinkSync(elsewhere, join(path, where));
    await expect(folder.file(file, where, now, describeNothing, null)).rejects.toThrow(NotAFolder);
    await expect(new DropFolder(path, join(home, 'state')).prepare()).rejects.toThrow(NotAFolder);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readFileSync(join(path, 'ballots.csv'), 'utf8')).toBe('ours');
  });

  test('write to a folder that takes the place of done/ while it writes', async () => {
    const elsewhere = join(home, 'elsewhere');
    mkdirSync(elsewhere);
    const moved = join(home, 'moved');
    drop('ballots.csv', 'ours');
    const { file } = await copyOnly();
    const exchange = () => {
      renameSync(join(path, 'done'), moved);
      symlinkSync(elsewhere, join(path, 'done'));
      return describeNothing();
    };
    await folder.file(file, 'done', now, exchange, null);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(moved)).toHaveLength(3);
  });

  test('write over the file that a report’s name was made to lead to', async () => {
    drop('ballots.csv', 'ours');
    const { file } = await copyOnly();
    const stamped = join(path, 'done', '20261121T145237-123Z-ballots.csv');
    for (const end of ['', '.report.txt']) symlinkSync(secret, `${stamped}${end}`);
    await folder.file(file, 'done', now, () => ({ text: 'mine', json: {} }), null);
    expect(readFileSync(secret, 'utf8')).toBe('theirs');
    const ours = join(path, 'done', '2-20261121T145237-123Z-ballots.csv');
    expect(readFileSync(`${ours}.report.txt`, 'utf8')).toBe('mine\n');
  });

  test('take files from the folder that a link importing/ leads to, nor believe what it says', async () => {
    const theirs = join(home, 'theirs');
    mkdirSync(theirs);
    writeFileSync(join(theirs, 'roll.csv'), 'theirs');
    writeFileSync(join(theirs, '.account'), 'lake\n');
    symlinkSync(theirs, join(path, 'importing'));
    await folder.claimFor('adams');
    await folder.adoptFormer();
    expect(await listed()).toEqual([]);
    expect(readdirSync(theirs).sort()).toEqual(['.account', 'roll.csv']);
  });

  test('repeat the content of a file that it is led to as the owner’s name', async () => {
    writeFileSync(secret, 'password\n');
    mkdirSync(join(path, 'importing'));
    symlinkSync(secret, join(path, 'importing', '.account'));
    await folder.claimFor('adams');
    expect(readFileSync(secret, 'utf8')).toBe('password\n');
  });
});

test('a folder of an earlier version keeps its owner and its unfinished files', async () => {
  mkdirSync(join(path, 'importing'));
  writeFileSync(join(path, 'importing', '.account'), 'adams\n');
  writeFileSync(join(path, 'importing', 'roll.csv'), 'was being read');
  drop('roll.csv', 'came later');
  await expect(folder.claimFor('lake')).rejects.toMatchObject({ owner: 'adams' });
  await expect(folder.claimFor('lake')).rejects.toMatchObject({ owner: 'adams' });
  await folder.claimFor('adams');
  await folder.adoptFormer();
  const contents = (await listed()).map((name) => readFileSync(join(path, name), 'utf8'));
  expect(contents).toEqual(['was being read', 'came later']);
  expect(existsSync(join(path, 'importing'))).toBe(false);
});
