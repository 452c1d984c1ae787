import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Account } from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import {
  describeReport,
  findWaitingImport,
  openSourceFile,
  type StoredFile,
  type WaitingImport,
} from '../modules/imports/index.ts';
import { describeFinish, readQueue, releaseImport } from '../modules/notifications/index.ts';
import {
  createFileKeys,
  findUploadOfImport,
  openSealedFile,
  SealBroken,
  type Upload,
} from '../modules/uploads/index.ts';
import type { Config } from '../platform/config.ts';
import type { ImportId } from '../platform/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { loadFileKeys } from '../platform/secrets.ts';
import {
  findResponsible,
  type Responsible,
  recordOf,
  requireImporter,
} from './command-sessions.ts';
import { type CommandContext, CommandError } from './context.ts';
import { importSource } from './import.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('release')
    .description(
      'approve a file, or an import’s messages, that wait for approval; by a second person',
    )
    .argument('<import>', "the import's number, as beacon imports shows it", importNumber)
    .option(
      '--by <name>',
      'the second person, who checked the file and is responsible for it; left out after beacon login',
    )
    .option('--file <file>', 'the waiting file, if its stored copy is not on this machine')
    .action((importId: ImportId, { by: typed, file }: { by?: string; file?: string }) =>
      context.withDatabase(async (database, config) => {
        const { account, importer } = await requireImporter(database, importId);
        const surrounds = { context, database, config, account };
        const command = `release ${importId}`;
        const by = await findResponsible(surrounds, { command, typed, importer });
        const waiting = await findWaitingImport(database.system, importId);
        if (waiting) await releaseFile({ ...surrounds, waiting, by, path: file });
        else await releaseMessages(surrounds, importId, by);
      }),
    );
}

interface Surrounds {
  readonly context: CommandContext;
  readonly database: Database;
  readonly config: Config;
  readonly account: Account;
}

async function releaseMessages(
  surrounds: Surrounds,
  importId: ImportId,
  by: Responsible,
): Promise<void> {
  const { context, database } = surrounds;
  const now = context.clock.now();
  const outcome = await database.transaction(async (tx) => {
    const released = await releaseImport(tx, importId, by.name, now);
    if (released.ok)
      await recordAudit(tx, released.accountId, {
        actor: by.actor,
        action: 'import.release',
        target: String(importId),
        details: { messages: released.messages, ...recordOf(context, by) },
      });
    return released;
  });
  if (!outcome.ok) throw new CommandError(outcome.problem);
  context.print(`Import ${importId} was approved: ${outcome.messages} messages will be sent.`);
  await printFinish(surrounds, importId);
}

/** Says when the last message of an import leaves, where any waits. */
async function printFinish(
  { context, database, config, account }: Surrounds,
  importId: ImportId,
): Promise<void> {
  const now = context.clock.now();
  const { asked } = await readQueue(database.system, config, importId, now);
  if (asked) context.print(describeFinish(asked, account.timeZone, now));
}

/** Loads a file that waited for approval, with the options of its import but without the limit that stopped it. */
async function releaseFile(
  task: Surrounds & {
    readonly waiting: WaitingImport;
    readonly by: Responsible;
    readonly path: string | undefined;
  },
): Promise<void> {
  const { context, database, config, account, waiting, by } = task;
  const { importId, subdomain, sha256, fileName, heldFile } = waiting;
  const kept = join(config.dataDirectory, 'rejects', subdomain, 'held', sha256.toString('hex'));
  const upload =
    task.path === undefined ? await findUploadOfImport(database.system, importId) : undefined;
  const { county } = account;
  const { sheet } = heldFile.format;
  const path = task.path ?? kept;
  const source = upload
    ? await openUpload(database, config, upload).then((sealed) =>
        openSourceFile(sealed, county, sheet),
      )
    : await openSourceFile(path, county, sheet).catch(() => {
        throw new CommandError(
          `${path} cannot be read. The copy of a waiting file is on the machine where it was imported. Approve it there, or add --file FILE.`,
        );
      });
  const outcome = await importSource(context, {
    database,
    config,
    account,
    file: { ...source, name: fileName },
    format: heldFile.format,
    election: heldFile.election ?? undefined,
    isFull: heldFile.isFull,
    operator: by.actor,
    record: recordOf(context, by),
    released: waiting,
  });
  context.print(describeReport(outcome.report, fileName));
  context.print(
    outcome.state === 'messages-held'
      ? `Import ${importId} was loaded. Its messages are waiting for approval: check them, and run the same command again.`
      : `Import ${importId} was approved and loaded.`,
  );
  if (outcome.state !== 'messages-held') await printFinish(task, importId);
}

/** The sealed file of an import that was uploaded at the console. */
async function openUpload(
  { system }: Database,
  config: Config,
  upload: Upload,
): Promise<StoredFile> {
  try {
    return openSealedFile(system, createFileKeys(loadFileKeys(config)), upload);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new CommandError(
      `${upload.fileName} was uploaded at the console and is sealed. Its key is not set here. Approve it at the console, set BEACON_FILE_KEYS, or add --file FILE.`,
    );
  }
}

export function importNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('Use the number of an import, from beacon imports.');
  return number;
}
