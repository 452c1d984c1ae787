import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logAreas } from '@ballot-beacon/contract/office/log';
import { expect, test } from 'vitest';
import { log } from '../office/src/words/log.ts';

const root = join(import.meta.dirname, '..');
const action = /action:\s*(?:[^,'\n]*\?\s*)?'([a-z-]+\.[a-z-]+)'(?:\s*:\s*'([a-z-]+\.[a-z-]+)')?/g;

/** What the server writes to the audit, as it stands in its source. */
function listActions(): string[] {
  const files = globSync('server/src/**/*.ts', { cwd: root }).filter(
    (one) => !one.includes('.test.'),
  );
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(action)].flatMap(([, one, other]) => [
      ...(one ? [one] : []),
      ...(other ? [other] : []),
    ]),
  );
  return [...new Set(found)].sort();
}

test('each action of the audit has words in the console’s log, and belongs to one of its matters', () => {
  const actions = listActions();
  expect(actions.length).toBeGreaterThan(50);
  expect(actions.filter((one) => !Object.hasOwn(log, `log.action.${one}`))).toEqual([]);
  const nouns: readonly string[] = Object.values(logAreas).flat();
  expect(actions.filter((one) => !nouns.includes(one.split('.')[0] ?? ''))).toEqual([]);
});
