import { spawn } from 'node:child_process';
import process from 'node:process';

/** Takes what a program prints. */
export type Say = (text: string) => void;

/** No step takes half of this on two free cores. A step that hangs is ended, so that the rest still report. */
const stepMinutes = 50;

/**
 * Exit code of a program of node_modules/.bin or PATH.
 *
 * @param options.say where its output goes; without it, straight to our own.
 */
export function start(
  command: string,
  args: readonly string[],
  { say, env = {} }: { say?: Say; env?: Record<string, string> },
): Promise<number> {
  return new Promise((resolve) => {
    const speak = say ?? ((text) => void process.stdout.write(text));
    const output = say ? 'pipe' : 'inherit';
    const child = spawn(command, args, {
      stdio: ['ignore', output, output],
      env: { ...process.env, ...env },
      timeout: stepMinutes * 60_000,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => speak(text));
    }
    child.once('error', (error) => {
      speak(`${command} does not start: ${error.message}. Run \`npm ci\`.\n`);
      resolve(1);
    });
    child.once('close', (code, signal) => {
      if (signal) speak(`${command} was ended by ${signal}.\n`);
      resolve(code ?? 1);
    });
  });
}
