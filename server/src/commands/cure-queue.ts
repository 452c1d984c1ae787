import { writeFile } from 'node:fs/promises';
import { fixStates } from '@ballot-beacon/contract/office/fixes';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Account, type Election, listElections } from '../modules/accounts/index.ts';
import { type Defect, defects } from '../modules/deadlines/index.ts';
import {
  chooseLetters,
  lockLetters,
  printLetters,
  type QueuedFix,
  readFixQueue,
} from '../modules/fix-queue/index.ts';
import { isBallotFeedLate } from '../modules/notifications/index.ts';
import type { Database, Db } from '../platform/postgres.ts';
import { type CommandContext, CommandError, requireAccount, requireElection } from './context.ts';
import { formatClock, formatInstant } from './dates.ts';
import { plural } from './words.ts';

interface ListOptions {
  readonly account: string;
  readonly election?: string;
  readonly defect?: Defect;
  readonly state: QueuedFix['state'] | 'all';
  readonly json?: true;
}

interface LetterOptions {
  readonly account: string;
  readonly election?: string;
  readonly out: string;
  readonly again?: true;
}

/** The envelopes that voters still have to fix, and letters to those whom no message reaches. */
export function registerFixQueue(cure: Command, context: CommandContext): void {
  cure
    .command('list')
    .description(
      'envelopes that voters can fix, least time left first; confidential voters are only counted',
    )
    .requiredOption('--account <subdomain>', 'the account')
    .option('--election <number>', 'only this election; left out: the active ones')
    .option('--defect <defect>', `only one of ${defects.join(', ')}`, defectOption)
    .addOption(
      new Option('--state <state>', 'what became of them')
        .choices([...fixStates, 'all'])
        .default('open'),
    )
    .option('--json', 'as one JSON document')
    .action((options: ListOptions) =>
      context.withDatabase(async (database) => {
        const { account, election } = await findSubject(database, options);
        const now = context.clock.now();
        const fixes = (
          await readQueue(database.system, account, election, now, options.state === 'open')
        )
          .filter(({ defect }) => options.defect === undefined || defect === options.defect)
          .filter(({ state }) => options.state === 'all' || state === options.state);
        const shown = fixes.filter(({ isConfidential }) => !isConfidential);
        if (options.json)
          return context.printJson({
            fixes: shown.map(toJson),
            confidential: fixes.length - shown.length,
          });
        if (fixes.length === 0) context.print('No envelope matches.');
        for (const fix of shown) context.print(describe(fix, account, now));
        if (fixes.length > shown.length)
          context.print(
            `${plural(fixes.length - shown.length, 'confidential voter')} not listed. A clerk sees the voter ID at the console.`,
          );
        if (shown.length > 0 && (await isBallotFeedLate(database.system, account, now)))
          context.print(
            'The newest ballot file is too old: reminders wait until you import the current one.',
          );
      }),
    );

  cure
    .command('letters')
    .description('a print file with a letter to each voter whom no email, text or call can reach')
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--out <file>', 'the file to write, .html; print it from a browser', htmlOption)
    .option('--election <number>', 'only this election; left out: the active ones')
    .option('--again', 'also the letters that were printed before')
    .action((options: LetterOptions) =>
      context.withDatabase(async (database, config) => {
        const { account, election } = await findSubject(database, options);
        const now = context.clock.now();
        if (account.settings.contact_phone === '')
          throw new CommandError(
            'A letter names your phone number. Add contact_phone to the account file and apply it.',
          );
        // One transaction: if the file cannot be written, nothing counts as printed.
        const needed = await database.transaction(async (tx) => {
          await lockLetters(tx, account.accountId);
          const fixes = await readQueue(tx, account, election, now, true);
          const chosen = chooseLetters(fixes, options.again === true);
          if (chosen.letters.length === 0) return chosen;
          const by = { account, actor: context.operator, now, election };
          const html = await printLetters(tx, config, by, chosen.letters);
          await writeFile(options.out, html, { mode: 0o600 }).catch((error: Error) => {
            throw new CommandError(`${options.out} cannot be written: ${error.message}`);
          });
          return chosen;
        });
        const { letters, withoutAddress, confidential } = needed;
        context.print(
          letters.length > 0
            ? `${plural(letters.length, 'letter')} written to ${options.out}. Print it from a browser at 100%, without margins.`
            : 'No letter is needed. To print earlier letters once more, add --again.',
        );
        if (withoutAddress.length > 0)
          context.print(
            `${plural(withoutAddress.length, 'voter')} without an address on the roll: ${withoutAddress.join(', ')}.`,
          );
        if (confidential > 0)
          context.print(
            `${plural(confidential, 'confidential voter')} without a letter here. Write from your office’s own system.`,
          );
      }),
    );
}

async function findSubject(
  database: Database,
  { account: subdomain, election: number }: { account: string; election?: string },
): Promise<{ account: Account; election: Election | undefined }> {
  const account = await requireAccount(database, subdomain);
  const all = await listElections(database.system, account.accountId);
  return { account, election: number === undefined ? undefined : requireElection(all, number) };
}

function readQueue(
  db: Db,
  account: Account,
  election: Election | undefined,
  now: Date,
  isOpen: boolean,
): Promise<QueuedFix[]> {
  const electionId = election?.electionId ?? null;
  return readFixQueue(db, account, { electionId, isOpen }, now);
}

function toJson(fix: QueuedFix): Record<string, unknown> {
  return {
    voter_id: fix.registrationId,
    election: fix.electionNumber,
    defect: fix.defect,
    state: fix.state,
    deadline: fix.deadline,
    known_since: fix.since.toISOString(),
    notified: fix.notices.map(({ how, at }) => ({ how, at: at.toISOString() })),
    link_opened: fix.openedAt?.toISOString() ?? null,
    ended_on: fix.endedOn,
    language: fix.language,
    precinct: fix.precinct,
  };
}

function describe(fix: QueuedFix, { timeZone }: Account, now: Date): string {
  const left =
    fix.deadline === null
      ? 'deadline not known'
      : `${formatClock(fix.deadline)}${fix.state === 'open' ? ` (${timeLeft(fix.deadline, now)} left)` : ''}`;
  const notified =
    fix.notices.length === 0
      ? 'not notified'
      : `notified ${fix.notices.map(({ how, at }) => `by ${how} ${formatInstant(at, timeZone)}`).join(', ')}`;
  const opened = fix.openedAt ? ', link opened' : '';
  return `${fix.registrationId}  ${fix.electionNumber} ${fix.defect}, ${fix.state}: ${left}, ${notified}${opened}`;
}

function timeLeft(deadline: string, now: Date): string {
  const hours = Math.floor((Date.parse(deadline) - now.getTime()) / 3_600_000);
  if (hours < 1) return 'under 1 hour';
  return hours < 48 ? plural(hours, 'hour') : plural(Math.floor(hours / 24), 'day');
}

function defectOption(text: string): Defect {
  const known = defects.find((one) => one === text);
  if (known) return known;
  throw new InvalidArgumentError(`Give one of ${defects.join(', ')}.`);
}

function htmlOption(path: string): string {
  if (/\.html?$/i.test(path)) return path;
  throw new InvalidArgumentError('It must end in .html: a browser prints it.');
}
