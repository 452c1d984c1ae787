import type { Election } from '../accounts/index.ts';

/** Federal law (52 U.S.C. 20701): the records of a federal election stay for so many months after election day. */
const federalMonths = 22;

/** Kinds of elections that have no federal office on the ballot. Of all others, and of those without a kind, we cannot know. */
const localKinds: readonly Election['kind'][] = ['municipal', 'local'];

type Known = Pick<Election, 'electionDate' | 'isActive' | 'kind'>;

/** The first day on which an election's records may be deleted, `YYYY-MM-DD`. */
export function firstDayToDiscard({ electionDate, kind }: Omit<Known, 'isActive'>): string {
  const day = new Date(electionDate);
  if (localKinds.includes(kind)) day.setUTCDate(day.getUTCDate() + 1);
  // A month without such a day ends in the next one: later rather than earlier.
  else day.setUTCMonth(day.getUTCMonth() + federalMonths);
  return toDay(day);
}

/** Whether the account's rule deletes this election by now. @param today `YYYY-MM-DD` */
export function isDue(election: Known, keptDays: number | null, today: string): boolean {
  if (keptDays === null || election.isActive) return false;
  const end = new Date(election.electionDate);
  end.setUTCDate(end.getUTCDate() + keptDays);
  return toDay(end) <= today && firstDayToDiscard(election) <= today;
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
