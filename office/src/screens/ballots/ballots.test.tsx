import type { BallotsAnswer } from '@ballot-beacon/contract/office/ballots';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { BallotsScreen } from './index.tsx';

const listBallots: BallotsAnswer = {
  ballots: [
    {
      ...{ ballot_id: 71, ballot_number: '0071', status: 'sent', since: '2026-11-01' },
      ...{ voter_id: 5, registration_id: 'V-5', name: 'Vera Fox' },
    },
    {
      ...{ ballot_id: 72, ballot_number: '', status: null, since: null },
      ...{ voter_id: 6, registration_id: 'V-6', name: 'Ned Hale' },
    },
  ],
  next: 70,
};

test('a list of ballots leads from each to its voter, and says of nothing what it does not know', async () => {
  const shown = await showScreen(
    <BallotsScreen />,
    { listBallots },
    { at: '/ballots?election=217' },
  );
  expect(shown.rows.slice(1)).toEqual([
    ['V-5', 'Vera Fox', '0071', 'Mailed to the voter', 'Nov 1, 2026'],
    ['V-6', 'Ned Hale', '–', 'No status yet', '–'],
  ]);
  expect(shown.links).toMatchObject({
    ...{ 'V-5': '/office/voters/5', 'V-6': '/office/voters/6' },
    Older: '/office/ballots?election=217&before=70',
  });
  expect(shown.words).toContain('Ballots of election 217 as voters see them');
});

test.each([
  ['', 'Ballots'],
  ['&status=sent', 'Ballots: Mailed to the voter'],
  ['&status=none', 'Ballots: No status yet'],
])('of the filter %j, the heading is %j', async (filter, heading) => {
  const at = `/ballots?election=217${filter}`;
  const shown = await showScreen(<BallotsScreen />, { listBallots }, { at });
  expect(shown.html).toContain(`<h1>${heading}</h1>`);
  expect(shown.asked).toEqual([`GET /api/office/ballots?election=217${filter}`]);
});

test('an address that somebody mistyped asks for the ballots of nobody', async () => {
  const shown = await showScreen(<BallotsScreen />, {}, { at: '/ballots?status=Sent!' });
  expect(shown.asked).toEqual([]);
  expect(shown.words).toContain('No ballot has this status now.');
});
