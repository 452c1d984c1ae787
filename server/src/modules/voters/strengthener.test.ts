import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import process from 'node:process';
import { expect, test } from 'vitest';
import { testTokenKeys } from '../../../../testing/token-keys.ts';
import { startStrengthener } from './strengthener.ts';

const stored = testTokenKeys.store({ account_id: 1, registration_id: '1' }, 'K7QM-3XPD').hash;

/** Of this process, as Linux lists them. */
const children = () =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);

const noGroup = 'no group';
/** Linux has no such file where it forms no groups, and an empty one for a process outside of them, as in a container. */
const readGroup = (process: string) => {
  const file = `/proc/${process}/autogroup`;
  return (existsSync(file) && readFileSync(file, 'utf8').trim()) || noGroup;
};

test('tokens are hashed by a process that gives way to everybody else, one after the other', async () => {
  const before = children();
  const groupBefore = readGroup('self');
  const strengthener = startStrengthener(new AbortController().signal);
  try {
    const [own = ''] = children().filter((child) => !before.includes(child));
    expect(getPriority(Number(own))).toBeGreaterThan(getPriority());
    // Also beside processes of other sessions, where the kernel divides among these.
    expect(readGroup(own)).toMatch(groupBefore === noGroup ? /nice 10$|^no group$/ : /nice 10$/);
    expect(readGroup('self')).toBe(groupBefore);
    expect(await strengthener.strengthen(stored)).toMatch(/^keyed-scrypt\$[\w-]{8}\$16384\$8\$5\$/);
    expect(await strengthener.strengthen('no hash of an import')).toBeUndefined();
    expect(await strengthener.strengthen(stored)).toMatch(/^keyed-scrypt\$/);
  } finally {
    strengthener.close();
  }
});

test('a worker that stops does not wait for the hash, and one whose process died says so', async () => {
  const stopping = new AbortController();
  const stopped = startStrengthener(stopping.signal);
  const hash = stopped.strengthen(stored);
  stopping.abort();
  expect(await hash).toBeUndefined();

  const killed = startStrengthener(new AbortController().signal);
  killed.close();
  await expect(killed.strengthen(stored)).rejects.toThrow();
});
