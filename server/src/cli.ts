import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { exitCodes, processSurroundings, type Surroundings } from './commands/surroundings.ts';
import { verbs } from './commands/verbs.ts';

/**
 * The command line's door. It keeps nothing in the process, so any number may run at once.
 *
 * @returns the exit code; see {@link exitCodes}
 */
export async function runBeacon(
  parameters: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { writeOutput, writeError } = surroundings;
  const program = new Command('beacon')
    .description("Ballot Beacon's command line: offices, elections, files, messages")
    .showHelpAfterError('Add --help to see what this command takes.')
    .configureOutput({ writeOut: writeOutput, writeErr: writeError })
    .exitOverride();
  const [name = ''] = parameters;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  try {
    if (verb) return await runVerb(await verb.load());
    for (const [each, { description }] of Object.entries(verbs))
      program.command(each).description(description);
    await program.parseAsync(parameters, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }

  async function runVerb({ register }: Awaited<ReturnType<NonNullable<typeof verb>['load']>>) {
    const { createCommandContext, explainFailure } = await import('./commands/context.ts');
    const context = createCommandContext(surroundings);
    register(program, context);
    try {
      await program.parseAsync(parameters, { from: 'user' });
      return exitCodes.done;
    } catch (error) {
      const failure = explainFailure(error);
      if (!failure) throw error;
      context.writeError(`${failure.message}\n`);
      return failure.exitCode;
    }
  }
}

if (import.meta.main) {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A reader such as head stops reading before the end. The command still does its work.
    if (code === 'EPIPE' || process.exitCode === exitCodes.failed) return;
    process.exitCode = exitCodes.failed;
    process.stderr.write(
      `What the command prints cannot be written (${code}). Make room and run it again.\n`,
    );
  });
  // In the user's own folder: a person who can write the cache can run code as the user.
  enableCompileCache(
    join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ballot-beacon'),
  );
  const exitCode = await runBeacon(process.argv.slice(2), processSurroundings).catch(
    async (error: unknown) => {
      const { codeOf, stackOf } = await import('./platform/log.ts');
      // Not its message, which may quote a voter's data.
      process.stderr.write(
        `The command failed in a way that nobody foresaw (${codeOf(error)}). Show this line to the person who looks after the product: ${stackOf(error)}\n`,
      );
      return exitCodes.failed;
    },
  );
  process.exitCode ||= exitCode;
}
