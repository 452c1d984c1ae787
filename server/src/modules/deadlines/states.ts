import { readdir, readFile } from 'node:fs/promises';
import { StateRules } from './rule.ts';

const directory = new URL('./states/', import.meta.url);

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

/** Two capital letters of each state whose rules the product knows, in order. */
export async function listStates(): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.json'));
  return names.map((name) => name.slice(0, -'.json'.length).toUpperCase()).sort();
}

/**
 * @param state two letters of any case
 * @returns null when no rules of the state are known
 */
export async function readStateRules(state: string): Promise<StateRules | null> {
  const wanted = state.toUpperCase();
  if (!(await listStates()).includes(wanted)) return null;
  const file = new URL(`${wanted.toLowerCase()}.json`, directory);
  return StateRules.parse(JSON.parse(await readFile(file, 'utf8')));
}
