import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
  run(...parameters: string[]): Promise<CommandResult>;
  /** Like {@link run}, but throws unless the command succeeds. @returns standard output */
  do(...parameters: string[]): Promise<string>;
  start(...parameters: string[]): { child: ChildProcess; result: Promise<CommandResult> };
  /** Writes a file into the folder. @returns its path */
  write(name: string, content: string | Uint8Array): string;
  remove(): void;
}

export function createBeacon(databaseUrl: string): Beacon {
  const folder = mkdtempSync(join(tmpdir(), 'beacon-test-'));
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    BEACON_DATA: folder,
    BEACON_OPERATOR: 'tester',
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
  const run: Beacon['run'] = (...parameters) => start(...parameters).result;

  return {
    folder,
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
