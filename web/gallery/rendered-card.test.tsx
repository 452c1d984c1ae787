import type { Ballot, BallotFix } from '@ballot-beacon/contract/ballot-status-progress';
import type { BallotStatus } from '@ballot-beacon/contract/statuses';
import { beforeAll, describe, expect, test } from 'vitest';
import { ballotWith, fixWith, readTexts, stoppedWith } from './fixtures.ts';
import { openDashboard as open, readDashboard as read, wordsOf } from './read-page.tsx';

/** What stands on a ballot's card, and until when. */

let english: Record<string, string>;
beforeAll(async () => {
  english = await readTexts('english');
  await open([]);
}, 60_000);

const ballot = (status: BallotStatus) => ballotWith(status, english);
const text = (key: string): string => english[key] ?? `no text ${key}`;

/** The card's words up to the details, which are folded away. */
const cardOf = (html: string) =>
  wordsOf(/<article[\s\S]*?<ol class="journey"/.exec(html)?.[0] ?? '');

describe('an envelope to fix', () => {
  const deadline = '2026-11-24T22:00:00Z';
  const withFix = (more: Partial<BallotFix> = {}): Ballot => ({
    ...ballot('rejected-curable'),
    fix: { ...fixWith(english, 'open'), deadline, ...more },
  });

  test.each([
    [deadline, false],
    [null, true],
  ])('whose deadline is %j has the next step in words: %s', async (until, isSaid) => {
    const words = await read([withFix({ deadline: until })]);
    expect(words.includes(text('status.rejected-curable.next'))).toBe(isSaid);
  });

  test.each([
    ['2026-11-24T19:59:59Z', 'Today is the last day: 2 hours left'],
    ['2026-11-24T20:00:01Z', 'Today is the last day: 1 hour left'],
    ['2026-11-24T21:00:00Z', 'Today is the last day: 1 hour left'],
    ['2026-11-24T21:00:01Z', 'Today is the last day'],
  ])('on its last day, at %s, has %j', async (at, left) => {
    const html = await open([withFix()], { at });
    const [, said = ''] = /<span class="return-left">([\s\S]*?)<\/span>/.exec(html) ?? [];
    expect(wordsOf(said).trim()).toBe(left);
  });

  test('can be fixed in each way until that way ends', async () => {
    const { ways } = fixWith(english, 'open');
    const ends = ['14:59:59', '15:00:00', '15:00:01'].map((time) => `2026-11-20T${time}Z`);
    const shown = ways.slice(0, 4).map((way, at) => ({ ...way, until: ends[at] ?? null }));
    const words = await read([withFix({ ways: shown })]);
    expect(shown.map(({ way }) => words.includes(text(`fix.way.${way}`)))).toEqual([
      ...[false, false],
      ...[true, true],
    ]);
  });

  test.each([
    ['in-person', true],
    ['drop-box', false],
  ])('by the way %j says what to bring: %s', async (only, isSaid) => {
    const ways = fixWith(english, 'open').ways.filter(({ way }) => way === only);
    expect((await read([withFix({ ways })])).includes(text('fix.bring'))).toBe(isSaid);
  });

  test('has the hours and the forms of the office', async () => {
    const html = await open([withFix()]);
    expect(wordsOf(html)).toContain('Open: Mon–Fri 8:00 AM–5:00 PM');
    const [, links = ''] = /<p class="fix-links">([\s\S]*?)<\/p>/.exec(html) ?? [];
    const found = [...links.matchAll(/<a href="([^"]*)">(.*?)<\/a>/g)];
    expect(found.map(([, to, words = '']) => [wordsOf(words), to])).toEqual([
      [text('fix.form'), 'https://elections.harbor-county.example/form.pdf'],
      [text('fix.notReturned'), 'https://elections.harbor-county.example/not-mine'],
    ]);
  });

  test('ends on the clock of the zone that its deadline is in', async () => {
    const words = await read([withFix({ time_zone: 'America/Los_Angeles' })]);
    expect(words).toContain('Fix it by Tue, Nov 24, 2:00 PM');
  });
});

describe('what leads to a return', () => {
  const election = { ...ballotWith('sent', {}).election };
  const next = (one: Ballot) => one.status_summary.current_status.display_next_step;
  const isSaid = async (one: Ballot, what: string, at: string) =>
    cardOf(await open([one], { at })).includes(what);

  test.each<[BallotStatus, string, boolean]>([
    ['sent', '2026-12-08T23:59:59Z', true],
    ['sent', '2026-12-09T00:00:00Z', false],
    ['reprinted', '2026-12-09T00:00:00Z', false],
    ['application-received', '2026-12-08T23:59:59Z', true],
    ['application-received', '2026-12-09T00:00:00Z', false],
    ['application-incomplete', '2026-12-09T00:00:00Z', false],
    ['returned', '2026-12-09T00:00:00Z', true],
  ])('is asked of a voter whose ballot is %s at %s: %s', async (status, at, isAsked) => {
    const one = ballot(status);
    expect(next(one)).not.toBe('');
    expect(await isSaid(one, next(one), at)).toBe(isAsked);
  });

  test.each([
    ['2026-12-09T04:59:59Z', true],
    ['2026-12-09T05:00:00Z', false],
  ])(
    'without a deadline is asked at %s, by Election Day in the office: %s',
    async (at, isAsked) => {
      const one = { ...ballot('sent'), election: { ...election, return_deadline: null } };
      expect(await isSaid(one, next(one), at)).toBe(isAsked);
    },
  );

  test.each([
    ['2026-12-08T23:59:59Z', true],
    ['2026-12-09T00:00:00Z', false],
  ])(
    'is advised of an envelope that stopped, with all of its steps, at %s: %s',
    async (at, isAsked) => {
      const stopped = stoppedWith(english, 'no-scan', 'wait');
      expect(stopped.display_steps).toHaveLength(2);
      for (const step of stopped.display_steps)
        expect(await isSaid({ ...ballot('sent'), stopped }, step, at)).toBe(isAsked);
    },
  );

  describe('where ballots that come for a week after Election Day count too, mailed by then,', () => {
    const deadline = { rule: 'received', date: '2026-12-15', time: '17:00', place: '' } as const;
    const one = () => ({ ...ballot('sent'), election: { ...election, return_deadline: deadline } });

    test.each([
      ['2026-12-09T04:59:59Z', true],
      ['2026-12-09T05:00:00Z', false],
    ])('is asked at %s, and time is left: %s', async (at, isAsked) => {
      const html = await open([one()], { at });
      expect(cardOf(html).includes(next(one()))).toBe(isAsked);
      expect(html.includes('class="return-left"')).toBe(isAsked);
      expect(html.includes('/calendar?deadline=return')).toBe(isAsked);
    });
  });

  test('has its last day with its hour', async () => {
    expect(await read([ballot('sent')])).toContain('Tue, Dec 8, 7:00 PM');
  });
});

test.each([
  [{}, true],
  [{ contact_phone: '' }, false],
])('an office with %j can be called from the card: %s', async (office, isCalled) => {
  const html = await open([ballot('rejected')], { office });
  expect(html.includes('class="button button-primary ballot-call"')).toBe(isCalled);
});

test.each([
  [{}, true],
  [{ voterUiEstimatedDeliveryDate: false }, false],
])(
  'with the flags %j the days in which an envelope is expected are shown: %s',
  async (flags, isShown) => {
    const one = ballot('sent');
    one.status_summary.current_status.outbound_expected_delivery_date = '2026-11-22';
    const html = await open([one], { flags });
    expect(html.includes('class="ballot-expected"')).toBe(isShown);
  },
);

test.each([
  ['2026-11-15', 'Updated Nov 15 (5 days ago)'],
  // Still the 19th at the office.
  ['2026-11-20T04:00:00Z', 'Updated Nov 19 (yesterday)'],
  ['2026-11-20', 'Updated Nov 20 (today)'],
  ['2026-11-21', 'Updated Nov 21'],
])('news of %s says how long ago that is: %j', async (datetime, said) => {
  const one = ballot('sent');
  one.status_summary.current_status.datetime = datetime;
  const html = await open([one]);
  const [line = ''] = /<p class="ballot-since">[\s\S]*?<\/p>/.exec(html) ?? [];
  expect(
    wordsOf(line)
      .trim()
      .replaceAll(/\s+(?=\))|(?<=\()\s+/g, ''),
  ).toBe(said);
});

test.each([
  ['Harbor County', 'Last updated by \u2068Harbor County\u2069 Nov 20, 6:15'],
  ['', 'Last updated by \u2068Harbor County Supervisor of Elections\u2069 Nov 20, 6:15'],
])('below the ballots of the county %j is who brought the news, and when', async (county, said) => {
  expect(await read([ballot('sent')], { office: { county } })).toContain(said);
});

test('the details say of each step when it was, who says so, and what it means once it is reached', async () => {
  const one = ballot('sent');
  for (const step of one.status_history) if (step.status === 'sent') step.datetime = null;
  const html = await open([one]);
  const [details = ''] = /<details class="timeline"[\s\S]*?<\/details>/.exec(html) ?? [];
  const steps = [...details.matchAll(/<li [\s\S]*?<\/li>/g)].map(([step]) => wordsOf(step).trim());
  expect(steps).toEqual([
    'Printed (done) 11/6/26 · Office record Your ballot has been printed.',
    'Sent (done) Date not available · Office record Your ballot is on its way to you.',
    'Returned (not yet) not yet',
    'Accepted (not yet) not yet',
  ]);
});

test('several ballots have their election in a line, whatever way it is written', async () => {
  const ballots = [ballotWith('sent', english, 1), ballotWith('accepted', english, 2)];
  const [lines = ''] = /<nav class="several"[\s\S]*?<\/nav>/.exec(await open(ballots)) ?? [];
  expect(
    [...lines.matchAll(/<bdi>([^<]*)<\/bdi>: <strong>([^<]*)</g)].map(([, ...of]) => of),
  ).toEqual([
    ['Harbor County Special Election', 'Sent'],
    ['Harbor County Special Election', 'Accepted'],
  ]);
});

test.each([
  [{}, 'Margaret'],
  [{ firstname: '' }, 'Whitfield'],
])('a voter with %j is greeted as %s', async (voter, name) => {
  const words = await read([], { voter });
  expect(words).toContain(text('dashboard.hello').replace('{{name}}', name));
});

test.each<[{ is_confidential?: true }, boolean]>([
  [{ is_confidential: true }, true],
  [{}, false],
])('a voter with %j reads about it: %s', async (voter, isSaid) => {
  const words = await read([], { voter });
  expect(words.includes(text('dashboard.confidential'))).toBe(isSaid);
});

test('where the office sends nothing, nobody is led to the alerts', async () => {
  const optIns = { email_opt_in: false, sms_opt_in: false, voice_opt_in: false };
  for (const [offered, from_voice, isLed] of [
    [[], null, false],
    [['voice'], null, false],
    [['voice'], '+18505550142', true],
  ] as const) {
    const html = await open([ballot('sent')], { voter: optIns, offered, office: { from_voice } });
    const way = `${offered} from ${from_voice}`;
    expect(html.includes('href="#contact-preferences"'), way).toBe(isLed);
    expect(html.includes('href="#field-voice"'), way).toBe(isLed);
  }
});
