import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBeacon } from '../server/src/cli.ts';
import { type Clock, systemClock } from '../server/src/platform/clock.ts';
import { urlsOfLogins } from '../server/src/platform/logins.ts';

const cli = fileURLToPath(new URL('../server/src/cli.ts', import.meta.url));

export interface CommandResult {
  /** Null when the process was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as an operator runs it, over a test's database. */
export interface Beacon {
  /** A folder of the test's own, also its BEACON_DATA. */
  readonly folder: string;
  /** The path of a file in the folder, there or not. */
  path(name: string): string;
  /**
   * Runs a verb in this process, by the same door as a process of its own does: starting one takes a second, and most
   * tests are not about that. Name files by their whole path. A bug in the verb rejects.
   */
  run(...parameters: string[]): Promise<CommandResult>;
  /** Like {@link run}, but throws unless the command succeeds. @returns standard output */
  do(...parameters: string[]): Promise<string>;
  /** A process of its own, in the folder: for kills, signals and what only a process shows. */
  start(...parameters: string[]): { child: ChildProcess; result: Promise<CommandResult> };
  /** Writes a file into the folder. @returns its path */
  write(name: string, content: string | Uint8Array): string;
  remove(): void;
}

/**
 * @param options.clock of the verbs that run in this process
 * @param options.environment more of their settings
 * @param options.onOutput hears what such a verb prints, while it runs
 */
export function createBeacon(
  databaseUrl: string,
  {
    clock = systemClock,
    environment = {},
    onOutput,
  }: {
    readonly clock?: Clock;
    readonly environment?: Readonly<Record<string, string>>;
    readonly onOutput?: (text: string) => void;
  } = {},
): Beacon {
  const folder = mkdtempSync(join(tmpdir(), 'beacon-test-'));
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DATABASE_URL: databaseUrl,
    ...(databaseUrl !== '' && { DATABASE_OFFICE_URL: urlsOfLogins(databaseUrl).officeUrl }),
    BEACON_DATA: folder,
    BEACON_OPERATOR: 'tester',
    // Where a person's own sign-ins are kept.
    XDG_STATE_HOME: join(folder, 'state'),
    ...environment,
  };

  const start: Beacon['start'] = (...parameters) => {
    const child = spawn(process.execPath, [cli, ...parameters], { env, cwd: folder });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output.stderr += text;
    });
    const result = new Promise<CommandResult>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, ...output }));
    });
    return { child, result };
  };
  const run: Beacon['run'] = async (...parameters) => {
    const output = { stdout: '', stderr: '' };
    const code = await runBeacon(parameters, {
      environment: env,
      clock,
      writeOutput(text) {
        onOutput?.(text);
        output.stdout += text;
      },
      writeError(text) {
        output.stderr += text;
      },
      terminal: undefined,
      onInterrupt: () => () => {},
    });
    return { code, ...output };
  };

  return {
    folder,
    path: (name) => join(folder, name),
    start,
    run,
    async do(...parameters) {
      const { code, stdout, stderr } = await run(...parameters);
      if (code !== 0) {
        throw new Error(`beacon ${parameters.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
      }
      return stdout;
    },
    write(name, content) {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
