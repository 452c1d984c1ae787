import { type Command, InvalidArgumentError, Option } from 'commander';
import { listAccounts } from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import {
  finishRestore,
  readOpenRestores,
  setUnsureAside,
  takeOverSending,
} from '../modules/notifications/index.ts';
import { endSessions } from '../modules/sessions/index.ts';
import type { Database } from '../platform/postgres.ts';
import { asOwner } from './as-owner.ts';
import { type CommandContext, CommandError, exitCodes, requireAccount } from './context.ts';
import { formatInstant } from './dates.ts';
import { someText } from './words.ts';

interface BeginOptions {
  readonly by: string;
  readonly sentUntil?: Date;
  readonly nothingLost?: boolean;
}

interface FinishOptions {
  readonly account: string;
  readonly by: string;
  readonly send?: true;
  readonly discard?: true;
}

/** Docs: docs/operations/backup.md. */
export function register(program: Command, context: CommandContext): void {
  const restore = program
    .command('restore')
    .description('after a backup was restored: what may be sent, and what has left before');
  restore
    .command('begin')
    .description(
      'let this database send in place of the lost one, and set aside what that one may have sent',
    )
    .requiredOption('--by <name>', 'the person who is responsible for it', someText)
    .addOption(
      new Option(
        '--sent-until <time>',
        'when the lost database was last in use, such as 2026-11-03T14:05:00Z; otherwise: now',
      )
        .argParser(moment)
        .conflicts('nothingLost'),
    )
    .option('--nothing-lost', 'every process had ended before the backup was made, as for a move')
    .action((options: BeginOptions) =>
      asOwner(context, (database) => begin(context, database, options)),
    );
  restore
    .command('show')
    .description('offices whose restore is not finished; exit status 1 if there are any')
    .option('--json', 'as one JSON document')
    .action(({ json }: { json?: true }) => context.withDatabase((it) => show(context, it, json)));
  restore
    .command('finish')
    .description(
      'decide on the messages that wait, when the files since the backup are imported again',
    )
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--by <name>', 'the person who is responsible for it', someText)
    .addOption(
      new Option('--discard', 'they have left before: send none of them').conflicts('send'),
    )
    .option('--send', 'they have not left before: send all of them')
    .action((options: FinishOptions) => context.withDatabase((it) => finish(context, it, options)));
}

async function begin(
  context: CommandContext,
  database: Database,
  { by, sentUntil, nothingLost = false }: BeginOptions,
): Promise<void> {
  const now = context.clock.now();
  const until = sentUntil ?? now;
  if (until > now) throw new CommandError('--sent-until is in the future.');
  const accounts = await listAccounts(database.system);
  const aside = await database.transaction(async (tx) => {
    await takeOverSending(tx);
    const unsure = nothingLost ? undefined : await setUnsureAside(tx, until, now);
    for (const { accountId } of accounts) {
      const sessions = nothingLost ? 0 : await endSessions(tx, accountId);
      await recordAudit(tx, accountId, {
        actor: `operator:${by}`,
        action: 'database.restore',
        details: {
          sent_until: nothingLost ? null : until.toISOString(),
          sessions,
          run_as: context.operator,
        },
      });
    }
    return unsure;
  });
  if (aside === undefined) {
    context.print('This database sends from now on. Every message that waited is sent.');
    return;
  }
  context.print(
    [
      `This database sends from now on. Messages set aside: ${aside.waiting} wait for you, ${aside.unknown} ended as outcome-unknown.`,
      'Voters were signed out. Import the files since the backup again, oldest first. Then, for each office:',
      '  beacon restore finish --account SUBDOMAIN --by NAME --discard',
    ].join('\n'),
  );
}

async function show(context: CommandContext, { system }: Database, json?: true): Promise<void> {
  const open = await readOpenRestores(system);
  if (json) context.printJson(open);
  else if (open.length === 0) context.print('No restore is open.');
  else
    for (const { subdomain, begunAt, waiting } of open)
      context.print(
        `${subdomain}  since ${formatInstant(begunAt, 'UTC')}, ${waiting} messages wait`,
      );
  if (open.length > 0) throw new CommandError('Offices wait for you.', exitCodes.failed);
}

async function finish(
  context: CommandContext,
  database: Database,
  { account: subdomain, by, send, discard }: FinishOptions,
): Promise<void> {
  if (!send && !discard) throw new CommandError('Use --discard or --send.', exitCodes.usage);
  const account = await requireAccount(database, subdomain);
  const isSent = send === true;
  const now = context.clock.now();
  const messages = await database.transaction(async (tx) => {
    const count = await finishRestore(tx, account.accountId, isSent, now);
    if (count !== undefined)
      await recordAudit(tx, account.accountId, {
        actor: `operator:${by}`,
        action: 'database.restore-finish',
        details: { messages: count, sent: isSent, run_as: context.operator },
      });
    return count;
  });
  if (messages === undefined) throw new CommandError(`No restore of ${subdomain} is open.`);
  context.print(
    `${messages} messages ${isSent ? 'will be sent' : 'ended without being sent again'}. News of ${subdomain} leaves as usual.`,
  );
}

function moment(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Write it with its time zone, such as 2026-11-03T14:05:00Z.');
  return at;
}
