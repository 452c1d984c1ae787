import { parseArgs } from 'node:util';
import setUp from '../testing/database-server.ts';
import { accidentKinds, weakAccidentKinds } from './season/accidents.ts';
import { columnAccidentKinds } from './season/column-accidents.ts';
import { findFaults } from './season/inspect.ts';
import { layouts, scanLayouts } from './season/layouts.ts';
import { runSeason, type SeasonResult } from './season/season.ts';
import type { AccidentResult, WaitingFile } from './season/trial.ts';

/**
 * What the gate does over a season: an office's 45 daily files in each format, of which no more than 1 in 30 may wait, and
 * 20 accidents, of which voters may not see or hear. It measures outcomes, not time.
 *
 * `--large` adds a county of 600,000 voters; `--format NAME`, `--voters N`, `--seeds N` and `--seed TEXT` choose less.
 * `--ordinary` leaves the accidents out, `--weak` adds smaller ones, `--columns` has those of a single column of a spreadsheet instead,
 * `--accidents-at N` has them all at the file of this place (-1 is the last), `--joins-at N` lets the office begin in the middle of the season, `--files N` ends it after so many files, and with `--at-once N` so many come on
 * the day of the last, as of an office that catches up. `--reasons` lists why ordinary files waited and
 * what voters saw of accidents. `--inspect` has every waiting file approved and corrected on another copy of the office, and lists what a
 * clerk was not shown and which pages and messages were not put right.
 */
const { values: options } = parseArgs({
  options: {
    format: { type: 'string', multiple: true },
    voters: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    seed: { type: 'string', default: 'season' },
    listeners: { type: 'string' },
    large: { type: 'boolean', default: false },
    reasons: { type: 'boolean', default: false },
    inspect: { type: 'boolean', default: false },
    ordinary: { type: 'boolean', default: false },
    weak: { type: 'boolean', default: false },
    columns: { type: 'boolean', default: false },
    'accidents-at': { type: 'string' },
    'joins-at': { type: 'string', default: '0' },
    files: { type: 'string' },
    'at-once': { type: 'string', default: '1' },
  },
});
const say = (text: string): boolean => process.stdout.write(`${text}\n`);
const sizes = options.voters ? [Number(options.voters)] : [300, 6_000];
if (options.large) sizes.push(600_000);
const chosen = [...layouts, ...scanLayouts].filter(
  ({ format }) => options.format?.includes(format) ?? true,
);
const seeds = Array.from({ length: Number(options.seeds) }, (_, n) => `${options.seed}-${n + 1}`);
const listening = options.listeners ? [options.listeners === 'yes'] : [true, false];
const allKinds = options.columns
  ? columnAccidentKinds
  : [...accidentKinds, ...(options.weak ? weakAccidentKinds : [])];
const kinds = options.ordinary ? [] : allKinds;
const places = {
  joinsAt: Number(options['joins-at']),
  atOnce: Number(options['at-once']),
  ...(options.files && { mostFiles: Number(options.files) }),
  ...(options['accidents-at'] && { accidentAt: Number(options['accidents-at']) }),
};
const mostOddShare = 1 / 30;

const stop = await setUp();
const results: SeasonResult[] = [];
/** Of waiting files. */
const faults: string[] = [];
let inspected = 0;
// A large county takes an hour. Who ends it early gets the tables of what is done.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    printResults();
    void stop().finally(() => process.exit(1));
  });
try {
  say('format               voters  listeners  seed       days waiting   accidents seen or heard');
  for (const layout of chosen)
    for (const voters of sizes)
      for (const hasListeners of listening)
        for (const seed of seeds) {
          const season = { layout, seed, voters, hasListeners, kinds, ...places };
          const inspect = async (file: WaitingFile) => {
            inspected += 1;
            faults.push(...(await findFaults(file)).map((fault) => `${layout.format}, ${fault}`));
          };
          const result = await runSeason({ ...season, ...(options.inspect && { inspect }) });
          results.push(result);
          say(describe(result));
          if (options.reasons) explain(result);
        }
  printResults();
} finally {
  await stop();
}

function printResults(): void {
  say('');
  printAccidents();
  for (const fault of faults.slice(0, 40)) say(`  ${fault.slice(0, 400)}`);
  const waiting = results.reduce((sum, { oddDays }) => sum + oddDays.length, 0);
  const days = results.reduce((sum, one) => sum + one.days, 0);
  const accidents = results.flatMap((one) => one.accidents);
  say(
    JSON.stringify({
      name: 'season',
      seeds,
      seasons: results.length,
      days,
      waiting,
      seasonsOverLimit: results.filter(({ oddDays, days }) => oddDays.length > days * mostOddShare)
        .length,
      accidents: accidents.length,
      late: accidents.filter(({ outcome }) => outcome === 'late').length,
      missed: accidents.filter(isMissed).length,
      ...(options.inspect && { inspected, faults: faults.length }),
    }),
  );
}

function isMissed({ outcome }: AccidentResult): boolean {
  return outcome === 'seen' || outcome === 'heard';
}

function describe({ format, voters, hasListeners, seed, oddDays, days, accidents }: SeasonResult) {
  const missed = accidents.filter(isMissed);
  return [
    format.padEnd(20),
    String(voters).padStart(6),
    (hasListeners ? 'yes' : 'no').padStart(10),
    ` ${seed.padEnd(10)}`,
    `${oddDays.length} of ${days}`.padStart(12),
    `  ${missed.length} of ${accidents.length} ${missed.map(({ kind }) => kind).join(', ')}`,
  ].join(' ');
}

function explain({ oddDays, accidents }: SeasonResult): void {
  for (const { day, state, reasons } of oddDays)
    say(`    ${day} ${state}: ${reasons.join(' / ').slice(0, 400)}`);
  for (const one of accidents.filter((one) => isMissed(one) || one.traces.length > 0)) {
    const { kind, day, outcome, state, reasons, falseLines, messages, traces } = one;
    say(`    ${kind} on ${day}: ${outcome}, ${state} ${reasons.join(' / ').slice(0, 400)}`);
    if (traces.length > 0)
      say(
        `      the next right file left ${traces.length} traces, such as ${traces[0]?.slice(0, 400)}`,
      );
    say(`      ${falseLines.length} false lines, such as ${falseLines.slice(0, 2).join('; ')}`);
    say(`      ${messages.length} false messages, such as ${messages.slice(0, 2).join('; ')}`);
  }
}

/** Of each accident and format: the outcomes that occurred. */
function printAccidents(): void {
  const formats = chosen.map(({ format }) => format);
  say(
    `${'accident'.padEnd(24)}${formats.map((format) => format.slice(0, 12).padEnd(13)).join('')}`,
  );
  for (const kind of allKinds) {
    const cells = formats.map((format) => {
      const found = results
        .filter((result) => result.format === format)
        .flatMap(({ accidents }) => accidents.filter((one) => one.kind === kind));
      const outcomes = [...new Set(found.map(({ outcome }) => outcome))].sort();
      return (outcomes.join(',') || '-').padEnd(13);
    });
    say(`${kind.padEnd(24)}${cells.join('')}`);
  }
}
