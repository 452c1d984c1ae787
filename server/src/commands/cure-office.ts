import { type Command, InvalidArgumentError } from 'commander';
import {
  type Account,
  type Election,
  listElections,
  lockAccount,
} from '../modules/accounts/index.ts';
import {
  type Anchor,
  changeOfficeDeadlines,
  type DeadlineChange,
  type Defect,
  defects,
  type ElectionDeadline,
  isLikelyFixDay,
  readElectionDeadlines,
} from '../modules/deadlines/index.ts';
import { formatDate } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/postgres.ts';
import {
  type CommandContext,
  CommandError,
  exitCodes,
  requireAccount,
  requireElection,
} from './context.ts';
import { dateOption, formatClock, readDayAndClock } from './dates.ts';
import { someText } from './words.ts';

interface OfficeOptions {
  readonly account: string;
  readonly election: string;
  readonly defect?: Defect;
}

interface SetOptions extends OfficeOptions {
  readonly by: { readonly endsOn: string; readonly endsAt: string };
  readonly reason: string;
}

interface OfficeChange {
  readonly account: Account;
  readonly election: Election;
  /** Left out: all of them. */
  readonly defect: Defect | undefined;
  readonly own: DeadlineChange['own'];
}

/** What the office must say, by what the deadline counts from. */
const missingDays: Readonly<Record<Anchor | 'kind', string>> = {
  kind: 'the kind of election: beacon election set … --kind KIND',
  certification: 'the day of certification: beacon election set … --certification DATE',
  canvass: 'the day of the canvass: beacon election set … --canvass DATE',
  notice: 'the day voters were notified: set the deadline itself, beacon cure set … --by WHEN',
  discovery: 'the day the problem was found: status_on in the ballot file',
  receipt: 'the day the envelope came back: returned_on in the ballot file',
  election: 'election day',
};

/** The deadlines of an office's elections, and those it sets itself. */
export function registerOfficeDeadlines(cure: Command, context: CommandContext): void {
  const change = async (
    tx: Tx,
    { account, election, defect, own }: OfficeChange,
  ): Promise<number> => {
    await lockAccount(tx, account.accountId);
    const changes = (defect ? [defect] : defects).map((one) => ({ defect: one, own }));
    return changeOfficeDeadlines(tx, account.accountId, election, changes, context.operator);
  };
  cure
    .command('days')
    .description(
      'until when voters can fix an envelope in each active election, and what is missing',
    )
    .requiredOption('--account <subdomain>', 'the account')
    .option('--json', 'as one JSON document')
    .action((options: { account: string; json?: true }) =>
      context.withDatabase(async (database) => {
        const account = await requireAccount(database, options.account);
        const elections = await listElections(database.system, account.accountId);
        const active = elections.filter(({ isActive }) => isActive);
        const found = await readElectionDeadlines(database.system, account, active);
        if (options.json)
          return context.printJson(
            found.map(({ election, defect, deadline, own }) => ({
              election: election.number,
              defect,
              deadline: deadline.at,
              missing: deadline.missing,
              source: own ? `the office: ${own.reason}` : (deadline.rule?.source ?? null),
            })),
          );
        if (found.length === 0) context.print('No election is active.');
        for (const one of found) context.print(describe(one, account.state));
      }),
    );

  cure
    .command('set')
    .description(
      'set a deadline of the office over the rule of its state; the reason is kept in the audit log',
    )
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--election <number>', "the election's number", someText)
    .requiredOption('--by <when>', 'the last moment, such as 12/10/2026 17:00', byOption)
    .requiredOption('--reason <words>', 'the decision, order or law it rests on', someText)
    .option('--defect <defect>', `only for one of ${defects.join(', ')}`, defectOption)
    .action(({ account: subdomain, election: number, by, reason, defect }: SetOptions) =>
      context.withDatabase(async (database) => {
        const { account, election } = await findElectionOf(database, subdomain, number);
        const { electionDate } = election;
        if (!isLikelyFixDay(by.endsOn, electionDate))
          throw new CommandError(
            `Check --by: the time to fix an envelope of an election on ${formatDate(electionDate)} cannot end on ${formatDate(by.endsOn)}.`,
            exitCodes.usage,
          );
        await database.transaction((tx) =>
          change(tx, { account, election, defect, own: { ...by, reason } }),
        );
        context.print(
          `Voters in election ${election.number} read ${formatClock(`${by.endsOn}T${by.endsAt}`)} from now on.`,
        );
      }),
    );

  cure
    .command('unset')
    .description('let the rule of the state apply again')
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--election <number>', "the election's number", someText)
    .option('--defect <defect>', `only for one of ${defects.join(', ')}`, defectOption)
    .action(({ account: subdomain, election: number, defect }: OfficeOptions) =>
      context.withDatabase(async (database) => {
        const { account, election } = await findElectionOf(database, subdomain, number);
        const removed = await database.transaction((tx) =>
          change(tx, { account, election, defect, own: null }),
        );
        context.print(
          removed > 0
            ? `The rule of ${account.state} applies to election ${election.number} again.`
            : `Nothing was set for election ${election.number}.`,
        );
      }),
    );
}

function describe(
  { election, defect, deadline, own }: ElectionDeadline<Election>,
  state: string,
): string {
  const about = `${election.number} ${defect}:`;
  if (own) return `${about} ${formatClock(deadline.at ?? '')}, set by ${own.setBy}: ${own.reason}`;
  if (deadline.at) return `${about} ${formatClock(deadline.at)}. ${deadline.rule?.source ?? ''}`;
  if (deadline.missing.length > 0)
    return `${about} MISSING ${deadline.missing.map((one) => missingDays[one]).join('; ')}`;
  const known = deadline.rule
    ? `${state} leaves it to each county`
    : `no rule of ${state} is known`;
  return `${about} ${known}; voters read "Ask your election office today". Set it: beacon cure set … --by WHEN`;
}

async function findElectionOf(database: Database, subdomain: string, number: string) {
  const account = await requireAccount(database, subdomain);
  const all = await listElections(database.system, account.accountId);
  return { account, election: requireElection(all, number) };
}

function byOption(text: string): SetOptions['by'] {
  const typed = readDayAndClock(text);
  if (!typed?.clock)
    throw new InvalidArgumentError('Use a date and a time such as 12/10/2026 17:00.');
  return { endsOn: dateOption(typed.day), endsAt: typed.clock };
}

function defectOption(text: string): Defect {
  const known = defects.find((one) => one === text);
  if (known) return known;
  throw new InvalidArgumentError(`Give one of ${defects.join(', ')}.`);
}
