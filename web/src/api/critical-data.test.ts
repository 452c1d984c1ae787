import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildVoterInformation } from '../../../testing/voter-information.ts';
import { loadCriticalData, loadProgress } from './critical-data.ts';

const message = (language: string) => ({ language, title: `${language} title`, description: 'x' });
const emptyProgress = { ballots: [], as_of: null, answered_at: '2026-11-23T12:00:00Z' };
const pastBallot = {
  ballot_id: 1,
  election: {
    election_name: 'Past',
    election_date: '2026-03-10',
    election_is_active: false,
    return_deadline: null,
  },
  status_summary: {
    status: 'complete',
    current_step: 4,
    total_steps: 4,
    current_status: {
      status: 'accepted',
      display_name: 'Accepted',
      display_description: '',
      display_reason: '',
      display_next_step: '',
      datetime: null,
      outbound_expected_delivery_date: null,
      inbound_expected_delivery_date: null,
    },
  },
  status_history: [],
  fix: null,
  stopped: null,
};

let answers: Record<string, unknown>;
let asked: string[];
/** This path alone is answered by a server that is too busy. */
let failing: string;

/** Stands in for the network: an answer per path; other paths are not found. */
beforeEach(() => {
  asked = [];
  failing = '';
  answers = {
    '/api/voter/information': {
      _embedded: { voter_information: [buildVoterInformation()] },
    },
    '/api/voter/ballot-status-progress/me?language=spanish': emptyProgress,
    '/api/voter/no-ballot-status/spanish': message('spanish'),
    '/api/voter/no-ballot-status/english': message('english'),
    '/api/voter/delivery-type': { _embedded: { delivery_type: [{ delivery_type: 'email' }] } },
  };
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const answer = answers[url];
    if (answer !== undefined) return Response.json(answer);
    const status = url === failing ? 503 : 404;
    return new Response(JSON.stringify({ title: 'No', status, detail: 'No' }), {
      status,
      headers: { 'content-type': 'application/problem+json' },
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('what stands in place of ballots', () => {
  it('is fetched when there are none', async () => {
    const data = await loadProgress('spanish');
    expect(data).toEqual({
      progress: emptyProgress,
      no_ballot_status: message('spanish'),
      asked: { language: 'spanish', at: expect.any(Number), clock: expect.any(Number) },
    });
  });

  it('is fetched when every ballot is of an election that is over', async () => {
    answers['/api/voter/ballot-status-progress/me?language=spanish'] = {
      ballots: [pastBallot],
      as_of: null,
      answered_at: '2026-11-23T12:00:00Z',
    };
    expect((await loadProgress('spanish'))?.no_ballot_status).toEqual(message('spanish'));
  });

  it('is not fetched while an election is on', async () => {
    const { election } = pastBallot;
    answers['/api/voter/ballot-status-progress/me?language=spanish'] = {
      ballots: [{ ...pastBallot, election: { ...election, election_is_active: true } }],
      as_of: null,
      answered_at: '2026-11-23T12:00:00Z',
    };
    expect((await loadProgress('spanish'))?.no_ballot_status).toBeNull();
    expect(asked).toHaveLength(1);
  });

  it('is the English one where the language has none', async () => {
    delete answers['/api/voter/no-ballot-status/spanish'];
    expect((await loadProgress('spanish'))?.no_ballot_status).toEqual(message('english'));
    failing = '/api/voter/no-ballot-status/spanish';
    expect(await loadProgress('spanish')).toBeNull();
  });
});

describe('the critical data of a voter', () => {
  it('are the voter, the ballots and the ways of delivery', async () => {
    const data = await loadCriticalData('spanish');
    expect(data?.voter).toEqual(buildVoterInformation());
    expect(data?.progress).toEqual(emptyProgress);
    expect(data?.delivery_types._embedded.delivery_type).toEqual([{ delivery_type: 'email' }]);
  });

  it.each([
    '/api/voter/information',
    '/api/voter/ballot-status-progress/me?language=spanish',
    '/api/voter/delivery-type',
  ])('cannot be had without %s', async (path) => {
    delete answers[path];
    expect(await loadCriticalData('spanish')).toBeNull();
  });
});
