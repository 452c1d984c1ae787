#!/usr/bin/env -S node --max-semi-space-size=4 --initial-old-space-size=48
// An import makes millions of short-lived objects: so little room for them keeps its memory flat.
import { Command, CommanderError } from 'commander';
import * as account from './commands/account.ts';
import * as audit from './commands/audit.ts';
import * as ballot from './commands/ballot.ts';
import {
  type CommandContext,
  CommandError,
  createCommandContext,
  exitCodes,
} from './commands/context.ts';
import * as correct from './commands/correct.ts';
import * as election from './commands/election.ts';
import * as faq from './commands/faq.ts';
import * as flag from './commands/flag.ts';
import * as format from './commands/format.ts';
import * as imb from './commands/imb.ts';
import * as importCommand from './commands/import.ts';
import * as imports from './commands/imports.ts';
import * as locale from './commands/locale.ts';
import * as messagePreview from './commands/message-preview.ts';
import * as noBallot from './commands/no-ballot.ts';
import * as outbox from './commands/outbox.ts';
import * as qr from './commands/qr.ts';
import * as release from './commands/release.ts';
import * as releaseNote from './commands/release-note.ts';
import * as report from './commands/report.ts';
import * as scanPush from './commands/scan-push.ts';
import * as session from './commands/session.ts';
import * as translation from './commands/translation.ts';
import * as voter from './commands/voter.ts';
import * as watch from './commands/watch.ts';

const commands = [
  account,
  election,
  importCommand,
  watch,
  imports,
  imb,
  format,
  release,
  correct,
  outbox,
  messagePreview,
  audit,
  voter,
  ballot,
  report,
  locale,
  faq,
  flag,
  noBallot,
  qr,
  releaseNote,
  scanPush,
  session,
  translation,
];

/** @returns the exit code; see {@link exitCodes} */
async function run(parameters: readonly string[], context: CommandContext): Promise<number> {
  const program = new Command('beacon')
    .description("Ballot Beacon's command line: offices, elections, files, messages")
    .showHelpAfterError('Add --help to see what this command takes.')
    .exitOverride();
  for (const { register } of commands) register(program, context);
  try {
    await program.parseAsync(parameters, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    }
    if (error instanceof CommandError) {
      process.stderr.write(`${error.message}\n`);
      return error.exitCode;
    }
    throw error;
  }
}

process.exitCode = await run(process.argv.slice(2), createCommandContext());
