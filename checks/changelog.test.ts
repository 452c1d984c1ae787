import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type Change,
  digestTexts,
  findChanges,
  findUnmentioned,
  type Surface,
} from './changelog.ts';
import { readSurface } from './surface.ts';

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

test('the changelog mentions every change that users can see since the last release', async () => {
  const released = JSON.parse(read('checks/released-surface.json')) as Surface;
  const unmentioned = findUnmentioned(
    read('CHANGELOG.md'),
    findChanges(released, await readSurface()),
  );
  expect(
    unmentioned.map(({ name, kind }) => `${kind}: \`${name}\``),
    'CHANGELOG.md, Unreleased: say what changes for users, and name these in backticks',
  ).toEqual([]);
});

test('the surface has calls, commands with their options, settings, texts and pages', async () => {
  expect(Object.keys(await readSurface())).toEqual(
    expect.arrayContaining([
      'POST /api/voter/session',
      'beacon import',
      'beacon import --dry-run',
      'beacon account apply',
      'PORT',
      'texts:login',
      'messages:sms',
      'pages/faq.html',
    ]),
  );
});

const released: Surface = { 'beacon watch': '', PORT: '', 'texts:login': 'a', 'texts:idle': 'b' };
const current: Surface = { 'beacon watch': '', HOST: '', 'texts:login': 'c', 'texts:idle': 'b' };
const changes: Change[] = [
  { name: 'HOST', kind: 'added' },
  { name: 'PORT', kind: 'removed' },
  { name: 'texts:login', kind: 'changed' },
];

test('added, removed and changed things are found, and no other', () => {
  expect(findChanges(released, current)).toEqual(changes);
});

test('a change that the changelog does not name, or names only under an older release, is refused', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- New: `HOST`\n\n## 1.0.0\n\n- Old: `PORT`\n';
  expect(findUnmentioned(changelog, changes)).toEqual(changes.slice(1));
});

test('changes that the changelog names in backticks pass', () => {
  const changelog =
    '## Unreleased\n\n- `HOST` instead of `PORT`\n- Shorter hints (`texts:login`)\n';
  expect(findUnmentioned(changelog, changes)).toEqual([]);
});

test('a changelog without a heading for what comes next is refused', () => {
  expect(() => findUnmentioned('# Changelog\n\n## 1.0.0\n', [])).toThrow('## Unreleased');
});

test('one changed text changes the digest of its group alone', () => {
  const before = digestTexts(
    { 'login.zip': 'ZIP', 'login.name': 'Name', 'idle.stay': 'Stay' },
    'texts',
  );
  const after = digestTexts(
    { 'login.zip': 'ZIP code', 'login.name': 'Name', 'idle.stay': 'Stay' },
    'texts',
  );
  expect(findChanges(before, after)).toEqual([{ name: 'texts:login', kind: 'changed' }]);
});
