import type { Election } from '../../accounts/index.ts';
import type { ElectionIndex } from './ballots/rows.ts';

/** Finds an account's elections as files name them. Two on one day are told apart only by number. */
export function indexElections(elections: readonly Election[]): {
  byNumber: ElectionIndex;
  byDay: ElectionIndex;
} {
  const byNumber = new Map(elections.map((one) => [one.number, one.electionId]));
  return {
    byNumber: { find: (number) => byNumber.get(number) },
    byDay: {
      find: (day) => {
        const [first, second] = elections.filter((one) => one.electionDate === day);
        return second ? undefined : first?.electionId;
      },
    },
  };
}
