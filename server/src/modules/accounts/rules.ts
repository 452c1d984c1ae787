import type { Channel } from '@ballot-beacon/contract/messages';
import type { AccountSettings } from './account-file.ts';
import type { Election } from './election-store.ts';

/** The ways in which an office can send messages: calls need a number to come from, and are confirmed by a call to it. */
export function offeredChannels({
  delivery_types: channels,
  from_voice: number,
}: Pick<AccountSettings, 'delivery_types' | 'from_voice'>): readonly Channel[] {
  return number === null ? channels.filter((channel) => channel !== 'voice') : channels;
}

/** The election with this number, however its letters are written. */
export function findElection<One extends Pick<Election, 'number'>>(
  elections: readonly One[],
  number: string,
): One | undefined {
  const wanted = keyOfElection(number);
  return elections.find((one) => keyOfElection(one.number) === wanted);
}

/** Elections are set up at most one presidential term ahead, and kept for some time. */
const yearsOfElections = { back: 20, ahead: 5 };

/** Whether an election can be on this day: a year far from this one is a typing mistake. @param day `YYYY-MM-DD` */
export function isLikelyElectionDay(day: string, now: Date): boolean {
  const [year, thisYear] = [Number(day.slice(0, 4)), now.getFullYear()];
  return year >= thisYear - yearsOfElections.back && year <= thisYear + yearsOfElections.ahead;
}

/** Two numbers with the same key are the same election: `2026g` and `2026G `. */
export function keyOfElection(number: string): string {
  return number.trim().toLowerCase();
}
