import * as z from 'zod/mini';
import { messageTopics } from './message-check.ts';
import { channels, consentActions } from './messages.ts';

/** What became of a message, to the voter it was for. */
export const messageOutcomes = [
  /** It leaves later, or an approval is missing. */
  'waiting',
  'sending',
  /** Handed over; no report of its arrival. */
  'sent',
  'delivered',
  /** The email provider or phone company refused it. */
  'refused',
  /** It could not be handed over for hours. */
  'failed',
  'unknown',
  /** A newer status came before it left. */
  'superseded',
  /** Consent or address ended before it left, or the office took it back. */
  'withdrawn',
  'expired',
] as const;
export type MessageOutcome = (typeof messageOutcomes)[number];

/** Whether a message can be sent once more. */
export const againAnswers = [
  'possible',
  /** It, or the same news, has not left yet. */
  'on-way',
  /** The ballot's status is another now, or its election is over. */
  'outdated',
  /** No confirmed address gets messages this way today. */
  'no-address',
  /** Only messages about a ballot's status are sent again, and those of an envelope to fix only until its deadline. */
  'never',
] as const;
export type AgainAnswer = (typeof againAnswers)[number];

/** Where a consent was given or withdrawn. */
export const consentSources = [
  'page',
  'email-link',
  'text',
  'call',
  'unsubscribe',
  'provider',
  'other',
] as const;
export type ConsentSource = (typeof consentSources)[number];

const instant = z.string();

export const OwnMessage = z.object({
  message_id: z.int(),
  channel: z.enum(channels),
  topic: z.enum(messageTopics),
  /** Of a ballot, in the words of `statuses.ts`; null for other topics. */
  status: z.nullable(z.string()),
  /** Partly hidden. */
  address: z.string(),
  created_at: instant,
  /** When it was handed over; null for never. */
  sent_at: z.nullable(instant),
  outcome: z.enum(messageOutcomes),
  again: z.enum(againAnswers),
});
export type OwnMessage = z.infer<typeof OwnMessage>;

export const OwnConsent = z.object({
  at: instant,
  channel: z.enum(channels),
  /** Partly hidden. */
  address: z.string(),
  action: z.enum(consentActions),
  source: z.enum(consentSources),
});
export type OwnConsent = z.infer<typeof OwnConsent>;

/** Everything sent to a voter in the last 90 days, and every consent ever recorded; newest first. */
export const OwnMessages = z.object({
  messages: z.array(OwnMessage),
  consents: z.array(OwnConsent),
});
export type OwnMessages = z.infer<typeof OwnMessages>;

export const SentAgain = z.object({
  /** To where, partly hidden. */
  address: z.string(),
});
export type SentAgain = z.infer<typeof SentAgain>;
