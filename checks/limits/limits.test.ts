import { expect, test } from 'vitest';
import { findLimits, isImported, listUntried } from './limits.ts';

test('a limit is a number that has a name', () => {
  const source = [
    'const mostTries = 5;',
    'export const idleMs = 24 * 60_000;',
    'export const share: number = 0.25;',
    'const dayMs = 24 * hourMs;',
    'const size = 2 ** 20;',
    "const name = 'five';",
    'const list = [5];',
    'const half = total / 2;',
    '  const local = 5;',
  ].join('\n');
  expect(findLimits(source)).toEqual(['mostTries', 'idleMs', 'share', 'dayMs', 'size']);
});

test('a limit that a test takes by its name is tried, and not one of another file', () => {
  const test = "import { a, mostTries } from './rules.ts';\nimport { other } from './store.ts';";
  expect(isImported('mostTries', 'server/src/modules/x/rules.ts', test)).toBe(true);
  expect(isImported('mostTries', 'server/src/modules/x/store.ts', test)).toBe(false);
  expect(isImported('most', 'server/src/modules/x/rules.ts', test)).toBe(false);
});

test('limits of mutated files are tried, and the list names the others with their files', () => {
  const untried = listUntried('.');
  expect(untried.filter((one) => one.includes('/deadlines/rules.ts'))).toEqual([]);
  expect(untried).toContain('server/src/modules/notifications/delivery/work.ts jobMs');
});
