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
