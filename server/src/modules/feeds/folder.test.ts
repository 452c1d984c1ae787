import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DropFolder } from './folder.ts';

let path: string;
let folder: DropFolder;
beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'beacon-folder-'));
  folder = new DropFolder(path);
  await folder.prepare();
});
afterEach(() => rmSync(path, { recursive: true }));

const drop = (name: string, content: string) => writeFileSync(join(path, name), content);
const listed = async () => (await folder.list()).map(({ name }) => name);

test('an export never replaces an earlier file with its name that is still being processed', async () => {
  drop('ballots.csv', 'first');
  const [first] = await folder.list();
  expect(first && (await folder.claim(first))).toBe(true);
  drop('ballots.csv', 'second');
  const [second] = await folder.list();
  expect(second && (await folder.claim(second))).toBe(false);
  await folder.putBack('ballots.csv');
  expect(readFileSync(join(path, 'importing', 'ballots.csv'), 'utf8')).toBe('first');
  expect(readFileSync(join(path, 'ballots.csv'), 'utf8')).toBe('second');
});

test('an export that changed after its check is not processed', async () => {
  drop('ballots.csv', 'first');
  const [file] = await folder.list();
  drop('ballots.csv', 'first and more');
  expect(file && (await folder.claim(file))).toBe(false);
  expect(await listed()).toEqual(['ballots.csv']);
});

test('two files with one name processed at the same moment are both kept, each with its reports, however long the name', async () => {
  const name = `${'Wähler'.repeat(34)}.csv`;
  const now = new Date('2026-11-21T14:52:37.123Z');
  const rejects = join(path, '.rejects');
  writeFileSync(rejects, 'line,reason\n');
  const paths: string[] = [];
  for (const content of ['first', 'second']) {
    drop(name, content);
    const [file] = await folder.list();
    if (!file || !(await folder.claim(file))) throw new Error('The file is not there.');
    const describe = (copy: string | null) => ({ text: `${content} ${copy}`, json: { content } });
    paths.push(await folder.file(name, 'done', now, describe, rejects));
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
