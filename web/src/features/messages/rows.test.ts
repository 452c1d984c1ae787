import { formatsFor } from '@ballot-beacon/contract/formats';
import type { OwnConsent, OwnMessage } from '@ballot-beacon/contract/own-messages';
import { createTranslate } from '@ballot-beacon/contract/translate';
import { expect, test } from 'vitest';
import texts from '../../../../locales/english/main.json' with { type: 'json' };
import { describeConsent, describeMessage } from './rows.ts';

const t = createTranslate('english', texts);
const message = {
  ...{ channel: 'email', topic: 'status', status: 'sent', address: 'a…@mail.example' },
  ...{ outcome: 'delivered', created_at: '2026-11-03T04:00:00Z', sent_at: null },
} as OwnMessage;
const describe = (more: Partial<OwnMessage>) =>
  describeMessage({ ...message, ...more }, t, formatsFor('english', 'America/New_York'));

test('a message has the time at which it left, and before that the time of its making', () => {
  expect(describe({}).when).toBe('Nov 2, 2026, 11:00\u00a0PM');
  expect(describe({ sent_at: '2026-11-03T13:00:00Z' }).when).toBe('Nov 3, 2026, 8:00\u00a0AM');
});

test('a message is named by its status or else by its topic, and a refusal by who refused', () => {
  expect(describe({}).what).toBe(t('status.sent.name'));
  expect(describe({ status: null, topic: 'confirm' }).what).toBe(t('verify.kind.confirm'));
  expect(describe({ outcome: 'refused' }).status).toBe(t('messages.outcome.refusedEmail'));
  for (const channel of ['sms', 'voice'] as const)
    expect(describe({ outcome: 'refused', channel }).status, channel).toBe(
      t('messages.outcome.refusedPhone'),
    );
});

test('a consent says what the voter did, where, for which address and when', () => {
  const consent: OwnConsent = {
    at: '2026-11-03T04:00:00Z',
    channel: 'sms',
    address: '(•••) •••-0100',
    action: 'withdrawn',
    source: 'text',
  };
  const formats = formatsFor('english', 'America/New_York');
  expect(describeConsent(consent, t, formats)).toEqual({
    ...{ when: 'Nov 2, 2026, 11:00\u00a0PM', what: 'Messages stopped' },
    ...{ how: t('messages.channel.sms'), address: '(•••) •••-0100', status: 'By text message' },
  });
});
