import { expect, test } from 'vitest';
import type { Outcome } from '../api/client.ts';
import { callWithCaptcha } from './call-with-captcha.ts';
import { noCaptcha } from './captcha.ts';

/** Tries to get in where the server asks each time for work of the next of these levels. */
async function tryWith(...levels: number[]) {
  const seen: string[] = [];
  const captcha = {
    ...noCaptcha,
    answer: async () => `answer ${seen.length}`,
    demand: (level: number) => void seen.push(`work ${level}`),
  };
  const outcome = await callWithCaptcha(
    captcha,
    async (answer): Promise<Outcome<string>> => {
      const level = levels.shift();
      if (level === undefined) return { kind: 'answered', answer: String(answer) };
      const problem = { title: 'T', status: 401, detail: 'More Work Required', work_level: level };
      return { kind: 'refused', problem, retryAfter: null };
    },
    () => seen.push('noticed'),
  );
  return { outcome, seen };
}

test('more work is done when it is asked for, as the visitor can see, and three tries are made at most', async () => {
  expect(await tryWith()).toMatchObject({ outcome: { answer: 'answer 0' }, seen: [] });
  expect(await tryWith(1, 2)).toMatchObject({
    ...{ outcome: { kind: 'answered' }, seen: ['noticed', 'work 1', 'noticed', 'work 2'] },
  });
  expect(await tryWith(1, 2, 3)).toMatchObject({
    ...{ outcome: { kind: 'refused' }, seen: ['noticed', 'work 1', 'noticed', 'work 2'] },
  });
});
