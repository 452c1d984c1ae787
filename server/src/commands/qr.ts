import { type Command, Option } from 'commander';
import { listElections } from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import { countCodes, drawMissingCodes, readCodes } from '../modules/ballots/index.ts';
import { originOf } from '../modules/notifications/index.ts';
import { sheetOfBallots } from '../modules/qr-codes/index.ts';
import { type CommandContext, CommandError, requireAccount, requireElection } from './context.ts';
import { writeQrFiles } from './qr-files.ts';
import { type LetterOptions, writeLetterCodes } from './qr-letters.ts';

interface QrOptions extends LetterOptions {
  readonly account: string;
  readonly election: string;
  readonly letters?: true;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('qr')
    .description('create the QR codes with which voters sign in: on ballots, or in letters')
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--election <number>', "the election's number")
    .requiredOption('--out <path>', 'a file for csv; a folder for png and svg, one file per ballot')
    .option('--voter <id>', "only the codes of this voter (the office's voter ID)")
    .option(
      '--letters',
      'codes for letters to confidential voters, who can sign in in no other way',
    )
    .option('--renew', 'with --letters: replace the codes that still work, too')
    .addOption(
      new Option('--format <format>', 'csv for a print shop, or images')
        .choices(['csv', 'png', 'svg'])
        .default('csv'),
    )
    .action((options: QrOptions) =>
      context.withDatabase(async (database, config) => {
        const account = await requireAccount(database, options.account);
        const { accountId, subdomain } = account;
        const elections = await listElections(database.system, accountId);
        const election = requireElection(elections, options.election);
        const { electionId, number } = election;
        if (options.letters)
          return writeLetterCodes(context, { database, config }, account, election, options);
        if (options.renew)
          throw new CommandError('--renew needs --letters. Codes on ballots never change.');
        const sheet = sheetOfBallots(originOf(config, subdomain));
        // One transaction: if the codes cannot be written to the file, they are not created either.
        const { written, drawn } = await database.transaction(async (tx) => {
          const count = await drawMissingCodes(tx, accountId, electionId);
          await recordAudit(tx, accountId, {
            actor: context.operator,
            action: 'ballot-codes.print',
            target: number,
            details: { drawn: count, format: options.format },
          });
          const { voter } = options;
          if (voter && (await countCodes(tx, accountId, electionId, voter)) === 0)
            throw new CommandError(`Voter ${voter} has no ballot in election ${number}.`);
          const codes = readCodes(tx, accountId, electionId, voter);
          const written = await writeQrFiles(options, codes, sheet);
          return { written, drawn: count };
        });
        context.print(`${written} codes written to ${options.out}, ${drawn} of them new.`);
      }),
    );
}
