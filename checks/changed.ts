/** Which tests a change touches: `npm test -- changed`. */
import { execFileSync } from 'node:child_process';

export interface Selection {
  /** Sources whose tests are found by what imports them. */
  readonly sources: readonly string[];
  /** Tests, by the beginning of their paths, that read changed data. */
  readonly readers: readonly string[];
  readonly journeys: readonly string[];
}

/** Files that tests read and do not import, with the tests that read them. */
const data: readonly (readonly [changed: RegExp, readers: readonly string[]])[] = [
  [/^database\//, ['server/', 'testing/']],
  [
    /^locales\//,
    [
      'checks/locales/',
      'server/src/modules/locales/',
      'server/src/modules/translations/',
      'server/src/modules/notifications/texts/',
      'web/',
    ],
  ],
  [/^demo\//, ['demo/', 'server/src/commands/']],
  [/formats\/.*\.json$/, ['server/src/modules/imports/', 'server/src/commands/']],
  [/^deploy\//, ['testing/watched', 'testing/units']],
  [/\.md$/, ['checks/']],
  [/^checks\/fixtures\//, ['checks/']],
  [/^web\/(vite\.config|build\/|.*\.css)/, ['web/']],
];

/** Journeys by the beginning of their names; what is not named here is gone through by the first two. */
const ways: readonly (readonly [changed: RegExp, journeys: RegExp])[] = [
  [/(features\/login|modules\/sessions|modules\/voters)\//, /^(login|qr-login|log-out|no-county)/],
  [/(features\/dashboard|modules\/ballots|modules\/mail-pieces)\//, /^(dashboard|voter-details)/],
  [/(features\/preferences|modules\/preferences)\//, /^(preferences|confirm-email|unsubscribe)/],
  [/(features\/(confirm|unsubscribe)|modules\/notifications)/, /^(confirm-email|unsubscribe)/],
  [/modules\/(flags|analytics)\//, /^(flags|analytics)/],
  [/modules\/(content|pages|sites)\//, /^(pages|routes|modals)/],
  [/^web\/src\/shell\//, /^(shell|modals|language-menu|log-out|idle|errors)/],
  [/^web\/src\/ui\//, /^(preferences|login|access)/],
  [/^web\/src\/app\//, /^(routes|errors|idle|shell)/],
  [/^(locales\/|web\/.*\.css$)/, /^access/],
  [
    /^(web\/|contract\/src\/|server\/src\/(api|start|worker|platform\/)|database\/)/,
    /^(login\.|dashboard\.)/,
  ],
];

/**
 * @param change paths from the root, of files that changed or are gone
 * @param journeys all journeys' paths, `e2e/NAME.test.ts`
 */
export function selectTests(change: readonly string[], journeys: readonly string[]): Selection {
  const sources = change.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('e2e/'));
  const readers = data.flatMap(([changed, tests]) =>
    change.some((file) => changed.test(file)) ? tests : [],
  );
  // A helper of the journeys may be in any of them.
  const isHelper = (file: string) => file.startsWith('e2e/') && !file.endsWith('.test.ts');
  const chosen = journeys.filter((journey) => {
    if (change.some((file) => file === journey || isHelper(file))) return true;
    const name = journey.slice('e2e/'.length);
    return ways.some(
      ([changed, way]) =>
        way.test(name) && change.some((file) => changed.test(file) && !/\.test\.tsx?$/.test(file)),
    );
  });
  return { sources, readers: [...new Set(readers)], journeys: chosen };
}

/** What differs from main, committed or not; on main itself, what is not committed. */
export function readChange(): string[] {
  const changed = git('diff', '--name-only', '--no-renames', readBase());
  return [...new Set([...changed, ...readUnknown()])].sort();
}

/** Where the change began. */
export function readBase(): string {
  const [base = 'HEAD'] = git('merge-base', 'HEAD', 'main');
  return base;
}

/** New files that git does not know yet. */
export function readUnknown(): string[] {
  return git('ls-files', '--others', '--exclude-standard');
}

function git(...parameters: string[]): string[] {
  return execFileSync('git', parameters, { encoding: 'utf8' }).split('\n').filter(Boolean);
}
