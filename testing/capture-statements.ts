import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { type CapturedStatement, statementKey, statementsFolder } from './captured-statements.ts';

/**
 * Set-up file of the server's tests: keeps every statement that the product runs in them and the role that runs it, so that
 * `npm test -- plans` can ask PostgreSQL for the plan of each on a filled database. One file per test file, so that
 * running some tests renews their statements and leaves the others.
 */
const root = path.resolve(import.meta.dirname, '..');
const captured = new Map<string, CapturedStatement>();
/** Connections that serve visitors: each runs the binding to that role before anything else. */
const apiClients = new WeakSet<pg.Client>();
const takesRole = /set_config\('role', 'beacon_api'/;
/** From a statement back to the function that wrote it, over the awaits of Kysely. */
const deepestStack = 40;

interface Submitted {
  readonly text?: unknown;
}

type Submit = (this: pg.Client, ...parameters: unknown[]) => unknown;

/** pg's own method: the files of a worker share pg, and each brings its own list of statements. */
const original = Symbol.for('ballot-beacon.pg-query');
const prototype = pg.Client.prototype as unknown as { query: Submit; [original]?: Submit };
prototype[original] ??= prototype.query;
const submit = prototype[original];
prototype.query = function query(...parameters) {
  const [first] = parameters;
  const text = typeof first === 'string' ? first : (first as Submitted | undefined)?.text;
  if (typeof text === 'string') {
    if (takesRole.test(text)) apiClients.add(this);
    remember(text, apiClients.has(this) ? 'beacon_api' : 'owner');
  }
  return submit.apply(this, parameters);
};

function remember(text: string, role: CapturedStatement['role']): void {
  const key = statementKey({ text, role });
  if (captured.has(key)) return;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = deepestStack;
  const lines = new Error().stack?.split('\n') ?? [];
  Error.stackTraceLimit = limit;
  const places = lines.flatMap((line) => /(server\/src\/[^:)]+\.ts)(?::(\d+))?/.exec(line) ?? []);
  const place = lines
    .map((line) => /(server\/src\/(?!platform\/)[^:)]+\.ts:\d+)/.exec(line)?.[1])
    .find((found) => found !== undefined && !found.includes('.test.ts'));
  if (places.length === 0 || place === undefined) return;
  captured.set(key, { text, origin: place, role });
}

afterAll(() => {
  const file = path.relative(root, expect.getState().testPath ?? 'unknown');
  const name = createHash('sha256').update(file).digest('hex').slice(0, 16);
  mkdirSync(statementsFolder, { recursive: true });
  writeFileSync(
    path.join(statementsFolder, `${name}.json`),
    JSON.stringify({ file, statements: [...captured.values()] }),
  );
});
