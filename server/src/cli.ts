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
    const { CommandError, createCommandContext } = await import('./commands/context.ts');
    const context = createCommandContext(surroundings);
    register(program, context);
    try {
      await program.parseAsync(parameters, { from: 'user' });
      return exitCodes.done;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      context.writeError(`${error.message}\n`);
      return error.exitCode;
    }
  }
}

if (import.meta.main) {
  // A reader such as head stops reading before the end. The command still does its work.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  // In the user's own folder: a person who can write the cache can run code as the user.
  enableCompileCache(
    join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ballot-beacon'),
  );
  process.exitCode = await runBeacon(process.argv.slice(2), processSurroundings);
}
