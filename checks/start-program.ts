import { spawn } from 'node:child_process';
import process from 'node:process';

/** Takes what a program prints. */
export type Say = (text: string) => void;

/** No step of `npm test` takes half of this on two free cores. A step that hangs is ended, so that the rest still report. */
const usualMinutes = 50;

export interface StartOptions {
  /** Where its output goes; without it, straight to our own. */
  readonly say?: Say;
  /** Beside our own environment. */
  readonly env?: Record<string, string>;
  /** After these it is ended. */
  readonly minutes?: number;
}

/** Exit code of a program of node_modules/.bin or PATH. */
export function start(
  command: string,
  args: readonly string[],
  { say, env = {}, minutes = usualMinutes }: StartOptions,
): Promise<number> {
  return new Promise((resolve) => {
    const speak = say ?? ((text) => void process.stdout.write(text));
    const output = say ? 'pipe' : 'inherit';
    const child = spawn(command, args, {
      stdio: ['ignore', output, output],
      env: { ...process.env, ...env },
      timeout: minutes * 60_000,
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
