import { formatDate } from '../../../platform/clock.ts';
import { type Election, keyOfElection } from '../../accounts/index.ts';
import { ballotRange, type ReadDay } from '../read/dates.ts';
import { type Cells, remember } from '../read/row-reader.ts';
import { FileRefused } from '../read/source-file.ts';
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

type FindElection = (cells: Cells) => number | { problem: string };

/**
 * Finds each row's election, or says why the row has none.
 * @throws {FileRefused} when no row can have one
 */
export function createElectionReader(reading: Reading): FindElection {
  const { reader, elections, election } = reading;
  const known = elections.known.join(', ');
  const existing = known === '' ? 'You have none yet: beacon election set' : `You have: ${known}`;
  if (election !== null) {
    const id = elections.byNumber.find(election);
    if (id === undefined)
      throw new FileRefused(`Election ${election} does not exist. ${existing}.`);
    return createOtherFinder(reading, election, id);
  }
  if (reader.has('election'))
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
  if (reader.has('election_date')) {
    const label = reader.label('election_date');
    const readDay = createDayReader(reading);
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
  const choose = known === '' ? '' : ': give --election';
  throw new FileRefused(`The file does not say which election it is for${choose}. ${existing}.`);
}

function createDayReader({ reader, today }: Reading): (cells: Cells) => ReadDay {
  return reader.day('election_date', ballotRange(today));
}

/** The clerk says which election it is of. A row may call it otherwise than the account does, but not be of another. */
function createOtherFinder(reading: Reading, election: string, id: number): FindElection {
  const { reader, elections } = reading;
  const refuseOther = (other: number | undefined, written: string) =>
    other === undefined || other === id
      ? id
      : {
          problem: `the row is of election ${written}, not of ${election}: give --election only for files that do not name theirs`,
        };
  if (reader.has('election'))
    return remember(reader.field('election'), (number) =>
      refuseOther(elections.byNumber.find(number), number),
    );
  if (!reader.has('election_date')) return () => id;
  const readDay = createDayReader(reading);
  return (cells) => {
    const read = readDay(cells);
    if ('problem' in read || read.day === null) return id;
    const { day } = read;
    return refuseOther(elections.byDay.find(day), formatDate(day));
  };
}
