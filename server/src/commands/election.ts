import { type Command, InvalidArgumentError } from 'commander';
import {
  type Account,
  type Election,
  findElection,
  listElections,
  mayMoveTo,
  removeElection,
  renameElection,
  saveElection,
} from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import {
  type ElectionKind,
  electionKinds,
  findStrayDeadline,
  findUnlikelyDay,
  isLikelyReturnDay,
} from '../modules/deadlines/index.ts';
import { type DiscardedElection, listDiscarded } from '../modules/past-elections/index.ts';
import { formatDate, localDay } from '../platform/clock.ts';
import type { AccountId } from '../platform/ids.ts';
import type { Db, Tx } from '../platform/postgres.ts';
import {
  type CommandContext,
  CommandError,
  exitCodes,
  requireAccount,
  requireElection,
} from './context.ts';
import { dateOption, electionDayOption } from './dates.ts';
import { registerPastElection } from './past-election.ts';
import { describeRecords, requireNoImport } from './removal.ts';
import {
  type ReturnOptions,
  readReturnDeadline,
  returnByOption,
  returnRuleOption,
} from './return-deadline.ts';
import { someText } from './words.ts';

interface SetOptions extends ReturnOptions {
  account: string;
  number: string;
  name: string;
  date: string;
  active: boolean;
  kind?: ElectionKind;
  certification?: string;
  canvass?: string;
}

export function register(program: Command, context: CommandContext): void {
  const election = program.command('election').description('create, change and list elections');

  election
    .command('set')
    .description('create the election with this number, or change it')
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--number <number>', "the election's number in the office's files", someText)
    .requiredOption('--name <name>', 'the name that voters see', someText)
    .requiredOption('--date <date>', 'election day, such as 11/3/2026', electionDayOption)
    .requiredOption('--active <boolean>', 'true while its ballots are current', trueOrFalse)
    .option(
      '--return-rule <rule>',
      'what must happen in time, received or postmarked',
      returnRuleOption,
    )
    .option('--return-by <when>', 'by when, such as 11/3/2026 19:00', returnByOption)
    .option('--return-place <words>', 'where voters return their ballots', '')
    .option('--kind <kind>', `${electionKinds.join(', ')}; some deadlines depend on it`, kindOption)
    .option('--certification <date>', 'the day the election is certified', dateOption)
    .option('--canvass <date>', 'the day of the canvass', dateOption)
    .action(({ account, number, name, date, active, ...given }: SetOptions) =>
      context.withDatabase(async (database) => {
        const { accountId } = await requireAccount(database, account);
        const announced = readReturnDeadline(given);
        const more = {
          ...(announced && { returnDeadline: announced }),
          ...(given.kind && { kind: given.kind }),
          ...(given.certification && { certifiedOn: given.certification }),
          ...(given.canvass && { canvassedOn: given.canvass }),
        };
        const election = { number, name, electionDate: date, isActive: active, ...more };
        const before = findElection(await listElections(database.system, accountId), number);
        refuseUnlikelyDay({ ...before, ...election });
        await database.transaction(async (tx) => {
          await refuseDiscarded(tx, accountId, number);
          if (before) {
            await refuseFarDay(tx, before, date);
            await refuseStrayDeadline(tx, { accountId, subdomain: account }, before, date);
          }
          await saveElection(tx, accountId, election);
          await recordAudit(tx, accountId, {
            actor: context.operator,
            action: 'election.set',
            target: number,
            details: { name, date, active, ...more },
          });
        });
        context.print(`Election ${describe(election)}`);
      }),
    );

  election
    .command('list')
    .description("list an account's elections")
    .requiredOption('--account <subdomain>', 'the account')
    .option('--json', 'as one JSON document')
    .action((options: { account: string; json?: true }) =>
      context.withDatabase(async (database) => {
        const { accountId, timeZone } = await requireAccount(database, options.account);
        const elections = await listElections(database.system, accountId);
        if (options.json) return context.printJson(elections);
        for (const one of elections) context.print(describe(one));
        for (const one of await listDiscarded(database.system, accountId))
          context.print(describeDiscarded(one, timeZone));
      }),
    );

  election
    .command('rename')
    .description('give an election another number; it keeps its ballots')
    .argument('<number>', "the election's number")
    .argument('<new-number>', 'the new number', someText)
    .requiredOption('--account <subdomain>', 'the account')
    .action((from: string, to: string, options: { account: string }) =>
      change(context, options.account, from, async (tx, { accountId }, election, all) => {
        const other = findElection(all, to);
        if (other && other.electionId !== election.electionId)
          throw new CommandError(`Election ${other.number} exists already.`);
        await refuseDiscarded(tx, accountId, to);
        await renameElection(tx, election.electionId, to);
        await recordAudit(tx, accountId, {
          actor: context.operator,
          action: 'election.rename',
          target: to,
          details: { from: election.number },
        });
        return `Election ${election.number} is now ${to}. The office's files must use this number.`;
      }),
    );

  election
    .command('remove')
    .description('remove an election that has no ballots')
    .argument('<number>', "the election's number")
    .requiredOption('--account <subdomain>', 'the account')
    .action((number: string, options: { account: string }) =>
      change(context, options.account, number, async (tx, { accountId }, election) => {
        const count = await removeElection(tx, election.electionId);
        if (count > 0)
          throw new CommandError(
            `Election ${election.number} is not empty, so it was not removed: ${describeRecords([{ noun: 'ballot', count }])}.`,
          );
        await recordAudit(tx, accountId, {
          actor: context.operator,
          action: 'election.remove',
          target: election.number,
        });
        return `Election ${election.number} was removed.`;
      }),
    );

  registerPastElection(election, context);
}

/** Changes an election in one transaction and prints what `work` returns. */
async function change(
  context: CommandContext,
  subdomain: string,
  number: string,
  work: (tx: Tx, account: Account, election: Election, all: readonly Election[]) => Promise<string>,
): Promise<void> {
  await context.withDatabase(async (database) => {
    const account = await requireAccount(database, subdomain);
    const all = await listElections(database.system, account.accountId);
    const election = requireElection(all, number);
    await requireNoImport(database, account);
    context.print(await database.transaction((tx) => work(tx, account, election, all)));
  });
}

function describe(
  election: Pick<Election, 'number' | 'name' | 'electionDate' | 'isActive'>,
): string {
  const { number, name, electionDate, isActive } = election;
  return `${number}, ${name}, ${formatDate(electionDate)}, ${isActive ? 'active' : 'not active'}`;
}

function describeDiscarded(election: DiscardedElection, timeZone: string): string {
  const { number, name, electionDate, discardedAt, finishedAt } = election;
  const day = formatDate(localDay(discardedAt, timeZone));
  const rest = finishedAt === null ? ', rows are still being deleted' : '';
  return `${number}, ${name}, ${formatDate(electionDate)}, discarded ${day}${rest}`;
}

/** @throws {CommandError} for the number of a discarded election: its old files would tell voters old news anew */
async function refuseDiscarded(db: Db, accountId: AccountId, number: string): Promise<void> {
  const discarded = findElection(await listDiscarded(db, accountId), number);
  if (discarded)
    throw new CommandError(
      `Election ${discarded.number} was discarded, so its number cannot be used again.`,
    );
}

async function refuseFarDay(tx: Tx, before: Election, date: string): Promise<void> {
  if (await mayMoveTo(tx, before, date)) return;
  throw new CommandError(
    `Check --date: election ${before.number} is on ${formatDate(before.electionDate)} and has ballots, so it cannot move to ${formatDate(date)}. A new election needs a number of its own.`,
    exitCodes.usage,
  );
}

async function refuseStrayDeadline(
  tx: Tx,
  { accountId, subdomain }: Pick<Account, 'accountId' | 'subdomain'>,
  before: Election,
  date: string,
): Promise<void> {
  const endsOn = await findStrayDeadline(tx, accountId, before, date);
  if (endsOn === null) return;
  throw new CommandError(
    `Check --date: the office's own deadline to fix an envelope, ${formatDate(endsOn)}, does not fit an election on ${formatDate(date)}. Take it back first: beacon cure unset --account ${subdomain} --election ${before.number}`,
    exitCodes.usage,
  );
}

/** Deadlines to fix an envelope count from these days, and voters read them. */
function refuseUnlikelyDay(
  election: Omit<Partial<Election>, 'electionDate'> & Pick<Election, 'electionDate'>,
): void {
  const { electionDate, returnDeadline, certifiedOn, canvassedOn } = election;
  const days = {
    election: electionDate,
    canvass: canvassedOn ?? undefined,
    certification: certifiedOn ?? undefined,
  };
  if (returnDeadline && !isLikelyReturnDay(returnDeadline, electionDate))
    throw new CommandError(
      `Check --return-by: ballots of an election on ${formatDate(electionDate)} are not ${returnDeadline.rule} until ${formatDate(returnDeadline.date)}.`,
      exitCodes.usage,
    );
  const anchor = findUnlikelyDay(days);
  if (anchor !== 'canvass' && anchor !== 'certification') return;
  throw new CommandError(
    `Check --${anchor}: ${formatDate(days[anchor] ?? '')} does not belong to an election on ${formatDate(electionDate)}.`,
    exitCodes.usage,
  );
}

function kindOption(text: string): ElectionKind {
  const known = electionKinds.find((one) => one === text);
  if (known) return known;
  throw new InvalidArgumentError(`It must be one of ${electionKinds.join(', ')}.`);
}

function trueOrFalse(text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new InvalidArgumentError('It must be true or false.');
  return text === 'true';
}
