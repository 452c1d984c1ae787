import type { VoterRecord } from '@ballot-beacon/contract/office/voters';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { VoterScreen } from './voter.tsx';

const event: VoterRecord['ballots'][number]['events'][number] = {
  ...{ when: '2026-11-01', recorded_at: '2026-11-02T05:30:00Z', kind: 'office', status: 'sent' },
  ...{ raw_status: 'Outbound', reason: '', source: 'ballots.csv:2', is_withdrawn: false },
};
const ballot: VoterRecord['ballots'][number] = {
  ...{ ballot_id: 71, ballot_number: '', election: 'Winter Election', election_date: '2026-12-10' },
  ...{ status: 'sent', is_ended: false, events: [event] },
};
const record: VoterRecord = {
  ...{ voter_id: 5, registration_id: 'V-5', is_active: true, is_confidential: false },
  ...{ is_locked: false, ballots: [ballot], notes: [], messages: [], consents: [] },
  details: [
    { name: 'name', value: 'Vera Fox' },
    { name: 'born', value: '1958-03-14' },
    { name: 'party', value: 'None' },
  ],
};
const show = (more: Partial<VoterRecord> = {}, typed: [readonly unknown[], unknown][] = []) =>
  showScreen(<VoterScreen voterId={5} />, { getVoterRecord: { ...record, ...more } }, { typed });

test.each<[string, Partial<VoterRecord>, boolean, boolean]>([
  ['an active voter', {}, true, true],
  ['an inactive voter', { is_active: false }, false, true],
  ['a confidential voter', { is_confidential: true, details: [] }, false, false],
])(
  'of %s the page as the voter sees it is shown: %s, and the messages: %s',
  async (_whose, more, isPage, isMessages) => {
    const { html, words, asked } = await show(more);
    expect(asked).toEqual(['GET /api/office/voters/5']);
    expect(html.includes('<iframe')).toBe(isPage);
    for (const part of ['Messages, newest first', 'Consents, newest first'])
      expect(words.includes(part)).toBe(isMessages);
    expect(words.includes('This voter is inactive')).toBe('is_active' in more);
    expect(words.includes('This voter is confidential.')).toBe('is_confidential' in more);
    expect(words.includes('Make the letter’s code void')).toBe('is_confidential' in more);
  },
);

test('nothing in the page as the voter sees it can run', async () => {
  const { html } = await show();
  expect(/<iframe[^>]*sandbox="([^"]*)"/.exec(html)?.[1]).toBe('allow-same-origin');
  expect(html).toContain('src="/api/office/voters/5/page.html"');
});

test('details are named, and a day of birth is a day', async () => {
  const { rows } = await show({ ballots: [] });
  expect(rows.slice(0, 3)).toEqual([
    ['Name', 'Vera Fox'],
    ['Born', 'Mar 14, 1958'],
    ['party', 'None'],
  ]);
});

test.each<[Partial<typeof event>, readonly [number, string]]>([
  [{}, [0, 'Nov 1, 2026']],
  [{ when: '2026-11-01T05:30:00Z' }, [0, 'Oct 31, 2026, 7:30 PM']],
  [{ when: null }, [0, '–']],
  [{}, [1, 'Mailed to the voter']],
  [{ status: null }, [1, 'Unknown status']],
  [{ is_withdrawn: true }, [1, 'Mailed to the voter Withdrawn']],
  [{ kind: 'scan' }, [2, 'USPS scan']],
  [{ reason: 'No signature' }, [3, 'Outbound No signature']],
  [{ raw_status: '' }, [3, '–']],
  [{ source: '' }, [4, '–']],
  [{}, [5, 'Nov 1, 2026, 7:30 PM']],
])('an event with %j says %j', async (more, [column, said]) => {
  const { rows } = await show({
    details: [],
    ballots: [{ ...ballot, events: [{ ...event, ...more }] }],
  });
  expect(rows[1]?.[column]).toBe(said);
});

test('each ballot says what the voter’s page shows of it', async () => {
  const { words } = await show({
    ballots: [
      { ...ballot, ballot_number: '0071', is_ended: true, events: [] },
      { ...ballot, ballot_id: 72, election: 'Town Election', status: null, events: [] },
    ],
  });
  expect(words).toContain(
    'Winter Election, Dec 10, 2026 The voter’s page shows: Mailed to the voter The page no longer shows it: another ballot of this election is complete. Ballot number 0071.',
  );
  expect(words).toContain('Town Election, Dec 10, 2026 The voter’s page shows: No status yet');
  expect((await show({ ballots: [] })).words).toContain('No ballot on record.');
});

test('a message is offered again where it may be, and says else why not', async () => {
  const message: VoterRecord['messages'][number] = {
    ...{ message_id: 31, at: '2026-11-20T05:30:00Z', channel: 'email', address: 'v@fox.example' },
    ...{ what: 'sent', state: 'delivered', error: null, again: 'possible' },
  };
  const { rows, links, html } = await show({
    ballots: [],
    messages: [
      message,
      { ...message, message_id: 30, what: 'welcome', again: 'outdated' },
      { ...message, message_id: 29, state: 'failed-permanent', error: '550', again: 'no-address' },
    ],
  });
  const at = 'Nov 19, 2026, 7:30 PM';
  expect(rows.slice(-3)).toEqual([
    [at, 'Mailed to the voter', 'Email', 'v@fox.example', 'Delivered', 'Send again'],
    [
      ...[at, 'Request to confirm an email address', 'Email', 'v@fox.example', 'Delivered'],
      'No longer true',
    ],
    [
      ...[at, 'Mailed to the voter', 'Email', 'v@fox.example'],
      ...['Refused: it can never arrive at this address 550', 'No confirmed address'],
    ],
  ]);
  expect(links['Request to confirm an email address']).toBe('/office/messages/30');
  expect(html).toContain(`aria-label="Send again: Mailed to the voter, Email, Nov`);
});

test('what was typed of one voter’s call does not stand in the record of another', async () => {
  const noteIn = async (typed: [readonly unknown[], unknown][]) =>
    /<textarea[^>]*id="note"[^>]*>([^<]*)/.exec((await show({}, typed)).html)?.[1];
  expect(await noteIn([[['note', 5], 'Asks when it leaves.']])).toBe('Asks when it leaves.');
  expect(
    await noteIn([
      [['note', 6], 'Of another voter.'],
      [['note'], 'Of nobody.'],
    ]),
  ).toBe('');
});

test('notes, consents and a locked sign-in are on record, by the office’s clock', async () => {
  const at = '2026-11-20T05:30:00Z';
  const { words } = await show({
    is_locked: true,
    notes: [{ note_id: 2, at, who: 'Cleo Marsh', text: 'Asks when it leaves.' }],
    consents: [{ at, channel: 'sms', address: '+13525550123', action: 'opt-out', source: 'STOP' }],
  });
  expect(words).toContain('Too many sign-ins with this voter’s details or codes failed');
  expect(words).toContain('Nov 19, 2026, 7:30 PM, Cleo Marsh Asks when it leaves.');
  expect(words).toContain('Nov 19, 2026, 7:30 PM Text message, +13525550123: opt-out STOP');
  const bare = await show();
  expect(bare.words).not.toContain('Too many sign-ins');
  expect(bare.words).toContain('No call was noted.');
  expect(bare.words).toContain('No messages.');
  expect(bare.words).toContain('Nothing agreed to.');
});
