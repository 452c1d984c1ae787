import type {
  BallotStatusProgress,
  NoBallotStatus,
} from '@ballot-beacon/contract/ballot-status-progress';
import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Language } from '@ballot-beacon/contract/languages';
import { call, type Outcome } from './client.ts';

/** When the ballots were asked for, and in which language: what was asked for last counts. */
export interface Asked {
  readonly language: Language;
  /** Milliseconds since the page began, before the call: the device's clock may be put back meanwhile. */
  readonly at: number;
  /** The same moment by the device's clock, in milliseconds since 1970. */
  readonly clock: number;
}

/** The critical data as the page keeps it. */
export type SessionData = CriticalData & { readonly asked: Asked };

/** Fetches all that a signed-in voter's first screen needs (product spec §7, Start-up); null when any part fails. */
export async function loadCriticalData(language: Language): Promise<SessionData | null> {
  const [information, progress, deliveryTypes] = await Promise.all([
    call('getVoterInformation', {}),
    loadProgress(language),
    call('getDeliveryTypes', {}),
  ]);
  if (information.kind !== 'answered' || !progress || deliveryTypes.kind !== 'answered')
    return null;
  const voter = information.answer._embedded.voter_information[0];
  if (!voter) return null;
  return { voter, ...progress, delivery_types: deliveryTypes.answer };
}

export type ProgressData = Pick<SessionData, 'progress' | 'no_ballot_status' | 'asked'>;

/** The ballots in one language and, when none belongs to an active election, what stands in their place. */
export async function loadProgress(
  language: Language,
  signal?: AbortSignal,
): Promise<ProgressData | null> {
  const asked = { language, at: performance.now(), clock: Date.now() };
  const progress = await call('getBallotStatusProgress', { query: { language } }, signal);
  if (progress.kind !== 'answered') return null;
  if (hasActiveBallot(progress.answer))
    return { progress: progress.answer, no_ballot_status: null, asked };
  const instead = await loadNoBallotStatus(language, signal);
  if (instead.kind !== 'answered') return null;
  return { progress: progress.answer, no_ballot_status: instead.answer, asked };
}

function hasActiveBallot({ ballots }: BallotStatusProgress): boolean {
  return ballots.some((ballot) => ballot.election.election_is_active);
}

async function loadNoBallotStatus(
  language: Language,
  signal?: AbortSignal,
): Promise<Outcome<NoBallotStatus>> {
  const own = await call('getNoBallotStatus', { params: { language } }, signal);
  const isMissing = own.kind === 'refused' && own.problem.status === 404;
  return isMissing ? call('getNoBallotStatus', { params: { language: 'english' } }, signal) : own;
}
