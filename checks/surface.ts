import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { calls } from '../contract/src/calls.ts';
import { officeCalls } from '../contract/src/office/calls.ts';
import { runBeacon } from '../server/src/cli.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { digest, digestTexts, type Surface } from './changelog.ts';

const root = path.dirname(import.meta.dirname);

/** What users can see of the product as it is in this tree, for `findChanges`. */
export async function readSurface(): Promise<Surface> {
  return { ...readCalls(), ...(await readCommands([])), ...readSettings(), ...readTexts() };
}

function readCalls(): Surface {
  return Object.fromEntries(
    Object.values({ ...calls, ...officeCalls }).map(({ method, path }) => [
      `${method} ${path}`,
      '',
    ]),
  );
}

/** A command, its options and the commands below it, as its own help lists them. */
async function readCommands(words: readonly string[]): Promise<Surface> {
  const help = await readHelp(words);
  const name = ['beacon', ...words].join(' ');
  const options = listIn(help, 'Options:', /^ {2}(?:-\w, )?(--[\w-]+)/gm).filter(
    (option) => option !== '--help',
  );
  const below = listIn(help, 'Commands:', /^ {2}([a-z][\w-]*)/gm).filter((word) => word !== 'help');
  const surfaces = await Promise.all(below.map((word) => readCommands([...words, word])));
  return Object.assign(
    words.length > 0 ? { [name]: '' } : {},
    ...options.map((option) => ({ [`${name} ${option}`]: '' })),
    ...surfaces,
  );
}

async function readHelp(words: readonly string[]): Promise<string> {
  let help = '';
  await runBeacon([...words, '--help'], {
    environment: {},
    clock: systemClock,
    writeOutput: (text) => {
      help += text;
    },
    writeError: () => {},
    terminal: undefined,
    onInterrupt: () => () => {},
  });
  return help;
}

function listIn(help: string, heading: string, pattern: RegExp): string[] {
  const part = help.split(`\n${heading}\n`)[1]?.split('\n\n')[0] ?? '';
  return [...part.matchAll(pattern)].map(([, name]) => name ?? '');
}

/** Those of README.md, which a test of its own compares with the code. */
function readSettings(): Surface {
  const settings = readFileSync(path.join(root, 'README.md'), 'utf8').split('\n## Settings\n')[1];
  const names = [...(settings?.split('\n## ')[0] ?? '').matchAll(/^\| `([A-Z_]+)`/gm)];
  return Object.fromEntries(names.map(([, name]) => [name, '']));
}

/** The English texts: every other language follows them. */
function readTexts(): Surface {
  const folder = path.join(root, 'locales/english');
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  const pages = globSync('pages/*', { cwd: folder }).sort();
  return {
    ...digestTexts(JSON.parse(read('main.json')), 'texts'),
    ...digestTexts(JSON.parse(read('messages.json')), 'messages'),
    ...Object.fromEntries(pages.map((page) => [page, digest([read(page)])])),
  };
}
