import { format } from 'node:util';
import { afterAll, afterEach } from 'vitest';

/**
 * Set-up file of every test project: what reaches `console.warn` or `console.error` unannounced fails the
 * test, since nobody reads the output of tests that pass.
 */
type Level = 'warn' | 'error';

interface Announcement {
  readonly level: Level;
  readonly pattern: RegExp;
  heard: boolean;
}

let announced: Announcement[] = [];
let unannounced: string[] = [];

for (const level of ['warn', 'error'] as const) {
  console[level] = (...values: unknown[]) => {
    const text = format(...values);
    const match = announced.find((one) => one.level === level && one.pattern.test(text));
    if (match) match.heard = true;
    else unannounced.push(`console.${level}: ${text}\n${callSite()}`);
  };
}

/**
 * Announces output that the running test is about: at least one message must match `pattern`, and any
 * number may.
 */
export function expectConsole(level: Level, pattern: RegExp): void {
  announced.push({ level, pattern, heard: false });
}

function settle(): void {
  const unheard = announced.filter((one) => !one.heard);
  const complaints = [
    ...unannounced.map((message) => `Unexpected ${message}`),
    ...unheard.map(({ level, pattern }) => `Expected console.${level} to say ${pattern}`),
  ];
  announced = [];
  unannounced = [];
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}

function callSite(): string {
  return (new Error().stack ?? '').split('\n').slice(3, 6).join('\n');
}

afterEach(settle);
// What was said outside any test, as while a file loads, counts against the file.
afterAll(settle);
