import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
import { type CommandContext, CommandError, requireAccount } from './context.ts';

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
    .description('draw the QR codes with which voters sign in from their ballots')
    .requiredOption('--account <subdomain>', 'whose ballots')
    .requiredOption('--election <number>', 'the election, by its number')
    .requiredOption('--out <path>', 'a file for csv; a folder for png and svg, one file per ballot')
    .option('--voter <id>', "only this voter's, by the office's voter ID")
    .addOption(
      new Option('--format <format>', 'csv for a print shop, or drawings')
        .choices(['csv', 'png', 'svg'])
        .default('csv'),
    )
    .action((options: QrOptions) =>
      context.withDatabase(async (database, config) => {
        const { accountId, subdomain } = await requireAccount(database, options.account);
        const elections = await listElections(database.system, accountId);
        const election = elections.find(({ number }) => number === options.election);
        if (!election) {
          const known = elections.map(({ number }) => number).join(', ') || 'none';
          throw new CommandError(`There is no election ${options.election}. There are: ${known}.`);
        }
        const { electionId } = election;
        const drawn = await database.transaction(async (tx) => {
          const count = await drawMissingCodes(tx, accountId, electionId);
          await recordAudit(tx, accountId, {
            actor: context.operator,
            action: 'ballot-codes.print',
            target: options.election,
            details: { drawn: count, format: options.format },
          });
          return count;
        });
        const codes = readCodes(database.system, accountId, electionId, options.voter);
        const urlOf = ({ guid }: BallotCode) =>
          `${originOf(config, subdomain)}/voter/qr-login?guid=${guid}`;
        const written =
          options.format === 'csv'
            ? await writeTable(options.out, codes, urlOf)
            : await writeDrawings(options.out, options.format, codes, urlOf);
        context.print(`${written} codes written to ${options.out}, ${drawn} of them drawn now.`);
      }),
    );
}

const columns = ['VoterID', 'BallotNumber', 'BallotGuid', 'Url'];

async function writeTable(
  path: string,
  codes: AsyncIterable<BallotCode>,
  urlOf: (code: BallotCode) => string,
): Promise<number> {
  const file = createWriteStream(path, { mode: 0o600 });
  file.write(`${columns.join(',')}\r\n`);
  let count = 0;
  for await (const code of codes) {
    const cells = [code.registration_id, code.ballot_number, code.guid, urlOf(code)];
    if (!file.write(`${cells.map(quote).join(',')}\r\n`)) await once(file, 'drain');
    count += 1;
  }
  file.end();
  await once(file, 'finish');
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
