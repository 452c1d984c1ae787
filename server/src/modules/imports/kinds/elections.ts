import { formatDate } from '../../../platform/clock.ts';
import { type Election, keyOfElection } from '../../accounts/index.ts';
import { ballotRange } from '../read/dates.ts';
import { type Cells, remember } from '../read/row-reader.ts';
import type { ElectionIndex, Reading } from './kind.ts';

/** Finds an account's elections as files name them. Two on one day are told apart only by number. */
export function indexElections(elections: readonly Election[]): {
  byNumber: ElectionIndex;
  byDay: ElectionIndex;
  known: readonly string[];
} {
  const byNumber = new Map(elections.map((one) => [keyOfElection(one.number), one.electionId]));
  return {
    known: elections.map(({ number }) => number),
    byNumber: { find: (number) => byNumber.get(keyOfElection(number)) },
    byDay: {
      find: (day) => {
        const [first, second] = elections.filter((one) => one.electionDate === day);
        return second ? undefined : first?.electionId;
      },
    },
  };
}

/** Finds each row's election, or says why the row has none. */
export function createElectionReader({
  reader,
  today,
  elections,
  election,
}: Reading): (cells: Cells) => number | { problem: string } {
  const known = elections.known.join(', ');
  const existing = known === '' ? 'You have none yet: beacon election set' : `You have: ${known}`;
  if (election !== null) {
    const id = elections.byNumber.find(election);
    const found = id ?? { problem: `election ${election} does not exist. ${existing}` };
    return () => found;
  }
  if (reader.has('election')) {
    return remember(
      reader.field('election'),
      (number) =>
        elections.byNumber.find(number) ?? {
          problem:
            number === ''
              ? 'the row names no election: give --election'
              : `election ${number} does not exist. ${existing}`,
        },
    );
  }
  if (reader.has('election_date')) {
    const label = reader.label('election_date');
    const readDay = reader.day('election_date', ballotRange(today));
    return (cells) => {
      const read = readDay(cells);
      if ('problem' in read) return { problem: `${label} ${read.problem}` };
      if (read.day === null) return { problem: 'the row names no election: give --election' };
      return (
        elections.byDay.find(read.day) ?? {
          problem: `no one election is on ${formatDate(read.day)}: give --election. ${existing}`,
        }
      );
    };
  }
  return () => ({ problem: 'the file does not say which election it is of: give --election' });
}
