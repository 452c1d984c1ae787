/**
 * Runs commands for the journeys of one worker, by the door that a process of their own goes through: starting one takes
 * a second, and an office of a journey's own takes five commands. Ends with the worker.
 */
import process from 'node:process';
import { runBeacon } from '../server/src/cli.ts';
import { systemClock } from '../server/src/platform/clock.ts';

export interface CommandRequest {
  readonly number: number;
  readonly parameters: readonly string[];
}

export interface CommandReply {
  readonly number: number;
  readonly exitCode: number;
  /** Standard output and error. */
  readonly output: string;
}

process.on('disconnect', () => process.exit());
process.on('message', async ({ number, parameters }: CommandRequest) => {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const exitCode = await runBeacon(parameters, {
    environment: process.env,
    clock: systemClock,
    writeOutput: write,
    writeError: write,
    terminal: undefined,
    onInterrupt: () => () => {},
  }).catch((error: Error) => {
    write(`${error.stack}\n`);
    return 1;
  });
  const reply: CommandReply = { number, exitCode, output };
  process.send?.(reply);
});
