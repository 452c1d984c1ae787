import { expect, test } from 'vitest';
import { timeFor } from '../../testing/runs.ts';
import { runFailover } from './failover.ts';

/** A bounded share of `npm run chaos -- failover`, which kills twenty times. */
test(
  'when the primary dies the other server takes over within 30 seconds, nothing that was answered is lost, and no message goes twice but in the documented window',
  async () => {
    const report = await runFailover({ kills: 2, seed: 20261103, isHurried: true });
    expect(report.failovers).toHaveLength(2);
    for (const { backAfterMs } of report.failovers) expect(backAfterMs).toBeLessThan(30_000);
    expect(report.visitors.saves).toBeGreaterThan(20);
    expect(report.visitors).toMatchObject({ signInsLost: 0, savesLost: 0 });
    expect(report.messages).toBeGreaterThan(20);
    expect(report).toMatchObject({
      missing: 0,
      textsTwice: 0,
      mailsTwiceUnexplained: 0,
      receiptsMissing: 0,
      post: { scansMissing: 0, scansMiscounted: 0, statusesStale: 0 },
      reminders: { remindersMissing: 0, remindersTwice: 0, remindersAfterFix: 0 },
    });
  },
  timeFor(90_000),
);
