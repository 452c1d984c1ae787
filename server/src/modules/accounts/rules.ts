import type { Election } from './election-store.ts';

/** The election with this number, however its letters are written. */
export function findElection(elections: readonly Election[], number: string): Election | undefined {
  const wanted = keyOfElection(number);
  return elections.find((one) => keyOfElection(one.number) === wanted);
}

/** Two numbers with the same key are the same election: `2026g` and `2026G `. */
export function keyOfElection(number: string): string {
  return number.trim().toLowerCase();
}
