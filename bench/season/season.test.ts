import { expect, test } from 'vitest';
import { type AccidentKind, accidentKinds } from './accidents.ts';
import { findFaults } from './inspect.ts';
import type { Layout } from './layout.ts';
import { runSeason } from './season.ts';
import { beaconBallots, beaconVoters } from './write-own.ts';
import { waBallots } from './write-west.ts';

/**
 * A list of all ballots, a list of returned ones and a roll, of which each has a part of the accidents. `npm run bench -- season` has
 * all of them in every format, larger counties and more seeds.
 */
const seasons: readonly {
  readonly layout: Layout;
  readonly format: string;
  readonly seed: string;
  readonly hasListeners: boolean;
  readonly kinds: readonly AccidentKind[];
}[] = [
  {
    ...{ layout: beaconBallots, format: 'beacon-ballots', seed: 'maple', hasListeners: true },
    kinds: [
      ...(['yesterday’s file', 'last year’s file', 'swapped columns', 'all rejected'] as const),
      ...(['accepted flipped', 'duplicated rows', 'wrong election', 'future dates'] as const),
      ...(['empty values', 'reordered lines'] as const),
    ],
  },
  {
    ...{ layout: waBallots, format: 'wa-ballots', seed: 'cedar', hasListeners: true },
    kinds: [
      ...(['another county', 'half the rows gone', 'accepted flipped', 'mixed elections'] as const),
      ...(['dates a year off', 'other encoding', 'double send'] as const),
    ],
  },
  {
    ...{ layout: beaconVoters, format: 'beacon-voters', seed: 'birch', hasListeners: false },
    kinds: [
      ...(['another county', 'swapped columns', 'lost zeros', 'truncated', 'test file'] as const),
      ...(['all rejected', 'dates a year off', 'shifted status column', 'double send'] as const),
    ],
  },
];
const voters = 300;
/** The files before it are those of quiet weeks. */
const joinsAt = 20;

test('every kind of accident happens to one of the seasons', () => {
  expect(new Set(seasons.flatMap(({ kinds }) => kinds))).toEqual(new Set(accidentKinds));
});

test.for(seasons)(
  'in a season of daily files ($format), ordinary files are loaded and accidents reach no voter',
  { timeout: 300_000 },
  async ({ layout, seed, hasListeners, kinds }) => {
    let waiting = 0;
    const season = await runSeason({
      ...{ layout, seed, voters, hasListeners, kinds, joinsAt },
      async inspect(file) {
        waiting += 1;
        expect(await findFaults(file)).toEqual([]);
      },
    });
    const mostWaiting = Math.floor(season.days / 30);
    expect(season.oddDays.slice(mostWaiting)).toEqual([]);
    const reached = season.accidents.filter(({ outcome }) =>
      ['late', 'seen', 'heard'].includes(outcome),
    );
    expect(reached).toEqual([]);
    expect(season.accidents.filter(({ traces }) => traces.length > 0)).toEqual([]);
    expect(season.accidents.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
    expect(waiting).toBeGreaterThan(2);
    if (hasListeners) expect(season.messages).toBeGreaterThan(voters / 20);
  },
);
