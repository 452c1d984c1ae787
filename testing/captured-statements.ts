import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A statement that the product ran in a test. */
export interface CapturedStatement {
  readonly text: string;
  /** The place in the sources that ran it, as `FILE:LINE`. */
  readonly origin: string;
  /** `beacon_api` serves visitors, bound to one account by row-level security; the owner does all other work. */
  readonly role: 'owner' | 'beacon_api';
}

const root = path.resolve(import.meta.dirname, '..');

/** What the last run of each test file left; see testing/capture-statements.ts. */
export const statementsFolder = path.join(root, 'node_modules/.cache/statements');

/** Every statement of the tests that still exist, once for each role that ran it. */
export function readCapturedStatements(): CapturedStatement[] {
  if (!existsSync(statementsFolder)) return [];
  const statements = new Map<string, CapturedStatement>();
  for (const name of readdirSync(statementsFolder)) {
    const captured = JSON.parse(readFileSync(path.join(statementsFolder, name), 'utf8')) as {
      file: string;
      statements: CapturedStatement[];
    };
    if (!existsSync(path.join(root, captured.file))) continue;
    for (const statement of captured.statements) statements.set(statementKey(statement), statement);
  }
  return [...statements.values()];
}

export function statementKey({ role, text }: Pick<CapturedStatement, 'role' | 'text'>): string {
  return `${role} ${text}`;
}
