import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { listElections } from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import {
  type BallotCode,
  drawMissingCodes,
  drawQrPng,
  drawQrSvg,
  readCodes,
} from '../modules/ballots/index.ts';
import { originOf } from '../modules/notifications/index.ts';
import { type CommandContext, CommandError, requireAccount, requireElection } from './context.ts';

interface QrOptions {
  account: string;
  election: string;
  format: 'csv' | 'png' | 'svg';
  out: string;
  voter?: string;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('qr')
    .description('create the QR codes on ballots with which voters sign in')
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--election <number>', "the election's number")
    .requiredOption('--out <path>', 'a file for csv; a folder for png and svg, one file per ballot')
    .option('--voter <id>', "only the codes of this voter (the office's voter ID)")
    .addOption(
      new Option('--format <format>', 'csv for a print shop, or images')
        .choices(['csv', 'png', 'svg'])
        .default('csv'),
    )
    .action((options: QrOptions) =>
      context.withDatabase(async (database, config) => {
        const { accountId, subdomain } = await requireAccount(database, options.account);
        const elections = await listElections(database.system, accountId);
        const { electionId, number } = requireElection(elections, options.election);
        const urlOf = ({ guid }: BallotCode) =>
          `${originOf(config, subdomain)}/voter/qr-login?guid=${guid}`;
        // One transaction: if the codes cannot be written to the file, they are not created either.
        const { written, drawn } = await database.transaction(async (tx) => {
          const count = await drawMissingCodes(tx, accountId, electionId);
          await recordAudit(tx, accountId, {
            actor: context.operator,
            action: 'ballot-codes.print',
            target: number,
            details: { drawn: count, format: options.format },
          });
          const codes = readCodes(tx, accountId, electionId, options.voter);
          const first = await codes.next();
          if (first.done && options.voter !== undefined) {
            throw new CommandError(`Voter ${options.voter} has no ballot in election ${number}.`);
          }
          return { written: await write(options, startingWith(first, codes), urlOf), drawn: count };
        });
        context.print(`${written} codes written to ${options.out}, ${drawn} of them new.`);
      }),
    );
}

async function* startingWith<T>(first: IteratorResult<T>, rest: AsyncIterable<T>) {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

async function write(
  { format, out }: QrOptions,
  codes: AsyncIterable<BallotCode>,
  urlOf: (code: BallotCode) => string,
): Promise<number> {
  try {
    return await (format === 'csv'
      ? writeTable(out, codes, urlOf)
      : writeDrawings(out, format, codes, urlOf));
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new CommandError(`${out} cannot be written: ${error.message}`);
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

const columns = ['VoterID', 'BallotNumber', 'BallotGuid', 'Url'];

async function writeTable(
  path: string,
  codes: AsyncIterable<BallotCode>,
  urlOf: (code: BallotCode) => string,
): Promise<number> {
  const file = await open(path, 'w', 0o600);
  let count = 0;
  const lines = async function* () {
    yield `${columns.join(',')}\r\n`;
    for await (const code of codes) {
      count += 1;
      const cells = [code.registration_id, code.ballot_number, code.guid, urlOf(code)];
      yield `${cells.map(quote).join(',')}\r\n`;
    }
  };
  await pipeline(Readable.from(lines()), file.createWriteStream());
  return count;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

async function writeDrawings(
  folder: string,
  format: 'png' | 'svg',
  codes: AsyncIterable<BallotCode>,
  urlOf: (code: BallotCode) => string,
): Promise<number> {
  await mkdir(folder, { recursive: true });
  let count = 0;
  for await (const code of codes) {
    const name = [code.registration_id, code.ballot_number, code.ballot_id]
      .filter((part) => part !== '')
      .map((part) => String(part).replaceAll(/[^\w-]/g, '_'))
      .join('-');
    const drawing = format === 'png' ? drawQrPng(urlOf(code)) : drawQrSvg(urlOf(code));
    await writeFile(join(folder, `${name}.${format}`), drawing, { mode: 0o600 });
    count += 1;
  }
  return count;
}
