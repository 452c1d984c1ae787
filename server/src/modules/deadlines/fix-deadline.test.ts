import { expect, test } from 'vitest';
import { noClosures } from './calendar.ts';
import { findFixDeadline } from './fix-deadline.ts';
import { defects, type ElectionKind, electionKinds } from './rule.ts';
import { listStates } from './states.ts';

test('each of two offices of one state goes by its own closed days', async () => {
  const election = { electionDate: '2026-11-03', kind: 'general' } as const;
  const find = async (...days: string[]) => {
    const { at } = await findFixDeadline({
      ...{ state: 'NV', timeZone: 'America/Los_Angeles', defect: 'signature-differs' },
      ...{ election: { ...election, certifiedOn: null, canvassedOn: null } },
      ...{ discoveredOn: '2026-11-04', receivedOn: '2026-11-03', officeDeadline: null },
      closures: { weekdays: [], days },
    });
    return at?.slice(0, 10) ?? '';
  };
  const day = await find();
  expect(day).not.toBe('');
  expect((await find(day)) > day).toBe(true);
});

// In the first of these years the rule of a state is known for some kinds of elections alone.
test.each([2020, 2026])(
  'a deadline of the office’s own is by its own clock, and says no more of the law of %i than is sure',
  async (year) => {
    const election = {
      ...{ electionDate: `${year}-11-03`, certifiedOn: `${year}-11-24` },
      canvassedOn: `${year}-11-20`,
    };
    const unsure = new Set<string>();
    for (const state of listStates())
      for (const defect of defects) {
        const find = (
          officeDeadline: { endsOn: string; endsAt: string } | null,
          kind: ElectionKind | null = null,
        ) =>
          findFixDeadline({
            ...{ state, timeZone: 'Pacific/Guam', closures: noClosures, defect },
            ...{ election: { ...election, kind } },
            ...{ discoveredOn: `${year}-10-30`, receivedOn: `${year}-10-29`, officeDeadline },
          });
        const law = await find(null);
        if (law.missing.includes('kind')) unsure.add(state);
        // Of an election whose kind nobody gave, only what is so for every kind.
        const ofKinds = await Promise.all(electionKinds.map((kind) => find(null, kind)));
        const moments = new Set(ofKinds.map(({ at }) => at));
        const [first] = moments;
        expect(law.at).toBe(moments.size === 1 ? first : null);
        expect(await find({ endsOn: '2026-11-10', endsAt: '17:00' })).toEqual({
          ...{ at: '2026-11-10T17:00:00+10:00', timeZone: 'Pacific/Guam', missing: [] },
          rule: law.rule,
        });
      }
    expect(unsure.size).toBeGreaterThan(0);
  },
);
