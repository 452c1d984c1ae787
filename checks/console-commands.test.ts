import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSurface } from './surface.ts';

const operations = path.resolve(import.meta.dirname, '../docs/operations.md');
const section = /## What the console does, and what it leaves to you\n([\s\S]*?)\n## /;
// The audit is shown by a command that has others below it.
const withOthersBelow = ['beacon audit'];

test('of every command it is said whether the console does the same, and why not', async () => {
  const words = section.exec(readFileSync(operations, 'utf8'))?.[1] ?? '';
  const named = [...words.matchAll(/`(beacon [^`]+)`/g)].map(([, name]) => name ?? '');
  const all = Object.keys(await readSurface()).filter(
    (name) => name.startsWith('beacon ') && !name.includes(' --'),
  );
  const commands = all.filter(
    (name) => withOthersBelow.includes(name) || !all.some((one) => one.startsWith(`${name} `)),
  );
  expect(named.toSorted()).toEqual(commands.toSorted());
});
