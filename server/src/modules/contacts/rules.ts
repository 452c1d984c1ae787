import type { AddressStatus, Channel, SmsStatus } from '@ballot-beacon/contract/messages';

/** How a voter may be reached on one channel. */
export interface ContactChannel {
  /** As the voter typed it, a phone number as E.164; empty for none. */
  readonly address: string;
  readonly status: AddressStatus;
  readonly isOptedIn: boolean;
  /** A number for calls that has not called us yet; empty for none, and on every other channel. */
  readonly pendingAddress: string;
  /** Allowed hours, `HH:mm` in the account's time zone; null where the voter chose none. */
  readonly start: string | null;
  readonly end: string | null;
}

/** What a voter chose: one entry per channel, and settings for all channels. */
export interface Contacts {
  readonly channels: Readonly<Record<Channel, ContactChannel>>;
  /** Name of a language; null: that of the roll. */
  readonly language: string | null;
  /** The voter has saved once. */
  readonly isConfirmed: boolean;
}

export const noChannel: ContactChannel = {
  address: '',
  status: 'unproven',
  isOptedIn: false,
  pendingAddress: '',
  start: null,
  end: null,
};

export const noContacts: Contacts = {
  channels: { email: noChannel, sms: noChannel, voice: noChannel },
  language: null,
  isConfirmed: false,
};

/** Whether a voter's news may go to the address; `contact_channels.is_reachable` is the same rule in the database. */
export function isReachable({ address, isOptedIn, status }: ContactChannel): boolean {
  return isOptedIn && address !== '' && status === 'proven';
}

/** Addresses are compared without case: nobody has two mailboxes that differ in case alone. */
export function normalizeAddress(address: string): string {
  return address.trim().toLowerCase();
}

/**
 * An address of which its owner recognizes the rest: the first letter of a mailbox with its domain, or the last four
 * digits of a number.
 */
export function maskAddress(channel: Channel, address: string): string {
  if (channel === 'email') return address.replace(/^(.)[^@]*/u, '$1•••');
  return `•••-${address.replaceAll(/\D/g, '').slice(-4)}`;
}

/** A subscription by text in the specification's words (product spec §3, User). */
export function smsStatusOf({ isOptedIn, status }: ContactChannel): SmsStatus {
  if (status === 'stopped') return 'opted-out';
  if (!isOptedIn) return 'none';
  return status === 'proven' ? 'active' : 'pending';
}

/** A mail address in the specification's words: null until it is proven. */
export function isValidEmail({ status }: ContactChannel): boolean | null {
  if (status === 'proven') return true;
  return status === 'unusable' ? false : null;
}
