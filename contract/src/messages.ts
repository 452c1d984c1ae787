/**
 * The catalog of messages: every word that the database, the server and the reports use for a channel, a kind of
 * message, its state, and its outcome. The check constraints of the schema are tested against it.
 */

/** Ways to reach a voter. */
export const channels = ['email', 'sms', 'voice'] as const;
export type Channel = (typeof channels)[number];

export function isChannel(word: unknown): word is Channel {
  return (channels as readonly unknown[]).includes(word);
}

/** What a message is for. */
export const messageKinds = [
  /** A ballot's new status. */
  'status',
  /** A ballot's status, for a voter who has just confirmed an address. */
  'catch-up',
  /** An earlier message was wrong. */
  'correction',
  /** Asks a phone number whether it wants texts. */
  'opt-in',
  /** Answers YES. */
  'confirmed',
  /** Answers STOP. */
  'stopped',
  /** Answers HELP and any other text. */
  'help',
  /** Asks a voter to confirm an email address. */
  'welcome',
  /** Says to an unconfirmed email address that there is news about a ballot, and nothing else. */
  'news-waiting',
  /** Notifies a confirmed address that it gets no more news, no matter who asked for that. */
  'change',
  /** Notifies the roll's own address that the voter signed up elsewhere for the first time. */
  'registered',
  /** A code by which a voter shows that the session is the voter's own. */
  'contact-code',
  /** Reminds a voter of an envelope that can still be fixed. */
  'fix-reminder',
  /** An envelope stopped moving in the mail, and the voter can do something about it. */
  'stopped-mail',
] as const;
export type MessageKind = (typeof messageKinds)[number];

/** How long a contact code is good, in milliseconds. */
export const contactCodeLifetimeMs = 10 * 60_000;

/** A message normally goes created → sending → sent → delivered. Every other state except `held` is final. */
export const messageStates = [
  'created',
  /** Waiting for a second operator's approval. */
  'held',
  /** Claimed: being handed to a provider, or handed over and its outcome not known yet. */
  'sending',
  /** The provider accepted it. */
  'sent',
  /** The provider reports that it arrived. */
  'delivered',
  /** It can never arrive at this address. */
  'failed-permanent',
  /** Every attempt failed with a temporary error. */
  'failed-temporary-exhausted',
  /** The provider may or may not have it and cannot be asked; sending again could notify a voter twice. */
  'outcome-unknown',
  /** A newer status made it untrue or pointless before it was sent. */
  'superseded',
  /** Consent, address or import was withdrawn before it was sent. */
  'withdrawn',
  /** Too late to be of use. */
  'expired',
] as const;
export type MessageState = (typeof messageStates)[number];

/** What a provider reports about a message it accepted. */
export const receiptOutcomes = [
  'delivered',
  'failed-permanent',
  'failed-temporary',
  'complained',
] as const;
export type ReceiptOutcome = (typeof receiptOutcomes)[number];

/** What an outcome shows about the address itself: it does not exist, or its owner blocked us at the carrier. */
export const addressFaults = ['invalid', 'stopped'] as const;
export type AddressFault = (typeof addressFaults)[number];

/** What a voter agreed to at an address; the latest of a voter, channel and address is in force. */
export const consentActions = [
  /** Opted in on a page, not confirmed yet. */
  'asked',
  /** Confirmed by code, YES or call. */
  'confirmed',
  'withdrawn',
] as const;
export type ConsentAction = (typeof consentActions)[number];

/** Why nothing is sent to an address, whichever voter uses it. */
export const suppressionReasons = [
  'stopped',
  'unsubscribed',
  'bounced',
  'complained',
  'invalid',
] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** What is known about an address that a voter entered. */
export const addressStatuses = [
  /** Nobody has shown that it is the voter's. */
  'unproven',
  /** By a mailed code, YES or a call from it. */
  'proven',
  /** Its owner asked to stop. */
  'stopped',
  /** Mail to it came back or was complained of. */
  'unusable',
] as const;
export type AddressStatus = (typeof addressStatuses)[number];

/** The state of a text subscription, as the page shows it. */
export const smsStatuses = ['none', 'pending', 'active', 'opted-out'] as const;
export type SmsStatus = (typeof smsStatuses)[number];
