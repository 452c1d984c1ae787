import { type Command, InvalidArgumentError } from 'commander';
import { type Election, listElections, saveElection } from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import { type CommandContext, requireAccount } from './context.ts';

interface SetOptions {
  account: string;
  number: string;
  name: string;
  date: string;
  active: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const election = program.command('election').description('create, change and list elections');

  election
    .command('set')
    .description('create the election with this number, or change it')
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--number <number>', "the election's number in the office's files", nonEmpty)
    .requiredOption('--name <name>', 'the name that voters see', nonEmpty)
    .requiredOption('--date <date>', 'election day, YYYY-MM-DD', calendarDate)
    .requiredOption('--active <boolean>', 'true while its ballots are current', trueOrFalse)
    .action(({ account, number, name, date, active }: SetOptions) =>
      context.withDatabase(async (database) => {
        const { accountId } = await requireAccount(database, account);
        const election = { number, name, electionDate: date, isActive: active };
        await database.transaction(async (tx) => {
          await saveElection(tx, accountId, election);
          await recordAudit(tx, accountId, {
            actor: context.operator,
            action: 'election.set',
            target: number,
            details: { name, date, active },
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
        const { accountId } = await requireAccount(database, options.account);
        const elections = await listElections(database.system, accountId);
        if (options.json) context.printJson(elections);
        else for (const one of elections) context.print(describe(one));
      }),
    );
}

function describe(election: Omit<Election, 'electionId'>): string {
  const { number, name, electionDate, isActive } = election;
  return `${number}, ${name}, ${electionDate}, ${isActive ? 'active' : 'not active'}`;
}

function nonEmpty(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('It must not be empty.');
  return trimmed;
}

function calendarDate(text: string): string {
  const date = new Date(`${text}T00:00:00Z`);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(date.getTime());
  if (!isDay || date.toISOString().slice(0, 10) !== text) {
    throw new InvalidArgumentError('Use YYYY-MM-DD, a date that exists.');
  }
  return text;
}

function trueOrFalse(text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new InvalidArgumentError('It must be true or false.');
  return text === 'true';
}
