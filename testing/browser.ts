import { existsSync } from 'node:fs';
import process from 'node:process';
import { findProgram, installPackages, isExecutable, isOffered, mayInstall } from './debian.ts';

/** Fonts for every script the product uses, by Debian package, with a file that shows whether it is installed. */
const fonts = {
  'fonts-noto-core': '/usr/share/fonts/truetype/noto/NotoSansKhmer-Regular.ttf',
  'fonts-noto-cjk': '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
};
/** The same engine without the windows around it, at half the work for a journey. Not every Debian has it. */
const headlessPackage = 'chromium-headless-shell';
const headlessNames = [headlessPackage, 'chrome-headless-shell'];
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
  return findProgram(...names);
}

/**
 * Path of a Chromium. As root on Debian, installs it and the fonts of all languages where they are missing.
 *
 * @throws with what to install when there is none and it cannot be installed.
 */
export function ensureChromium(): string {
  const found = findChromium();
  if (process.env.CHROMIUM && found) return found;
  if (!mayInstall()) {
    if (found) return found;
    throw new Error(advice);
  }

  const missing = Object.entries(fonts)
    .filter(([, file]) => !existsSync(file))
    .map(([name]) => name);
  if (!found) missing.unshift('chromium');
  if (!findProgram(...headlessNames) && isOffered(headlessPackage)) missing.push(headlessPackage);
  if (missing.length > 0) installPackages(missing, advice);
  const chromium = found ?? findChromium();
  if (!chromium) throw new Error(`apt-get installed no Chromium. ${advice}`);
  return chromium;
}

/**
 * Path of a Chromium for journeys: the headless one, or the whole one where there is no other or `CHROMIUM` names one.
 *
 * @throws as {@link ensureChromium}
 */
export function ensureHeadlessChromium(): string {
  const whole = ensureChromium();
  return process.env.CHROMIUM ? whole : (findProgram(...headlessNames) ?? whole);
}

if (import.meta.main) process.stdout.write(`${ensureHeadlessChromium()}\n`);
