import type { WaitingRequests } from '@ballot-beacon/contract/office/misuse';
import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { MisuseScreen } from './index.tsx';

const waiting: WaitingRequests = {
  ...{ channel: 'email', today: 1_050, limit: 1_000, waiting: 50, voters: 2, addresses: 49 },
  ...{ first_at: '2026-11-20T05:30:00Z', last_at: '2026-11-20T06:10:00Z', last_id: 90 },
};
const none: WaitingRequests = {
  ...{ channel: 'sms', today: 3, limit: 500, waiting: 0, voters: 0, addresses: 0 },
  ...{ first_at: null, last_at: null, last_id: null },
};
const show = (requests: WaitingRequests[], permissions: OfficeSession['permissions'] = []) =>
  showScreen(
    <MisuseScreen />,
    { getMisuse: { requests, sessions: 1_200 } },
    { permissions: ['settings', ...permissions] },
  );

test('of requests above the limit it is said how many wait, of how many voters, to how many addresses, and since when', async () => {
  const { rows, words } = await show([waiting, none]);
  expect(rows.slice(1).map((row) => row.slice(0, 6))).toEqual([
    [
      ...['Email', '1,050 of 1,000', '50', '2', '49'],
      'Nov 19, 2026, 7:30 PM – Nov 19, 2026, 8:10 PM',
    ],
    ['Text message', '3 of 500', '0', '0', '0', ''],
  ]);
  expect(words).toContain('1,200 browsers are signed in as a voter now.');
});

test('an instant at which all of them came is said once', async () => {
  const { rows } = await show([{ ...waiting, last_at: waiting.first_at }]);
  expect(rows[1]?.[5]).toBe('Nov 19, 2026, 7:30 PM');
});

test('only what waits is decided', async () => {
  const { html } = await show([waiting, none]);
  const labels = [...html.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, label]) => label);
  expect(labels).toEqual(['Send the requests: Email', 'Discard the requests: Email']);
});

test.each<[OfficeSession['permissions'], string | undefined]>([
  [['voters'], undefined],
  [['log'], '/office/log?area=security'],
])('who may also %j is led to the attacks in the log at: %s', async (permissions, to) => {
  const { links } = await show([none], permissions);
  expect(links['Attacks and warnings in the log']).toBe(to);
});
