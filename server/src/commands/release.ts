import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { isSamePerson, recordAudit } from '../modules/audit/index.ts';
import {
  describeReport,
  findHeldImport,
  type HeldImport,
  openSourceFile,
} from '../modules/imports/index.ts';
import { releaseImport } from '../modules/notifications/index.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/postgres.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { takeInFile } from './import.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('release')
    .description(
      'let a held file, or the messages of a held import, go; by somebody else than who imported it',
    )
    .argument('<import>', "the import's number, as beacon imports shows it", importNumber)
    .requiredOption('--by <name>', 'who looked at it and answers for it')
    .option('--file <file>', 'a held file, where the copy that was kept of it is not at hand')
    .action((importId: number, { by, file }: { by: string; file?: string }) =>
      context.withDatabase(async (database, config) => {
        const name = by.trim();
        const held = await findHeldImport(database.system, importId);
        if (held) await releaseFile(context, { database, config, held, name, path: file });
        else await releaseMessages(context, database, importId, name);
      }),
    );
}

async function releaseMessages(
  context: CommandContext,
  database: Database,
  importId: number,
  name: string,
): Promise<void> {
  const now = context.clock.now();
  const outcome = await database.transaction(async (tx) => {
    const released = await releaseImport(tx, importId, name, now);
    if (released.ok)
      await recordAudit(tx, released.accountId, {
        actor: `operator:${name}`,
        action: 'import.release',
        target: String(importId),
        details: { messages: released.messages, run_as: context.operator },
      });
    return released;
  });
  if (!outcome.ok) throw new CommandError(outcome.problem);
  context.print(`Import ${importId} is released: ${outcome.messages} messages are on their way.`);
}

/** Takes in a file that was held, as its operator would have, but for the limit that held it. */
async function releaseFile(
  context: CommandContext,
  task: {
    readonly database: Database;
    readonly config: Config;
    readonly held: HeldImport;
    readonly name: string;
    readonly path: string | undefined;
  },
): Promise<void> {
  const { database, config, held, name } = task;
  const { importId, subdomain, operator, sha256, fileName, heldFile } = held;
  if (name === '') throw new CommandError('--by needs the name of who releases.');
  if (isSamePerson(name, operator))
    throw new CommandError(
      `Import ${importId} was made by ${operator.replace(/^operator:/, '')}. Somebody else must look at the file and release it with --by THEIR_NAME.`,
    );
  const account = await requireAccount(database, subdomain);
  const kept = join(config.dataDirectory, 'rejects', subdomain, 'held', sha256.toString('hex'));
  const path = task.path ?? kept;
  const source = await openSourceFile(path, account.county).catch(() => {
    throw new CommandError(
      `${path} cannot be read. The copy of a held file is kept on the machine where it was imported: release it there, or give the file with --file.`,
    );
  });
  const outcome = await takeInFile(context, {
    database,
    config,
    account,
    file: { ...source, name: fileName },
    format: heldFile.format,
    election: heldFile.election ?? undefined,
    isFull: heldFile.isFull,
    operator: `operator:${name}`,
    released: held,
  });
  context.print(describeReport(outcome.report, fileName));
  context.print(
    outcome.state === 'held'
      ? `Import ${importId} is in, and its messages are held: look at it, and release it once more.`
      : `Import ${importId} is released and in.`,
  );
}

export function importNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be the number of an import.');
  return number;
}
