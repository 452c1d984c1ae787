import type { Situation } from '../cast.ts';
import type { Day } from './calendar.ts';
import { writeCsv } from './files.ts';
import type { Voter } from './voters.ts';

/** A file in one of the product's own formats, with what the office's vendor does not write. */
export interface OwnFile {
  /** Below the county's folder. */
  readonly path: string;
  readonly format: 'beacon-ballots' | 'beacon-applications';
  readonly election: string;
  /** The day on which it was written. */
  readonly day: Day;
  /** By voter: the columns that have a value. */
  readonly rows: Partial<Record<Situation, Readonly<Record<string, string>>>>;
}

const mailed = { status: 'sent', sent_on: '2026-10-23' } as const;

/** A town with its own election, over and still being counted, and applications for the county's next one. */
export const ownFiles: readonly OwnFile[] = [
  {
    path: 'ballots/beacon-ballots-2026-10-24.csv',
    format: 'beacon-ballots',
    election: '219',
    day: '2026-10-24',
    rows: { fixOver: mailed, counted: mailed, notCounted: mailed },
  },
  {
    path: 'ballots/beacon-ballots-2026-11-19.csv',
    format: 'beacon-ballots',
    election: '219',
    day: '2026-11-19',
    rows: {
      fixOver: {
        ...{ ...mailed, status: 'rejected-curable', returned_on: '2026-11-12' },
        ...{ status_on: '2026-11-13', reason_code: 'signature-missing', reason: 'No signature' },
      },
      counted: {
        ...{ ...mailed, status: 'counted', returned_on: '2026-11-09', status_on: '2026-11-18' },
      },
      notCounted: {
        ...{ ...mailed, status: 'not-counted', returned_on: '2026-11-18', status_on: '2026-11-19' },
        ...{ reason_code: 'L', reason: 'It came back after 7 p.m. on election day' },
      },
    },
  },
  {
    path: 'applications/beacon-applications-2026-11-20.csv',
    format: 'beacon-applications',
    election: '217',
    day: '2026-11-20',
    rows: {
      applicationReceived: { application_status: 'received', received_on: '2026-11-20' },
      applicationIncomplete: {
        ...{
          application_status: 'incomplete',
          received_on: '2026-11-17',
          decided_on: '2026-11-18',
        },
        ...{ reason_code: 'S', reason: 'The application is not signed' },
      },
      applicationApproved: {
        ...{ application_status: 'approved', received_on: '2026-11-18', decided_on: '2026-11-19' },
      },
      applicationRefused: {
        ...{ application_status: 'refused', received_on: '2026-11-16', decided_on: '2026-11-17' },
        ...{ reason_code: 'R', reason: 'Your address is in another county' },
      },
    },
  },
];

const columns: Readonly<Record<OwnFile['format'], readonly string[]>> = {
  'beacon-ballots': ['status', 'sent_on', 'returned_on', 'status_on', 'reason_code', 'reason'],
  'beacon-applications': [
    'application_status',
    'received_on',
    'decided_on',
    'reason_code',
    'reason',
  ],
};

export function writeOwnFile(file: OwnFile, voters: readonly Voter[]): string {
  const own = columns[file.format];
  const rows = voters.flatMap(({ situation, registrationId }) => {
    const values = situation === null ? undefined : file.rows[situation];
    return values
      ? [[registrationId, file.election, ...own.map((name) => values[name] ?? ''), file.day]]
      : [];
  });
  return writeCsv(
    [['registration_id', 'election', ...own, 'exported_on'], ...rows],
    'needed',
    '\n',
  );
}
