#!/usr/bin/env -S node --max-semi-space-size=4 --initial-old-space-size=48
// An import creates millions of short-lived objects; a small space for them keeps memory use flat.
import { Command, CommanderError } from 'commander';
import {
  CommandError,
  createCommandContext,
  exitCodes,
  processSurroundings,
  type Surroundings,
} from './commands/context.ts';

/** Each command's file, loaded only when needed: all together take a second and a hundred megabytes. */
const commands = {
  account: () => import('./commands/account.ts'),
  alert: () => import('./commands/alert.ts'),
  election: () => import('./commands/election.ts'),
  import: () => import('./commands/import.ts'),
  watch: () => import('./commands/watch.ts'),
  imports: () => import('./commands/imports.ts'),
  imb: () => import('./commands/imb.ts'),
  format: () => import('./commands/format.ts'),
  release: () => import('./commands/release.ts'),
  correct: () => import('./commands/correct.ts'),
  cure: () => import('./commands/cure.ts'),
  outbox: () => import('./commands/outbox.ts'),
  sending: () => import('./commands/sending.ts'),
  message: () => import('./commands/message.ts'),
  audit: () => import('./commands/audit.ts'),
  doctor: () => import('./commands/doctor.ts'),
  migrate: () => import('./commands/migrate.ts'),
  voter: () => import('./commands/voter.ts'),
  ballot: () => import('./commands/ballot.ts'),
  report: () => import('./commands/report.ts'),
  locale: () => import('./commands/locale.ts'),
  faq: () => import('./commands/faq.ts'),
  flag: () => import('./commands/flag.ts'),
  'no-ballot': () => import('./commands/no-ballot.ts'),
  qr: () => import('./commands/qr.ts'),
  'release-note': () => import('./commands/release-note.ts'),
  'scan-push': () => import('./commands/scan-push.ts'),
  session: () => import('./commands/session.ts'),
  translation: () => import('./commands/translation.ts'),
};

/**
 * The command line's door. It keeps nothing in the process, so any number may run at once.
 *
 * @returns the exit code; see {@link exitCodes}
 */
export async function runBeacon(
  parameters: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const context = createCommandContext(surroundings);
  const program = new Command('beacon')
    .description("Ballot Beacon's command line: offices, elections, files, messages")
    .showHelpAfterError('Add --help to see what this command takes.')
    .configureOutput({ writeOut: context.writeOutput, writeErr: context.writeError })
    .exitOverride();
  const [verb = ''] = parameters;
  // Help and unknown commands need all of them.
  const wanted = Object.hasOwn(commands, verb)
    ? [commands[verb as keyof typeof commands]]
    : Object.values(commands);
  for (const load of wanted) (await load()).register(program, context);
  try {
    await program.parseAsync(parameters, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    }
    if (error instanceof CommandError) {
      context.writeError(`${error.message}\n`);
      return error.exitCode;
    }
    throw error;
  }
}

if (import.meta.main) {
  // A reader such as head stops reading before the end. The command still does its work.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.exitCode = await runBeacon(process.argv.slice(2), processSurroundings);
}
