import type { ReturnDeadline } from '@ballot-beacon/contract/ballot-status-progress';
import { formatsFor } from '@ballot-beacon/contract/formats';
import {
  type ConsentAction,
  contactCodeLifetimeMs,
  type MessageKind,
  type MessageState,
  type SuppressionReason,
} from '@ballot-beacon/contract/messages';
import { leadsTooLate } from '@ballot-beacon/contract/return-deadline';
import { type BallotStatus, isBallotStatus, statuses } from '@ballot-beacon/contract/statuses';
import { type ContactHours, isWithinHours, nextWithinHours } from '../hours.ts';
import { mayBeRepeated, restoredCode } from '../restored/rules.ts';

/** What is known of a claimed message at the moment it would be handed over. */
export interface SendFacts {
  readonly kind: MessageKind;
  /** An answer to a text, or a notice that goes at once: bound neither by hours nor by the consent that it is about. */
  readonly isAnswer: boolean;
  readonly status: string | null;
  readonly createdAt: Date;
  /** The consent in force for this voter, channel and address; null when there never was one. */
  readonly consent: ConsentAction | null;
  /** Why nothing goes to the address; null when something may. */
  readonly suppression: SuppressionReason | null;
  /** Opted in on this channel, at this very address, as the voter's preferences stand now. */
  readonly isWanted: boolean;
  /** The office still sends messages this way. */
  readonly isOffered: boolean;
  readonly isVoterActive: boolean;
  /** Of the ballot, now; null when the message is of no ballot. */
  readonly currentStatus: string | null;
  readonly isElectionActive: boolean | null;
  /** It leads to the ballot's return, which would come too late. */
  readonly isTooLateToReturn: boolean;
  readonly isImportWaiting: boolean;
  /** The office has taken its import back. */
  readonly isImportCorrected: boolean;
  /** It was made while its office's restore of the database is open. */
  readonly isRestoring: boolean;
  /** Of the message this one corrects. */
  readonly correctedState: MessageState | null;
  readonly hours: ContactHours | null;
  readonly timeZone: string;
  /** Of a message about an envelope to fix: until when, in milliseconds; null when it no longer can be fixed, or nobody knows. */
  readonly fixBy: number | null;
  /** Of a reminder: it was made for a problem that was fixed before the one of now was found. */
  readonly isOfEarlierProblem: boolean;
  /** Of a reminder: the next one of this problem is due, or was made. */
  readonly isOfEarlierMoment: boolean;
  /** Of a message about an envelope in the mail: it is still stopped, and its voter can do something. */
  readonly isStopped: boolean;
  /** The office's newest file is too old to know whether the voter has fixed it, or whether it has arrived. */
  readonly isFeedLate: boolean;
}

export type SendDecision =
  | { readonly action: 'send' }
  | {
      readonly action: 'end';
      readonly state: 'superseded' | 'withdrawn' | 'expired';
      readonly code: string;
    }
  | { readonly action: 'hold'; readonly code: string }
  /** `code`: why, where it is not the voter's hours. */
  | { readonly action: 'defer'; readonly until: number; readonly code?: string };

/** Notices to an address that gets no news any more, or never did, so that a stranger's change does not go unseen. */
const notices: ReadonlySet<MessageKind> = new Set(['change', 'registered']);
/** Questions that ask for the consent itself. */
const questions: ReadonlySet<MessageKind> = new Set(['opt-in', 'welcome']);

/** States of a message that its voter may have received. */
const mayHaveArrived: ReadonlySet<MessageState> = new Set(['sent', 'delivered', 'outcome-unknown']);

/** How often a reminder is tried again that waits for the office's next file. */
const feedPatienceMs = 10 * 60_000;

/** A status older than this is shown on the page and is no news. */
export const usefulMs = 3 * 24 * 3_600_000;

/**
 * Decides once more, with everything as it is now, whether a claimed message leaves (product spec §1; decisions,
 * Preferences and consent): address, consent, status and hours may all have changed since it was made.
 */
export function decideSend(facts: SendFacts, now: number): SendDecision {
  const isNotice = notices.has(facts.kind);
  if (facts.isRestoring && mayBeRepeated(facts.kind)) return { action: 'hold', code: restoredCode };
  // Its text says how long the code works.
  if (facts.kind === 'contact-code' && now - facts.createdAt.getTime() > contactCodeLifetimeMs)
    return end('expired', 'too-old');
  if (facts.isAnswer && !isNotice) return { action: 'send' };
  // It was on its way while its import was corrected, and came back.
  if (facts.isImportCorrected) return end('withdrawn', 'import-corrected');
  if (facts.isImportWaiting) return { action: 'hold', code: 'import-held' };
  // An address that unsubscribes gets one confirmation; any other stop is final.
  const isLastWord = facts.kind === 'change' && facts.suppression === 'unsubscribed';
  if (facts.suppression !== null && !isLastWord) return end('withdrawn', 'suppressed');
  if (!isNotice) {
    if (facts.consent === null || facts.consent === 'withdrawn')
      return end('withdrawn', 'no-consent');
    // Who got a wrong message that way is owed its correction.
    if (!facts.isOffered && facts.kind !== 'correction') return end('withdrawn', 'not-offered');
    if (!facts.isWanted) return end('withdrawn', 'not-wanted');
    if (!facts.isVoterActive) return end('withdrawn', 'voter-inactive');
  }
  if (facts.kind === 'correction') {
    // A voter who never got the wrong message needs no correction; while nobody knows yet, wait.
    if (facts.correctedState === 'sending') return { action: 'defer', until: now + 10_000 };
    if (facts.correctedState === null || !mayHaveArrived.has(facts.correctedState))
      return end('withdrawn', 'nothing-to-correct');
  } else if (facts.status !== null) {
    if (isOvertaken(facts.status, facts.currentStatus)) return end('superseded', 'newer-status');
    if (facts.isElectionActive === false) return end('expired', 'election-over');
    if (facts.isTooLateToReturn) return end('expired', 'deadline-over');
  }
  if (facts.kind === 'fix-reminder') {
    if (facts.currentStatus !== facts.status || facts.isOfEarlierProblem)
      return end('superseded', 'newer-status');
    if (facts.fixBy === null || now >= facts.fixBy) return end('expired', 'deadline-over');
    if (facts.isOfEarlierMoment) return end('superseded', 'later-reminder');
    if (facts.isFeedLate)
      return { action: 'defer', until: now + feedPatienceMs, code: 'feed-late' };
  }
  if (facts.kind === 'stopped-mail') {
    if (facts.isElectionActive === false) return end('expired', 'election-over');
    if (!facts.isStopped) return end('superseded', 'not-stopped');
    if (facts.isFeedLate)
      return { action: 'defer', until: now + feedPatienceMs, code: 'feed-late' };
  }
  if (facts.fixBy !== null && now >= facts.fixBy) return end('expired', 'deadline-over');
  if (!isStillUseful(facts, now)) return end('expired', 'too-old');
  if (facts.isAnswer) return { action: 'send' };
  if (!isWithinHours(now, facts.hours, facts.timeZone))
    return { action: 'defer', until: nextWithinHours(now, facts.hours, facts.timeZone) };
  return { action: 'send' };
}

/** An envelope that still can be fixed is news until its deadline. */
function isStillUseful({ kind, createdAt, fixBy }: SendFacts, now: number): boolean {
  if (questions.has(kind) || (fixBy !== null && now < fixBy)) return true;
  return now - createdAt.getTime() <= usefulMs;
}

/**
 * Whether a ballot has moved on. A scan that only refines that it was sent does not make that untrue, until the voter has mailed it back; that it
 * will be mailed soon ends with the first scan.
 */
export function isOvertaken(status: string, current: string | null): boolean {
  if (current === null || current === status) return false;
  if (current === 'return-in-transit') return true;
  const isDetail = isBallotStatus(current) && statuses[current as BallotStatus].effect === 'detail';
  return !(isDetail && status === 'sent');
}

/** The election of a message's ballot, null for none, and what it says of the ballot. */
export interface AskedReturn {
  readonly status: string | null;
  /** `YYYY-MM-DD` */
  readonly election_day: string | null;
  readonly return_deadline: ReturnDeadline | null;
}

/** Whether a message asks to wait for a ballot, or to send it back, that would no longer count. The day that it names is never after Election Day. */
export function asksTooLate(
  { status, election_day: electionDay, return_deadline: deadline }: AskedReturn,
  timeZone: string,
  now: number,
): boolean {
  if (status === null || electionDay === null) return false;
  const of = { deadline, electionDate: electionDay };
  return leadsTooLate(status, of, new Date(now), formatsFor('english', timeZone));
}

/** Attempts after which a passing fault has lasted too long: with the waits below, about four hours. */
export const maximumAttempts = 10;

/** Milliseconds to wait after the given attempt (1, 2, …): doubling from 15 s to an hour, spread by ±50 %. */
export function backoffMs(attempt: number, random = Math.random()): number {
  const base = Math.min(15_000 * 2 ** (attempt - 1), 3_600_000);
  return Math.round(base * (0.5 + random));
}

function end(state: 'superseded' | 'withdrawn' | 'expired', code: string): SendDecision {
  return { action: 'end', state, code };
}
