import { readdirSync, readFileSync } from 'node:fs';
import { StateRules } from './rule.ts';

/** States, the district and territories that hold elections, as the mail abbreviates them. */
const stateLetters = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA ' +
    'RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI'
  ).split(' '),
);

/** @param letters two letters of any case */
export function isState(letters: string): boolean {
  return stateLetters.has(letters.toUpperCase());
}

const directory = new URL('./states/', import.meta.url);

/**
 * By two capital letters. Read with the program that knows their shape: while a version is being replaced, a running process
 * would otherwise meet files of the next one, and refuse every voter of that state.
 */
const statesRules: ReadonlyMap<string, StateRules> = new Map(
  readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [
      name.slice(0, -'.json'.length).toUpperCase(),
      StateRules.parse(JSON.parse(readFileSync(new URL(name, directory), 'utf8'))),
    ]),
);

/** Two capital letters of each state whose rules the product knows, in order. */
export function listStates(): string[] {
  return [...statesRules.keys()];
}

/**
 * @param state two letters of any case
 * @returns null when no rules of the state are known
 */
export function readStateRules(state: string): StateRules | null {
  return statesRules.get(state.toUpperCase()) ?? null;
}
