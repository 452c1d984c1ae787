import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The workspaces with a build, and what each is made of. */
const sourcesOf = {
  web: ['web', 'contract/src', 'package-lock.json'],
  office: ['office', 'web/build/precompress.ts', 'web/src/ui', 'contract/src', 'package-lock.json'],
} as const;
type Workspace = keyof typeof sourcesOf;

/**
 * Builds the voters' page when it is missing or older than its sources; with no sources there (an installed image), the
 * existing build is used as it is.
 *
 * @returns whether there was anything to build.
 * @throws with the build's own message when it fails.
 */
export function ensurePageIsBuilt(): Promise<boolean> {
  return ensureBuilt('web');
}

/** The same for the console. */
export function ensureConsoleIsBuilt(): Promise<boolean> {
  return ensureBuilt('office');
}

async function ensureBuilt(workspace: Workspace): Promise<boolean> {
  if (!existsSync(path.join(root, workspace, 'src'))) return false;
  const markFile = path.join(root, workspace, 'dist', 'built-from');
  const digest = digestSources(sourcesOf[workspace]);
  if (existsSync(markFile) && readFileSync(markFile, 'utf8') === digest) return false;
  await build(workspace);
  writeFileSync(markFile, digest);
  return true;
}

function digestSources(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) addToDigest(hash, source);
  return hash.digest('hex');
}

function addToDigest(hash: ReturnType<typeof createHash>, relative: string): void {
  const file = path.join(root, relative);
  const entries = relative.includes('.') ? undefined : readdirSync(file, { withFileTypes: true });
  if (!entries) {
    hash.update(relative).update('\0').update(readFileSync(file)).update('\0');
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (['dist', 'node_modules'].includes(entry.name) || entry.name.startsWith('.')) continue;
    addToDigest(hash, path.posix.join(relative, entry.name));
  }
}

function build(workspace: Workspace): Promise<void> {
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    const child = spawn('npm', ['run', 'build', '--workspace', workspace], {
      cwd: root,
      // The same for every caller, also for tests: voters get what is built.
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) return resolve();
      const words = Buffer.concat(output).toString();
      reject(new Error(`The page could not be built:\n${words}`));
    });
  });
}
