import { stat } from 'node:fs/promises';
import type { Account, Election } from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import { originOf } from '../modules/notifications/index.ts';
import { sheetOfLetters } from '../modules/qr-codes/index.ts';
import {
  drawLetterCodes,
  isOverForLetters,
  lastDayOfLetterCode,
  letterCodeLifetimeMs,
} from '../modules/sessions/index.ts';
import { formatDate, localDay } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/postgres.ts';
import { type CommandContext, CommandError } from './context.ts';
import { type QrFileOptions, writeQrFiles } from './qr-files.ts';

export interface LetterOptions extends QrFileOptions {
  readonly voter?: string;
  readonly renew?: true;
}

/** Creates the codes of an office's letters to its confidential voters, and writes them: they cannot be read again. */
export async function writeLetterCodes(
  context: CommandContext,
  { database, config }: { readonly database: Database; readonly config: Config },
  { accountId, subdomain, timeZone }: Account,
  election: Election,
  options: LetterOptions,
): Promise<void> {
  const now = context.clock.now();
  const { electionId, number } = election;
  if (isOverForLetters(election, localDay(now, timeZone)))
    throw new CommandError(
      `Election ${number} is over, and its codes would sign nobody in. Name an election that is ahead.`,
    );
  await refuseWritten(options);
  const expiresAt = new Date(now.getTime() + letterCodeLifetimeMs);
  const lastDay = lastDayOfLetterCode(expiresAt, timeZone);
  const sheet = sheetOfLetters(originOf(config, subdomain), lastDay);
  // One transaction: if the codes cannot be written to the file, the voters keep those that they have.
  const { written, withoutBirthdate } = await database.transaction(async (tx) => {
    const drawn = await drawLetterCodes(tx, {
      accountId,
      electionId,
      registrationId: options.voter,
      isRenewal: options.renew === true,
      now,
      expiresAt,
    });
    if (options.voter !== undefined && drawn.codes.length === 0)
      throw new CommandError(explainNone(options.voter, drawn.withoutBirthdate > 0));
    await recordAudit(tx, accountId, {
      actor: context.operator,
      action: 'letter-codes.print',
      target: number,
      details: { drawn: drawn.codes.length, format: options.format },
    });
    const written = await writeQrFiles(options, drawn.codes, sheet);
    return { written, withoutBirthdate: drawn.withoutBirthdate };
  });
  context.print(
    written === 0
      ? 'No new codes. Every confidential voter who can sign in has one; --renew replaces them all.'
      : `${written} letter codes written to ${options.out}. They cannot be shown again. They work until ${formatDate(lastDay)} or until election ${number} ends.`,
  );
  if (withoutBirthdate > 0)
    context.print(
      `${withoutBirthdate} confidential voters have no birth date on the roll, so they cannot sign in with a code.`,
    );
}

/** The codes of an earlier run are in its file alone. @throws {CommandError} */
async function refuseWritten({ format, out }: LetterOptions): Promise<void> {
  const found = await stat(out).catch(() => undefined);
  if (format === 'csv' && found?.isFile())
    throw new CommandError(
      `${out} is there already, and the codes in it cannot be shown again. Name a file that is not.`,
    );
}

function explainNone(voter: string, hasNoBirthdate: boolean): string {
  return hasNoBirthdate
    ? `Voter ${voter} has no birth date on the roll and could not sign in with a code.`
    : `The roll has no active confidential voter ${voter}. Other voters sign in with their details or their ballot's QR code.`;
}
