import type { ReportName } from '@ballot-beacon/contract/office/reports';
import { localDay } from '../../platform/clock.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Account, Election } from '../accounts/index.ts';
import { countFixDays, fixMeasures, readFixQueue } from '../fix-queue/index.ts';
import type { AccountTexts } from '../texts/index.ts';
import type { ChartFacts } from './chart.ts';
import { countDays, countStatusDays, mostDays, type Period, type StatusDay } from './rules.ts';
import { readAlikeBallots, readMessages, readRegistrations } from './store.ts';

/** What a report is about. */
export interface ReportSubject extends Period {
  /** Bound to the account, by the rights of the office. */
  readonly db: Db;
  readonly account: Account;
  /** Every one of the office, newest first. */
  readonly all: readonly Election[];
  /** Undefined: all of them. */
  readonly election: Election | undefined;
  readonly now: Date;
}

interface ReportTable {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string | number>>[];
}

/** @returns what is wrong with the period; undefined when nothing is */
export function refusePeriod(
  { from, to }: Period,
  { timeZone }: Account,
  now: Date,
): 'reversed' | 'too-long' | undefined {
  if (from === null) return undefined;
  const last = to ?? localDay(now, timeZone);
  if (from > last) return 'reversed';
  return countDays(from, last) > mostDays ? 'too-long' : undefined;
}

/** The tables by name: counts without personal data. */
export const reportTables: Readonly<
  Record<ReportName, (subject: ReportSubject) => Promise<ReportTable>>
> = {
  async status(subject) {
    const rows = [];
    for (const election of subject.election ? [subject.election] : subject.all.toReversed())
      for (const { day, status, entered, total } of await readStatusDays(subject, election)) {
        const { number, name } = election;
        rows.push({ election: number, election_name: name, day, status, entered, total });
      }
    return { columns: ['election', 'election_name', 'day', 'status', 'entered', 'total'], rows };
  },
  async registrations(subject) {
    const rows = await readRegistrations(subject.db, selectionOf(subject));
    return {
      columns: ['day', 'language', 'channel', 'asked', 'confirmed', 'withdrawn'],
      rows: rows.map((row) => ({ ...row })),
    };
  },
  async messages(subject) {
    const rows = await readMessages(subject.db, selectionOf(subject));
    return {
      columns: ['day', 'election', 'kind', 'status', 'language', 'channel', 'state', 'messages'],
      rows: rows.map((row) => ({ ...row })),
    };
  },
  async fixes({ db, account, election, now, from, to }) {
    const electionId = election?.electionId ?? null;
    const fixes = await readFixQueue(db, account, { electionId, isOpen: false }, now);
    const dayOf = (at: Date) => localDay(at, account.timeZone);
    return {
      columns: ['day', 'election', 'defect', 'language', 'precinct', ...fixMeasures],
      rows: countFixDays(fixes, { dayOf, from, to }).map((row) => ({ ...row })),
    };
  },
};

function selectionOf({ from, to, account, election }: ReportSubject) {
  return { from, to, timeZone: account.timeZone, electionId: election?.electionId ?? null };
}

/** What the chart of one election shows; undefined when it has no ballots on these days. @param texts the product's own */
export async function readChartFacts(
  subject: ReportSubject,
  election: Election,
  texts: AccountTexts,
): Promise<ChartFacts | undefined> {
  const days = await readStatusDays(subject, election);
  if (days.length === 0) return undefined;
  const t = texts.translator('english');
  return {
    office: subject.account.name,
    election: election.name,
    days,
    // The page speaks to the voter, who is to do something; a chart's readers are others.
    nameOf: (status) =>
      status === 'rejected-curable'
        ? 'Signature problem (can be fixed)'
        : t(`status.${status}.name`),
  };
}

async function readStatusDays(subject: ReportSubject, election: Election): Promise<StatusDay[]> {
  const { db, account, now } = subject;
  const ballots = await readAlikeBallots(db, election.electionId, account.timeZone);
  return countStatusDays(ballots, subject, localDay(now, account.timeZone));
}
