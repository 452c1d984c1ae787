import { type BallotStatus, statuses } from '@ballot-beacon/contract/statuses';
import type { IconName } from '../../ui/icons.tsx';

/** How a stop looks: always an icon and a word, not only a color. */
export type StepLook = 'completed' | 'incomplete' | 'caution' | 'halted';

interface Step {
  readonly status: string;
  readonly is_standard_flow: boolean;
  readonly is_reached: boolean;
}

/**
 * Product spec §4, Ballot display mapping. There a non-standard step is halted; a stop sign at "voted in person" or
 * at a postal scan would alarm without cause, so only a status that halts a ballot gets one.
 */
export function lookOfStep({ status, is_standard_flow, is_reached }: Step): StepLook {
  if (isToFix(status)) return 'caution';
  if (status === 'reprinted') return 'completed';
  if (is_standard_flow) return is_reached ? 'completed' : 'incomplete';
  return statuses[status as BallotStatus].effect === 'halt' ? 'halted' : 'completed';
}

/** The look of the whole card, which sets the color of the progress graphic. */
export type ProgressLook = 'caution' | 'halted' | 'progress' | 'complete';

export function lookOfProgress(summary: {
  readonly status: string;
  readonly current_status: { readonly status: string };
}): ProgressLook {
  const { status } = summary.current_status;
  if (status === 'reprinted' || isToFix(status)) return 'caution';
  if (summary.status === 'halted') return 'halted';
  return summary.status === 'complete' ? 'complete' : 'progress';
}

/** The voter can still help. */
export const isToFix = (status: string): boolean =>
  status === 'rejected-curable' || status === 'application-incomplete';

const acceptedStatuses: ReadonlySet<string> = new Set(['accepted', 'counted', 'in-person']);
const rejectedStatuses: ReadonlySet<string> = new Set([
  'rejected',
  'not-counted',
  'undeliverable',
  'application-refused',
]);

export type PastLook = 'accepted' | 'rejected' | 'incomplete';

export function lookOfPastBallot(status: string): PastLook {
  if (acceptedStatuses.has(status)) return 'accepted';
  if (rejectedStatuses.has(status)) return 'rejected';
  return 'incomplete';
}

const icons: Record<BallotStatus, IconName> = {
  'application-received': 'clock',
  'application-incomplete': 'caution',
  'application-approved': 'check',
  'application-refused': 'stop',
  requested: 'clock',
  printed: 'printer',
  sent: 'sent',
  returned: 'returned',
  accepted: 'ballotBox',
  counted: 'ballotBox',
  'in-person': 'ballotBox',
  'not-counted': 'stop',
  rejected: 'stop',
  'rejected-curable': 'caution',
  undeliverable: 'stop',
  cancelled: 'stop',
  reprinted: 'printer',
  'in-transit': 'sent',
  delivered: 'envelope',
  'return-in-transit': 'returned',
};

export const iconOfStatus = (status: string): IconName =>
  icons[status as BallotStatus] ?? 'envelope';
