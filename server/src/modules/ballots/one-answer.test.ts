import type { BallotStatusProgress } from '@ballot-beacon/contract/ballot-status-progress';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { officeStatuses, record } from '../../../../testing/ballot-events.ts';
import type { AccountId, BallotId } from '../../platform/ids.ts';
import { findEndedBallots } from './rivals.ts';
import { deriveBallotStatus } from './rules.ts';

let api: TestApi;
let adams: AccountId;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
});
afterAll(() => api.close());

interface Stated {
  readonly status: string;
  readonly on: string;
  readonly isActive?: boolean;
}

/** A voter with a ballot for each of the statuses. @returns the statuses on the page, and in the archive */
async function shownTo(firstname: string, ...ballots: readonly Stated[]) {
  const voterId = await addVoter(api.test, adams, { firstname });
  for (const [index, { status, on, isActive = true }] of ballots.entries())
    await addBallot(api.test, adams, voterId, {
      ...(isActive ? {} : { election: 'Primary Election', isActive, date: '2026-08-18' }),
      number: String(index + 1),
      events: [{ status, on }],
    });
  const browser = api.browser('adams.localhost');
  await browser.post('/api/voter/session', typed({ firstname }));
  const progress = await browser.get('/api/voter/ballot-status-progress/me');
  const archive = await browser.get('/api/voter/archive-ballot?page_size=-1');
  return {
    current: progress
      .json<BallotStatusProgress>()
      .ballots.map((ballot) => ballot.status_summary.current_status.status),
    past: archive
      .json<{ _embedded: { ballot: { status: string }[] }; total_items: number }>()
      ._embedded.ballot.map(({ status }) => status),
  };
}

describe('a voter with several ballots in one election', () => {
  test('is not asked to wait for a replacement after a vote in person', async () => {
    const { current } = await shownTo(
      'Paula',
      { status: 'in-person', on: '2026-11-10' },
      { status: 'reprinted', on: '2026-11-12' },
    );
    expect(current).toEqual(['in-person']);
  });

  test('no longer reads that the first was rejected once the second is accepted', async () => {
    const { current } = await shownTo(
      'Rita',
      { status: 'rejected', on: '2026-11-12' },
      { status: 'accepted', on: '2026-11-11' },
    );
    expect(current).toEqual(['accepted']);
  });

  test.each([
    ['Vera', '2026-11-12', '2026-11-10', 'accepted'],
    ['Wanda', '2026-11-10', '2026-11-12', 'in-person'],
    ['Yves', '2026-11-12', '2026-11-12', 'in-person'],
  ])('reads the latest of two that are complete: %s', async (name, accepted, inPerson, answer) => {
    const { current } = await shownTo(
      name,
      { status: 'accepted', on: accepted },
      { status: 'in-person', on: inPerson },
    );
    expect(current).toEqual([answer]);
  });

  test('sees each of them while none is complete', async () => {
    const { current } = await shownTo(
      'Simon',
      { status: 'undeliverable', on: '2026-11-10' },
      { status: 'sent', on: '2026-11-12' },
    );
    expect(current).toEqual(['undeliverable', 'sent']);
  });

  test('finds one answer among the ballots of elections that are over, too', async () => {
    const { past } = await shownTo(
      'Olga',
      { status: 'rejected', on: '2026-08-10', isActive: false },
      { status: 'accepted', on: '2026-08-11', isActive: false },
    );
    expect(past).toEqual(['accepted']);
  });
});

const anyBallots = fc.array(
  fc.record({ electionId: fc.nat(2), status: fc.constantFrom(...officeStatuses) }),
  { maxLength: 6 },
);

test('whatever their order, one complete ballot ends the others of its election, and no other ballot ends', () => {
  fc.assert(
    fc.property(
      anyBallots.chain((ballots) =>
        fc.tuple(
          fc.constant(ballots),
          fc.shuffledSubarray(
            ballots.map((_, index) => index),
            { minLength: ballots.length },
          ),
        ),
      ),
      ([ballots, order]) => {
        const records = ballots.map(({ electionId, status }, index) => ({
          ballotId: (index + 1) as BallotId,
          electionId,
          events: record([status, '2026-10-20']),
        }));
        const ended = findEndedBallots(records);
        expect(findEndedBallots(order.map((index) => records[index] ?? never()))).toEqual(ended);
        for (const { electionId } of records) {
          const ofElection = records.filter((one) => one.electionId === electionId);
          const shown = ofElection.filter(({ ballotId }) => !ended.has(ballotId));
          const isComplete = ofElection.some(
            ({ events }) => deriveBallotStatus(events).summary === 'complete',
          );
          if (isComplete) {
            expect(shown.map(({ events }) => deriveBallotStatus(events).summary)).toEqual([
              'complete',
            ]);
          } else {
            expect(shown).toEqual(ofElection);
          }
        }
      },
    ),
  );
});

function never(): never {
  throw new Error('There is no such record.');
}
