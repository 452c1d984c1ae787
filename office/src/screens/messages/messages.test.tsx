import type { ListedMessage, MessageAnswer } from '@ballot-beacon/contract/office/messages';
import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { MessagesScreen } from './index.tsx';
import { MessageScreen } from './message.tsx';

const listed: ListedMessage = {
  ...{ message_id: 31, created_at: '2026-11-20T05:30:00Z', kind: 'status', status: 'sent' },
  ...{ channel: 'sms', language: 'spanish', state: 'delivered' },
  ...{ voter_id: 5, registration_id: 'V-5' },
};
const whole: MessageAnswer = {
  ...listed,
  ...{ address: '+13525550123', deliver_after: '2026-11-20T18:00:00Z', attempts: 1 },
  ...{ sent_at: '2026-11-20T18:00:30Z', provider: 'twilio', error: null, import_id: 12 },
  ...{ receipts: [], sample: null },
};

test('the list says of each message what it is about, how it went and to which voter', async () => {
  const answer: ListedMessage = { ...listed, message_id: 30, kind: 'help', status: null };
  const messages = [listed, { ...answer, voter_id: null, registration_id: null }];
  const shown = await showScreen(
    <MessagesScreen />,
    { listMessages: { messages, next: 29 } },
    { at: '/messages?channel=sms&outcome=delivered' },
  );
  expect(shown.asked).toEqual(['GET /api/office/messages?channel=sms&outcome=delivered']);
  expect(shown.rows.slice(1)).toEqual([
    [
      ...['Nov 19, 2026, 7:30 PM', 'New ballot status Mailed to the voter', 'Text message'],
      ...['Spanish', 'Delivered', 'V-5'],
    ],
    ['Nov 19, 2026, 7:30 PM', 'Answer to HELP', 'Text message', 'Spanish', 'Delivered', ''],
  ]);
  expect(shown.links).toMatchObject({
    ...{ 'New ballot status': '/office/messages/31', 'V-5': '/office/voters/5' },
    Older: '/office/messages?channel=sms&outcome=delivered&before=29',
  });
  expect(Object.values(shown.links).filter((to) => to.startsWith('/office/voters/'))).toHaveLength(
    1,
  );
  // What waits is counted once a person asks for it.
  expect(shown.words).toContain('See what waits');
});

const show = (more: Partial<MessageAnswer> = {}, permissions?: OfficeSession['permissions']) =>
  showScreen(
    <MessageScreen messageId={31} />,
    { getMessage: { ...whole, ...more } },
    permissions ? { permissions } : {},
  );

test('a message says when it was written, when it might leave and when it left, by the office’s clock', async () => {
  const { rows, asked } = await show();
  expect(asked).toEqual(['GET /api/office/messages/31']);
  expect(rows).toEqual([
    ['Kind', 'New ballot status'],
    ['Status', 'Mailed to the voter'],
    ['State', 'Delivered'],
    ['Voter ID', 'V-5'],
    ['Sent by', 'Text message'],
    ['Address', '+13525550123'],
    ['Created', 'Nov 19, 2026, 7:30 PM'],
    ['Not before', 'Nov 20, 2026, 8:00 AM'],
    ['Handed over', 'Nov 20, 2026, 8:00 AM'],
    ['Provider', 'twilio'],
    ['About file', '12'],
  ]);
  const failed = await show({
    ...{ sent_at: null, attempts: 3, error: 'Unreachable', status: null, voter_id: null },
    ...{ import_id: null, provider: null },
  });
  expect(failed.rows.map(([name]) => name)).toEqual([
    ...['Kind', 'State', 'Sent by', 'Address', 'Created', 'Not before', 'Tries', 'Error'],
  ]);
});

test.each<[OfficeSession['permissions'], string | undefined]>([
  [['voters'], undefined],
  [['voters', 'files'], '/office/files/12'],
])('who may %j is led to its file at: %s', async (permissions, to) => {
  const { links } = await show({}, permissions);
  expect(links['12']).toBe(to);
  expect(links['V-5']).toBe('/office/voters/5');
});

test('every report of the provider is listed, and the text of this kind where there is one', async () => {
  const { words, html } = await show({
    receipts: [
      { at: '2026-11-20T18:01:00Z', outcome: 'failed-temporary', error: '30003' },
      { at: '2026-11-20T18:09:00Z', outcome: 'delivered', error: null },
    ],
    sample: { subject: null, body: 'Your ballot is on its way.' },
  });
  expect(words).toContain('Nov 20, 2026, 8:01 AM Failed for now 30003');
  expect(words).toContain('Nov 20, 2026, 8:09 AM Delivered');
  expect(html).toContain('<pre class="message-text">Your ballot is on its way.</pre>');
  const bare = await show();
  expect(bare.words).toContain('Nothing yet.');
  expect(bare.words).not.toContain('The text of this kind');
});
