import { type BallotLayout, plainText, writeSlashed } from './layout.ts';
import type { State } from './model.ts';
import { longId, onRequest } from './write-own.ts';

const problems: Readonly<Partial<Record<State, string>>> = {
  curable: 'Signature differs',
  rejected: 'Refused',
};

/**
 * An office's own list of open cases, in a format of its own: a ballot leaves it by being accepted, and nothing else is known.
 * Every day a tenth or more of its cases end.
 */
export const cureList: BallotLayout = {
  of: 'ballots',
  format: 'cure-list',
  definition: {
    ...{
      name: 'cure-list',
      title: 'Ballots waiting for a cure',
      source: 'The office',
      holds: 'ballots',
    },
    required: ['Voter', 'Election', 'Problem'],
    fields: {
      ...{
        registration_id: 'Voter',
        election: 'Election',
        returned_on: 'Received',
        reason: 'Problem',
      },
    },
    first_statuses: ['rejected-curable', 'rejected'],
    status: {
      columns: ['Problem'],
      rules: [
        { when: { Problem: 'Refused' }, becomes: 'rejected' },
        { when: { Problem: { filled: true } }, becomes: 'rejected-curable' },
      ],
    },
    missing_rows: { succeeded: ['rejected-curable'] },
  },
  state: 'OH',
  customs: onRequest,
  isOneRowPerVoter: true,
  columns: ['Voter', 'Election', 'Received', 'Problem'],
  text: plainText,
  places: {
    id: 'Voter',
    days: ['Received'],
    election: 'Election',
    swapped: ['Received', 'Problem'],
    status: 'Problem',
    rejected: { Problem: 'Refused' },
  },
  fileName: (day) => `cures-${day}.csv`,
  idOf: longId,
  hasLocalIds: true,
  writeDay: writeSlashed,
  toRows(now, office) {
    const problem = problems[now.state];
    if (problem === undefined) return [];
    return [
      {
        ...{ Voter: office.idOf(now.voter), Election: office.electionNumber },
        ...{ Received: writeSlashed(now.returnedOn), Problem: problem },
      },
    ];
  },
};
