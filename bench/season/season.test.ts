import { expect, test } from 'vitest';
import { type AccidentKind, accidentKinds } from './accidents.ts';
import type { Layout } from './layout.ts';
import type { Picture } from './office.ts';
import { runSeason } from './season.ts';
import type { WaitingFile } from './trial.ts';
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
        expectClerkIsInformed(file);
        // A roll has no messages, and keeps the voters that a corrected file added, as inactive ones.
        if (layout.of === 'ballots') await expectCorrection(file);
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

/** What is odd with five of the rows, what voters see now, and the two ways on. */
function expectClerkIsInformed({ imported }: WaitingFile): void {
  const { code, state, text, importId } = imported;
  expect({ code, state }).toEqual({ code: 3, state: 'file-held' });
  expect(imported.reasons.length).toBeGreaterThan(0);
  for (const { detail, rows, examples } of imported.gate) {
    expect(text).toContain(`- ${detail}`);
    if (examples.length > 0) expect(examples.length).toBe(Math.min(5, rows));
  }
  expect(text).toContain('Nothing in it was loaded: voters see what they saw before');
  expect(text).toMatch(/now\s+if approved/);
  expect(text).toContain(
    `If it is right, a second person must approve it: beacon release ${importId} --by`,
  );
  expect(text).toContain('If it is wrong, leave it, and nothing changes.');
}

/**
 * A second person approves a wrong file all the same, and then notices: the voters who were messaged get a correction, and
 * nobody else. The pages are as before the file, and after the right one as if the wrong one had never come.
 */
async function expectCorrection({ kind, imported, office, right, after }: WaitingFile) {
  const { beacon } = office;
  const before = await office.see();
  const number = String(imported.importId);
  const own = await beacon.run('release', number, '--by', 'tester');
  expect(own).toMatchObject({ code: 1, stderr: expect.stringContaining('A second person') });
  await beacon.do('release', number, '--by', 'Bea Deputy');
  const heard = await office.sendMessages();
  await beacon.do('correct', number, '--by', 'Bea Deputy');
  const corrections = await office.sendMessages();
  const votersOf = (messages: readonly string[]) =>
    messages.map((message) => message.split('|')[0]).sort();
  expect({ kind, voters: votersOf(corrections) }).toEqual({ kind, voters: votersOf(heard) });
  for (const message of corrections) expect(message).toMatch(/\|correction$/);
  expect({ kind, lines: listDifferences(await office.see(), before) }).toEqual({ kind, lines: [] });
  const { state, reasons } = await office.import(right);
  const lines = listDifferences(await office.see(), after);
  expect({ kind, state, reasons, lines }).toEqual({ kind, state: 'done', reasons: [], lines: [] });
}

function listDifferences(seen: Picture, expected: Picture): string[] {
  const keys = [...new Set([...seen.keys(), ...expected.keys()])];
  return keys
    .filter((key) => seen.get(key) !== expected.get(key))
    .map(
      (key) =>
        `${key}: ${seen.get(key) ?? 'not shown'} and not ${expected.get(key) ?? 'not shown'}`,
    );
}
