import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** Fonts for every script the product speaks, by Debian's package, with a file that tells whether it is there. */
const fonts = {
  'fonts-noto-core': '/usr/share/fonts/truetype/noto/NotoSansKhmer-Regular.ttf',
  'fonts-noto-cjk': '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
};
const debianPackages = ['chromium', ...Object.keys(fonts)];

const advice = [
  'The browser tests need Chromium. Install it and run again:',
  `  sudo apt-get install ${debianPackages.join(' ')}`,
  'or set CHROMIUM to the path of one.',
].join('\n');

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** What Chromium needs to run as root, on a machine without a display or a way out. */
export const chromiumFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Path of a Chromium: `CHROMIUM`, else the first on PATH or in /usr/bin, else undefined.
 *
 * @throws when `CHROMIUM` names a file that cannot be run: a wrong setting is not passed over.
 */
export function findChromium(): string | undefined {
  const chosen = process.env.CHROMIUM;
  if (chosen) {
    if (isExecutable(chosen)) return chosen;
    throw new Error(`CHROMIUM is ${chosen}, which is not a program that can be run.`);
  }
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin'];
  return names
    .flatMap((name) => folders.filter(Boolean).map((folder) => path.join(folder, name)))
    .find(isExecutable);
}

/**
 * Path of a Chromium. As root on Debian, installs it and the fonts of all languages where they are missing.
 *
 * @throws with what to install when there is none and it cannot be installed.
 */
export function ensureChromium(): string {
  const found = findChromium();
  if (process.env.CHROMIUM && found) return found;
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) {
    if (found) return found;
    throw new Error(advice);
  }

  const missing = Object.entries(fonts)
    .filter(([, file]) => !existsSync(file))
    .map(([name]) => name);
  if (!found) missing.unshift('chromium');
  if (missing.length > 0) {
    process.stderr.write(`Installing ${missing.join(', ')} …\n`);
    runApt('update');
    runApt('install', '--yes', '--no-install-recommends', ...missing);
  }
  const chromium = found ?? findChromium();
  if (!chromium) throw new Error(`apt-get installed no Chromium. ${advice}`);
  return chromium;
}

function runApt(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(
    '/usr/bin/apt-get',
    ['--quiet=2', '--option', 'DPkg::Lock::Timeout=300', ...args],
    { encoding: 'utf8', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } },
  );
  if (status !== 0) throw new Error(`apt-get ${args[0]} failed.\n${stdout}\n${stderr}\n${advice}`);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) process.stdout.write(`${ensureChromium()}\n`);
