import type { Ballot, BallotStatusProgress } from '@ballot-beacon/contract/ballot-status-progress';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  type TestEvent,
  typed,
} from '../../../../testing/api.ts';
import { anyEvents, record } from '../../../../testing/ballot-events.ts';
import { findProblem } from './fix.ts';
import { deriveBallotStatus } from './rules.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const year = new Date().getUTCFullYear() + 1;
/** In summer, whose time is the same in any year. */
const electionDay = `${year}-06-02`;
const found = [
  { status: 'sent', on: `${year}-05-02` },
  { status: 'returned', on: `${year}-05-12` },
  { status: 'rejected-curable', on: `${year}-05-13` },
] as const;

/** A voter's ballot as the API shows it, in an office of its own that is made at the first call. */
async function show(
  subdomain: string,
  settings: Record<string, unknown> = {},
  { events = found as readonly TestEvent[], reason = 'No signature', language = 'english' } = {},
): Promise<Ballot> {
  const known = await api.query('select from accounts where subdomain = $1', [subdomain]);
  if (known.length === 0) {
    const accountId = await addOffice(api.test, { subdomain, ...settings });
    const voter = await addVoter(api.test, accountId);
    const given = events.map((event) => ({ ...event, reason }));
    await addBallot(api.test, accountId, voter, { date: electionDay, events: given });
  }
  const browser = api.browser(`${subdomain}.localhost`);
  await browser.post('/api/voter/session', typed());
  const answer = await browser.get(`/api/voter/ballot-status-progress/me?language=${language}`);
  const [ballot] = answer.json<BallotStatusProgress>().ballots;
  if (!ballot) throw new Error(answer.body);
  return ballot;
}

describe('A voter whose envelope has a problem', () => {
  test('reads what is wrong, the last moment by the law of the state, and the ways the office offers', async () => {
    const envelope_fix = {
      online_form: 'https://adams.example/fix',
      visit_address: '1 Main Street',
      visit_hours: [
        { days: 'mon-fri', open: '08:00', close: '17:00' },
        { days: 'wed', open: '17:00', close: '19:00' },
      ],
    };
    const { fix, status_summary: summary } = await show('adams', { envelope_fix });
    expect(fix).toMatchObject({
      state: 'open',
      defect: 'signature-missing',
      display_reason: 'The signature on your return envelope is missing.',
      deadline: `${year}-06-04T17:00:00-04:00`,
      time_zone: 'America/New_York',
      form_url: null,
    });
    expect(fix?.ways).toMatchObject([
      { way: 'online', url: 'https://adams.example/fix' },
      {
        ...{ way: 'in-person', place: '1 Main Street' },
        hours: [
          { from: 1, to: 5 },
          { from: 3, to: 3, open: '17:00', close: '19:00' },
        ],
      },
    ]);
    expect(summary.current_status.display_next_step).toMatch(
      /^Fix it by \w+, Jun 4, 5:00\sPM EDT\.$/,
    );
    const spanish = await show('adams', {}, { language: 'spanish' });
    expect(spanish.fix?.display_reason).toBe('Falta la firma en su sobre de devolución.');
    const astray = await show('astray', { time_zone: 'America/Denver' });
    expect(astray.fix).toMatchObject({ deadline: fix?.deadline, time_zone: 'America/New_York' });
  });

  test('is no longer asked to fix it from the last moment on, and reads whom to call', async () => {
    const before = api.clock.now();
    try {
      api.clock.set(`${year}-06-04T20:59:59.999Z`);
      expect((await show('late')).status_summary.current_status.display_next_step).toMatch(
        /^Fix it/,
      );
      api.clock.set(`${year}-06-04T21:00:00Z`);
      const { fix, status_summary: summary } = await show('late');
      expect(fix?.deadline).toBe(`${year}-06-04T17:00:00-04:00`);
      expect(summary.current_status).toMatchObject({
        display_description: 'The signature on your return envelope is missing.',
        display_next_step: 'Call the election office now and ask what you can still do.',
      });
    } finally {
      api.clock.set(before.toISOString());
    }
  });

  test('is never given a guessed date: no rule, or a day that nobody has given', async () => {
    const unknown = await show('noville', {}, { reason: 'Wrong envelope' });
    expect(unknown.fix).toMatchObject({ defect: 'wrong-envelope', deadline: null });
    const waiting = await show('king', { state: 'WA', time_zone: 'America/Los_Angeles' });
    expect(waiting.fix?.deadline).toBeNull();
    await api.query(
      `update elections set certified_on = $1 where account_id =
      (select account_id from accounts where subdomain = 'king')`,
      [`${year}-06-23`],
    );
    expect((await show('king')).fix?.deadline).toBe(`${year}-06-22T16:30:00-07:00`);
  });

  test('reads no deadline that the office set for another election', async () => {
    const lawful = (await show('two-elections')).fix?.deadline;
    expect(lawful).toMatch(/T17:00:00/);
    await api.query(
      `with other as (
         insert into elections (account_id, number, name, election_date, is_active)
         select account_id, 'other', 'Other', $1::date, true from accounts where subdomain = 'two-elections'
         returning account_id, election_id
       )
       insert into office_deadlines (account_id, election_id, defect, ends_on, ends_at, reason, set_by)
       select account_id, election_id, 'signature-missing', $1::date, '12:00', 'Court order 7', 'tester' from other`,
      [electionDay],
    );
    expect((await show('two-elections')).fix?.deadline).toBe(lawful);
  });

  test('reads no date where the law differs by the kind of election and the office has not said which', async () => {
    const settings = { state: 'AZ', time_zone: 'America/Phoenix' };
    expect(
      (await show('pima', settings, { reason: 'Signature differs' })).fix?.deadline,
    ).toBeNull();
    await api.query(`update elections set kind = 'local' where account_id =
      (select account_id from accounts where subdomain = 'pima')`);
    expect((await show('pima')).fix?.deadline).toBe(`${year}-06-05T17:00:00-07:00`);
  });

  test('reads what happens next once the office has withdrawn the problem', async () => {
    const events = [...found, { status: 'returned', on: `${year}-05-15` }];
    const { fix, status_summary: summary } = await show('cleared', {}, { events });
    expect(fix?.state).toBe('recorded');
    expect(summary.current_status.display_next_step).toContain('The office will check');
  });

  test('has nothing to fix when the ballot is in order, or after a verdict', async () => {
    expect((await show('fine', {}, { events: found.slice(0, 2) })).fix).toBeNull();
    const accepted = [...found, { status: 'accepted', on: `${year}-05-16` }];
    expect((await show('done', {}, { events: accepted })).fix).toBeNull();
  });
});

describe('The problem of a ballot', () => {
  test('is open exactly while the office’s latest word is that the voter can fix it', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const isOpen = deriveBallotStatus(events).status === 'rejected-curable';
        expect(findProblem(events)?.state === 'open').toBe(isOpen);
      }),
    );
  });

  test('was found on the day of its first record, however often files repeat it', () => {
    const events = record(
      ['returned', '2026-10-12'],
      ['rejected-curable', '2026-10-13'],
      ['rejected-curable', '2026-10-14'],
    );
    expect(findProblem(events)).toMatchObject({
      eventId: 3,
      discoveredOn: '2026-10-13',
      receivedOn: '2026-10-12',
    });
  });

  test('stays the same one when a file between says what nobody knows', () => {
    const events = record(
      ['returned', '2026-10-12'],
      ['rejected-curable', '2026-10-13'],
      [null, '2026-10-14'],
      ['rejected-curable', '2026-10-15'],
    );
    expect(findProblem(events)).toMatchObject({ problemId: 2, discoveredOn: '2026-10-13' });
  });

  test('is of the envelope that came before it, also when the office has withdrawn it since', () => {
    const events = record(
      ['returned', '2026-10-12'],
      ['rejected-curable', '2026-10-13'],
      ['returned', '2026-10-15'],
    );
    expect(findProblem(events)).toMatchObject({ state: 'recorded', receivedOn: '2026-10-12' });
  });

  test('of an envelope that a replacement followed is no longer the voter’s', () => {
    const events = record(
      ['rejected-curable', '2026-10-13'],
      ['reprinted', '2026-10-15'],
      ['returned', '2026-10-20'],
    );
    expect(findProblem(events)).toBeNull();
  });
});
