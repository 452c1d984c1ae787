/**
 * All ballot statuses.
 *
 * - `step`: its place in the journey printed → sent → returned → accepted; null when it says nothing about the step.
 * - `effect`: `advance` along the standard flow, `complete` or `halt` it, `restart` it, or only add postal `detail`.
 */
export const statuses = {
  'application-received': { step: 0, effect: 'advance', isStandardFlow: false },
  'application-incomplete': { step: 0, effect: 'halt', isStandardFlow: false },
  'application-approved': { step: 0, effect: 'advance', isStandardFlow: false },
  'application-refused': { step: 0, effect: 'halt', isStandardFlow: false },
  requested: { step: 0, effect: 'advance', isStandardFlow: false },
  printed: { step: 1, effect: 'advance', isStandardFlow: true },
  sent: { step: 2, effect: 'advance', isStandardFlow: true },
  returned: { step: 3, effect: 'advance', isStandardFlow: true },
  accepted: { step: 4, effect: 'complete', isStandardFlow: true },
  counted: { step: 4, effect: 'complete', isStandardFlow: false },
  'in-person': { step: 4, effect: 'complete', isStandardFlow: false },
  rejected: { step: null, effect: 'halt', isStandardFlow: false },
  'not-counted': { step: null, effect: 'halt', isStandardFlow: false },
  'rejected-curable': { step: null, effect: 'halt', isStandardFlow: false },
  undeliverable: { step: null, effect: 'halt', isStandardFlow: false },
  cancelled: { step: null, effect: 'halt', isStandardFlow: false },
  reprinted: { step: 1, effect: 'restart', isStandardFlow: false },
  'in-transit': { step: null, effect: 'detail', isStandardFlow: false },
  delivered: { step: null, effect: 'detail', isStandardFlow: false },
  'return-in-transit': { step: null, effect: 'detail', isStandardFlow: false },
} as const satisfies Record<string, StatusFacts>;

interface StatusFacts {
  readonly step: 0 | 1 | 2 | 3 | 4 | null;
  readonly effect: 'advance' | 'complete' | 'halt' | 'restart' | 'detail';
  readonly isStandardFlow: boolean;
}

export type BallotStatus = keyof typeof statuses;
export const ballotStatuses = Object.keys(statuses) as readonly BallotStatus[];

/** The four steps every ballot is meant to take, in order. */
export const standardFlow = ['printed', 'sent', 'returned', 'accepted'] as const;
export const totalSteps = standardFlow.length;

export function isBallotStatus(value: unknown): value is BallotStatus {
  return typeof value === 'string' && Object.hasOwn(statuses, value);
}

/**
 * Of an application for a mail ballot. They decide only as long as the office has no record of a ballot itself.
 */
export function isOfApplication(status: BallotStatus): boolean {
  return status.startsWith('application-');
}

/** Who reported it: the office's record outranks the USPS scan, which outranks an estimate. */
export const eventKinds = ['office', 'scan', 'estimate'] as const;
export type EventKind = (typeof eventKinds)[number];
