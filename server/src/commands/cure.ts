import { type Command, InvalidArgumentError } from 'commander';
import {
  type Anchor,
  type CureCase,
  type Defect,
  defects,
  type ElectionKind,
  electionKinds,
  findDeadline,
  findUnlikelyDay,
  isState,
  listClocks,
  listStates,
  noClosures,
  parseClosures,
} from '../modules/deadlines/index.ts';
import { formatDate } from '../platform/clock.ts';
import { type CommandContext, CommandError, exitCodes } from './context.ts';
import { registerOfficeDeadlines } from './cure-office.ts';
import { registerFixQueue } from './cure-queue.ts';
import { dateOption, electionDayOption, formatClock, readDate } from './dates.ts';

interface DeadlineOptions {
  state: string;
  election: string;
  defect: Defect;
  kind: ElectionKind;
  notice?: string;
  received?: string;
  discovered?: string;
  canvass?: string;
  certification?: string;
  closed?: CureCase['closures'];
  zone?: string;
  json?: true;
}

/** The option that gives each day a deadline can count from. */
const optionOf: Readonly<Record<Anchor, string>> = {
  election: '--election',
  certification: '--certification',
  canvass: '--canvass',
  notice: '--notice',
  discovery: '--discovered',
  receipt: '--received',
};

export function register(program: Command, context: CommandContext): void {
  const cure = program.command('cure').description('how long voters have to fix a ballot envelope');
  registerOfficeDeadlines(cure, context);
  registerFixQueue(cure, context);
  cure
    .command('deadline')
    .description('the last moment to fix an envelope, by the law of its state')
    .requiredOption('--state <state>', 'two letters, such as CO', parseState)
    .requiredOption('--election <date>', 'election day, such as 11/3/2026', electionDayOption)
    .requiredOption(
      '--defect <defect>',
      `${Object.keys(shortDefects).join(', ')}, or ${defects.join(', ')}`,
      parseDefect,
    )
    .option('--kind <kind>', electionKinds.join(', '), parseKind, 'general')
    .option('--notice <date>', 'the day the voter was notified', dateOption)
    .option('--received <date>', 'the day the envelope came back', dateOption)
    .option('--discovered <date>', 'the day the problem was found', dateOption)
    .option('--canvass <date>', 'the day of the canvass', dateOption)
    .option('--certification <date>', 'the day the election is certified', dateOption)
    .option(
      '--closed <list>',
      "the office's closed weekdays and days, such as fri,11/11/2026",
      parseClosed,
    )
    .option(
      '--zone <zone>',
      "the county's time zone, where the state has two, such as America/Chicago",
    )
    .option('--json', 'as one JSON document')
    .action(async (options: DeadlineOptions) => {
      const { state, defect, kind } = options;
      const days = {
        election: options.election,
        certification: options.certification,
        canvass: options.canvass,
        notice: options.notice,
        discovery: options.discovered,
        receipt: options.received,
      };
      refuseUnlikelyDay(days);
      if (options.zone) refuseOtherClock(state, options.zone);
      const found = await findDeadline({
        state,
        defect,
        kind,
        days,
        closures: options.closed ?? noClosures,
        timeZone: options.zone,
      });
      const missing = found?.deadline.known === false ? found.deadline.missing : [];
      if (options.json) {
        return context.printJson({
          deadline: found?.deadline.known ? found.deadline.at : null,
          rule: found?.rule ?? null,
          source: found?.rule.source ?? null,
          ...(missing.length > 0 && { missing }),
        });
      }
      if (!found) {
        const states = listStates().join(', ');
        context.print(
          `No rule is known for ${defect} in ${state}. Voters read "Ask your election office today". Rules are known for ${states}.`,
        );
      } else if (found.deadline.known) {
        context.print(
          `${formatClock(found.deadline.at)}, local time\nSource: ${found.rule.source}`,
        );
      } else if (missing.length > 0) {
        const given = missing.map((anchor) => `${optionOf[anchor]} DATE`).join(' ');
        context.print(`The deadline depends on another day. Add ${given}.`);
      } else {
        context.print(`${state} leaves this to each county. ${found.rule.note ?? ''}`.trim());
      }
    });
}

function parseState(value: string): string {
  if (isState(value)) return value.toUpperCase();
  throw new InvalidArgumentError('Give the two letters of a state, such as CO.');
}

/** A deadline that counts from a mistyped day is wrong by weeks, and looks right. */
function refuseUnlikelyDay(days: CureCase['days']): void {
  const anchor = findUnlikelyDay(days);
  if (!anchor) return;
  const [day, election] = [formatDate(days[anchor] ?? ''), formatDate(days.election)];
  throw new CommandError(
    `Check ${optionOf[anchor]}: ${day} does not belong to an election on ${election}.`,
    exitCodes.usage,
  );
}

/** A clock that no county of the state keeps would leave the deadline an hour off, unnoticed. */
function refuseOtherClock(state: string, zone: string): void {
  const clocks = listClocks(state);
  if (!clocks || clocks.includes(zone)) return;
  throw new CommandError(
    `Check --zone: ${state} keeps ${clocks.join(' or ')}, not ${zone}.`,
    exitCodes.usage,
  );
}

/** Short names of the defects that clerks speak of most. */
const shortDefects: Readonly<Record<string, Defect>> = {
  signature: 'signature-differs',
  witness: 'witness-or-envelope-incomplete',
  id: 'id-missing',
};

function parseDefect(value: string): Defect {
  const known = shortDefects[value] ?? defects.find((one) => one === value);
  if (known) return known;
  throw new InvalidArgumentError(`Give ${[...Object.keys(shortDefects), ...defects].join(', ')}.`);
}

function parseKind(value: string): ElectionKind {
  const known = electionKinds.find((one) => one === value);
  if (known) return known;
  throw new InvalidArgumentError(`Give one of ${electionKinds.join(', ')}.`);
}

function parseClosed(value: string): CureCase['closures'] {
  const days = value.split(',').map((part) => readDate(part) ?? part);
  const read = parseClosures(days.join(','));
  if (!read.ok)
    throw new InvalidArgumentError(
      `${read.problem} is neither a weekday, such as fri, nor a date, such as 11/11/2026.`,
    );
  if (new Set([6, 7, ...read.closures.weekdays]).size === 7)
    throw new InvalidArgumentError('An office that is closed every day has no business days.');
  return read.closures;
}
