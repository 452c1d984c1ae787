import { expect, test } from 'vitest';
import { runChaos } from './chaos.ts';

/** A bounded share of `npm run chaos`, which kills two hundred times. */
test('whatever is killed at any moment, every message arrives, reminders until the fix is on record, texts once, and mail twice only when a kill fell into its window', async () => {
  const report = await runChaos({ kills: 5, seed: 20261103, isHurried: true });
  expect(report.messages).toBeGreaterThan(20);
  expect(report).toMatchObject({
    missing: 0,
    textsTwice: 0,
    mailsTwiceUnexplained: 0,
    receiptsMissing: 0,
    post: { scansMissing: 0, scansMiscounted: 0, statusesStale: 0 },
    reminders: { remindersMissing: 0, remindersTwice: 0, remindersAfterFix: 0 },
  });
  expect(report.post.scans).toBeGreaterThan(0);
  expect(report.reminders.open).toBeGreaterThan(0);
  expect(report.reminders.fixed).toBeGreaterThan(0);
}, 180_000);
