import type { BallotId } from '../../../platform/ids.ts';
import { findStoppedMail, planStop, readBallotsInMail } from '../../ballots/index.ts';
import { writeStop } from '../stopped-mail/rules.ts';
import { readIncidentPlaces } from '../stopped-mail/store.ts';
import { areNewsLate } from '../stopped-mail/watch.ts';
import type { MessageFacts } from '../texts/render.ts';
import { type FixOfMessage, type FixParts, readFixes } from './fixes.ts';
import type { ClaimedMessage } from './store.ts';

/** The envelope in the mail that a message is about, as it stands now. */
export interface StopOfMessage {
  readonly text: NonNullable<MessageFacts['stop']>;
  /** The office's files or the scans are too old to know whether it has moved or arrived. */
  readonly isFeedLate: boolean;
}

/** What a message is about, where that changes between its making and its hand-over. */
export interface Subject {
  readonly fix?: FixOfMessage | undefined;
  readonly stop?: StopOfMessage | undefined;
}

/** By message: envelopes that still wait for their voters, and envelopes that are still stopped. */
export async function readSubjects(
  parts: FixParts,
  claimed: readonly ClaimedMessage[],
): Promise<ReadonlyMap<number, Subject>> {
  const subjects = new Map<number, Subject>();
  for (const [id, fix] of await readFixes(parts, claimed)) subjects.set(id, { fix });
  for (const [id, stop] of await readStops(parts, claimed)) subjects.set(id, { stop });
  return subjects;
}

/** Those that have moved, have arrived, or are one of many at a facility are left out. */
async function readStops(
  { db, clock, office }: FixParts,
  claimed: readonly ClaimedMessage[],
): Promise<ReadonlyMap<number, StopOfMessage>> {
  const about = claimed.filter(({ kind }) => kind === 'stopped-mail');
  const found = new Map<number, StopOfMessage>();
  for (const [accountId, messages] of Map.groupBy(about, (one) => one.account_id)) {
    const { account } = await office(accountId);
    if (!account.settings.stopped_mail.messages) continue;
    const now = clock.now();
    const only = messages.flatMap(({ ballot_id: id }) => (id === null ? [] : [id]));
    const ballots = await readBallotsInMail(db, account, { only });
    const stopped = await findStoppedMail(db, account, ballots, now);
    const places = await readIncidentPlaces(db, accountId);
    const isFeedLate = await areNewsLate(db, account, now);
    const texts = new Map<BallotId, StopOfMessage['text']>();
    for (const ballot of ballots) {
      const one = stopped.get(ballot.ballotId);
      if (!one || places.has(`${one.trace.lastSeenOn} ${one.trace.facility}`)) continue;
      const plan = planStop(account, ballot, one, now);
      const text = plan && writeStop(plan);
      if (text) texts.set(ballot.ballotId, text);
    }
    for (const { message_id: id, ballot_id: ballotId } of messages) {
      const text = ballotId === null ? undefined : texts.get(ballotId);
      if (text) found.set(id, { text, isFeedLate });
    }
  }
  return found;
}
