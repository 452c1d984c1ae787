import { expect, test } from 'vitest';
import { noClosures } from './calendar.ts';
import { findFixDeadline } from './fix-deadline.ts';
import { defects } from './rule.ts';
import { listStates } from './states.ts';

test('a deadline of the office’s own is by its own clock, and says no more of the law than is sure', async () => {
  const election = {
    ...{ electionDate: '2026-11-03', kind: null, certifiedOn: '2026-11-24' },
    canvassedOn: '2026-11-20',
  };
  const unsure = new Set<string>();
  for (const state of listStates())
    for (const defect of defects) {
      const find = (officeDeadline: { endsOn: string; endsAt: string } | null) =>
        findFixDeadline({
          ...{ state, timeZone: 'Pacific/Guam', closures: noClosures, defect, election },
          ...{ discoveredOn: '2026-10-30', receivedOn: '2026-10-29', officeDeadline },
        });
      const law = await find(null);
      if (law.missing.includes('kind')) unsure.add(state);
      expect(await find({ endsOn: '2026-11-10', endsAt: '17:00' })).toEqual({
        ...{ at: '2026-11-10T17:00:00+10:00', timeZone: 'Pacific/Guam', missing: [] },
        rule: law.rule,
      });
    }
  expect(unsure.size).toBeGreaterThan(0);
});
