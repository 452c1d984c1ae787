import type { Formats } from '@ballot-beacon/contract/formats';
import type { OwnConsent, OwnMessage } from '@ballot-beacon/contract/own-messages';
import type { Translate } from '@ballot-beacon/contract/translate';

/** One message or consent in words, the same on the page, on paper and in the file. */
export interface Row {
  readonly when: string;
  readonly what: string;
  readonly how: string;
  readonly address: string;
  readonly status: string;
}

export function describeMessage(message: OwnMessage, t: Translate, formats: Formats): Row {
  const { channel, topic, status, address, outcome } = message;
  const refused = channel === 'email' ? 'refusedEmail' : 'refusedPhone';
  return {
    when: formats.full(message.sent_at ?? message.created_at),
    what: status === null ? t(`verify.kind.${topic}`) : t(`status.${status}.name`),
    how: t(`messages.channel.${channel}`),
    address,
    status: t(`messages.outcome.${outcome === 'refused' ? refused : outcome}`),
  };
}

export function describeConsent(consent: OwnConsent, t: Translate, formats: Formats): Row {
  const { at, channel, address, action, source } = consent;
  return {
    when: formats.full(at),
    what: t(`messages.consent.${action}`),
    how: t(`messages.channel.${channel}`),
    address,
    status: t(`messages.source.${source}`),
  };
}
