import { describe, expect, test } from 'vitest';
import type { LedgerMessage } from './own-store.ts';
import { againOf, showConsent, showMessage, topicOf } from './rules.ts';

const message = (more: Partial<LedgerMessage> = {}): LedgerMessage =>
  ({
    ...{ message_id: 7, kind: 'status', channel: 'email', status: 'sent', state: 'delivered' },
    ...{ address: 'ann@example.org', current_address: 'ann@example.org', current_status: 'sent' },
    ...{ is_election_active: true, is_on_way: false },
    created_at: new Date('2026-10-05T15:00:00Z'),
    sent_at: new Date('2026-10-05T15:00:01Z'),
    ...more,
  }) as LedgerMessage;

describe('a message may be sent again', () => {
  test.each<readonly [string, Partial<LedgerMessage>]>([
    ['possible', {}],
    ['possible', { kind: 'catch-up' }],
    ['possible', { kind: 'fix-reminder' }],
    ['possible', { state: 'failed-permanent' }],
    ['possible', { state: 'failed-temporary-exhausted' }],
    ['possible', { state: 'outcome-unknown' }],
    ['possible', { current_status: 'in-transit' }],
    ['never', { kind: 'welcome' }],
    ['never', { kind: 'correction' }],
    ['never', { kind: 'contact-code' }],
    ['never', { status: null }],
    ['on-way', { state: 'created' }],
    ['on-way', { state: 'held' }],
    ['on-way', { state: 'sending' }],
    ['on-way', { is_on_way: true }],
    ['on-way', { is_on_way: true, current_address: null }],
    ['outdated', { current_status: 'returned' }],
    ['outdated', { current_status: null }],
    ['outdated', { is_election_active: false }],
    ['outdated', { is_election_active: null }],
    ['outdated', { is_election_active: false, current_address: null }],
    ['no-address', { current_address: null }],
  ])('%s: %j', (answer, more) => expect(againOf(message(more), false)).toBe(answer));
});

test.each([
  ['created', 'waiting'],
  ['held', 'waiting'],
  ['sending', 'sending'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['failed-permanent', 'refused'],
  ['failed-temporary-exhausted', 'failed'],
  ['outcome-unknown', 'unknown'],
  ['superseded', 'superseded'],
  ['withdrawn', 'withdrawn'],
  ['expired', 'expired'],
] as const)('a message that is %s is shown as %s', (state, outcome) => {
  expect(showMessage(message({ state }), 'possible')).toMatchObject({ outcome, message_id: 7 });
});

test('its address is masked, and an instant that there is not is null', () => {
  expect(showMessage(message(), 'possible')).toEqual({
    ...{ message_id: 7, channel: 'email', topic: 'status', status: 'sent' },
    ...{ address: 'a•••@example.org', outcome: 'delivered', again: 'possible' },
    ...{ created_at: '2026-10-05T15:00:00.000Z', sent_at: '2026-10-05T15:00:01.000Z' },
  });
  expect(showMessage(message({ sent_at: null }), 'possible').sent_at).toBeNull();
});

test.each([
  ['status', 'status'],
  ['stopped-mail', 'status'],
  ['correction', 'correction'],
  ['opt-in', 'confirm'],
  ['welcome', 'confirm'],
  ['confirmed', 'reply'],
  ['stopped', 'reply'],
  ['help', 'reply'],
  ['news-waiting', 'news'],
  ['change', 'notice'],
  ['registered', 'notice'],
  ['contact-code', 'code'],
] as const)('a message of kind %s was for %s', (kind, topic) => expect(topicOf(kind)).toBe(topic));

test.each([
  ['preferences page', 'page'],
  ['mailed code', 'email-link'],
  ['sms reply', 'text'],
  ['voice call', 'call'],
  ['unsubscribe link', 'unsubscribe'],
  ['one-click unsubscribe', 'unsubscribe'],
  ['bounce', 'provider'],
  ['complaint', 'provider'],
  ['carrier', 'provider'],
  ['provider', 'provider'],
  ['a clerk', 'other'],
])('a consent by %s is shown as by %s, without the address', (source, shown) => {
  const at = new Date('2026-10-05T15:00:00Z');
  const consent = { at, channel: 'sms', address: '+13525550142', action: 'asked', source } as const;
  expect(showConsent(consent)).toEqual({
    ...{ at: at.toISOString(), channel: 'sms', address: '•••-0142', action: 'asked' },
    source: shown,
  });
});
