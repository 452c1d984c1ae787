import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readCodeBlocks } from '../testing/pages.ts';
import { readSurface } from './surface.ts';

const docs = path.resolve(import.meta.dirname, '../docs');
const pages = ['operations.md', ...globSync('operations/*.md', { cwd: docs })];

/** As GitHub makes them of headings. */
function readAnchors(file: string): Set<string> {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('every link of the pages about operations leads to a page, and to a heading that it has', () => {
  const broken = pages.flatMap((page) => {
    const from = path.join(docs, page);
    const links = readFileSync(from, 'utf8').matchAll(/\]\(([^)\s]+)\)/g);
    return [...links].flatMap(([, link = '']) => {
      if (/^https?:/.test(link)) return [];
      const [file = '', anchor] = link.split('#');
      const to = file === '' ? from : path.resolve(path.dirname(from), file);
      const isThere = existsSync(to) && (anchor === undefined || readAnchors(to).has(anchor));
      return isThere ? [] : [`${page}: ${link}`];
    });
  });
  expect(broken).toEqual([]);
});

test('the shell can read every block of commands', () => {
  const blocks = pages.flatMap((page) => readCodeBlocks(page).filter((it) => it.language === 'sh'));
  expect(blocks.length).toBeGreaterThan(15);
  const unreadable = blocks.filter(
    ({ text }) => spawnSync('sh', ['-n'], { input: text }).status !== 0,
  );
  expect(unreadable).toEqual([]);
});

test('a value in a file of settings is to a shell, which reads it for the commands, what it is to systemd', () => {
  const files = pages
    .flatMap(readCodeBlocks)
    .filter(({ language, text }) => language === 'ini' && /^[A-Z_]+_(?:URL|SECRETS)=/m.test(text));
  expect(files.length).toBeGreaterThan(7);
  for (const { text } of files) {
    const lines = text
      .replaceAll(/[A-Z]+_PASSWORD(?=@)|RANDOM_[A-Z_]+/g, 'a$HOME`id`')
      .split('\n')
      .flatMap((line) => [/^([A-Z_]+)=(['"]?)(.*)\2$/.exec(line) ?? []])
      .filter(([line]) => line !== undefined);
    const read = spawnSync(
      'sh',
      ['-c', 'set -a; eval "$1"; env', 'sh', lines.map(([line]) => line).join('\n')],
      { encoding: 'utf8' },
    );
    for (const [, name, , value] of lines) expect(read.stdout).toContain(`${name}=${value}\n`);
  }
});

/** What runs the commands of each part of a page, as they stand there. A part that is not here has none, or no test. */
const followed: Readonly<Record<string, string>> = {
  'backup.md, A dump each night': 'deploy/backup/backup.test.ts',
  'backup.md, Point in time': 'deploy/backup/point-in-time.test.ts',
  'backup.md, Restore': 'deploy/backup/backup.test.ts',
  'backup.md, The drill': 'deploy/backup/backup.test.ts',
  'cells.md, Delete what stays behind': 'server/src/modules/moves/delete-here.test.ts',
  'cells.md, Move an office': 'server/src/modules/moves/moves.test.ts',
  'cells.md, The table': 'deploy/nginx/cells.test.ts',
  'database.md, Database logins': 'deploy/database/logins.test.ts',
  'deployment.md, *': 'testing/deployment.ts',
  'failover.md, *': 'chaos/failover/machines.ts',
  'retention.md, Past elections': 'server/src/modules/past-elections/past-elections.test.ts',
  'sftp.md, *': 'testing/sftp-machine.ts',
  'upgrade.md, Rollback': 'deploy/release/release.test.ts',
  'upgrade.md, Upgrade': 'deploy/release/release.test.ts',
};

test('every block of commands of these pages is run by a test that reads it there', () => {
  const root = path.resolve(docs, '..');
  const untested = globSync('operations/*.md', { cwd: docs }).flatMap((page) => {
    const name = path.basename(page);
    return readCodeBlocks(page)
      .filter(({ language }) => language === 'sh' || language === 'sql')
      .map(({ heading }) => `${name}, ${heading}`)
      .filter((part) => {
        const whole = followed[`${name}, *`];
        const file = whole ?? followed[part];
        if (file === undefined) return true;
        const text = readFileSync(path.join(root, file), 'utf8');
        const [, heading = ''] = part.split(', ');
        return !text.includes(page) || (whole === undefined && !text.includes(`'${heading}'`));
      });
  });
  expect(untested).toEqual([]);
});

test('every command of the product that the pages name is there, with its options', async () => {
  const known = new Set(Object.keys(await readSurface()));
  const named = pages.flatMap((page) => {
    const text = readFileSync(path.join(docs, page), 'utf8');
    // In running text between backticks, and in blocks at the start of a line.
    const commands = text.matchAll(/(?:`|^ *(?:server\/)?)(beacon [a-z][^`\n]*)/gm);
    return [...commands].map(([, command = '']) => ({ page, words: command.split(' ') }));
  });
  expect(named.length).toBeGreaterThan(60);
  const wrong = named.filter(({ words }) => {
    const [short, long] = [words.slice(0, 2).join(' '), words.slice(0, 3).join(' ')];
    const command = known.has(long) && !words[2]?.startsWith('--') ? long : short;
    const options = words.filter((word) => word.startsWith('--'));
    return !known.has(command) || options.some((option) => !known.has(`${command} ${option}`));
  });
  expect(wrong.map(({ page, words }) => `${page}: ${words.join(' ')}`)).toEqual([]);
});
