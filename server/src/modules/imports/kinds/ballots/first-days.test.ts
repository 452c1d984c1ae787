import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import type { ImportOutcome } from '../../index.ts';

/** The second file of an office: there is no history yet, only the file before it. */
let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  office.clock.set('2026-10-20T15:00:00Z');
  await office.addElection('7', '2026-11-03');
  await office.addElection('8', '2026-12-08');
  const voters = Array.from({ length: 200 }, (_, n) => `${n},Ann,Lee,01/02/1950,99301`);
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  await office.import('beacon-voters', [header, ...voters].join('\n'));
});
afterEach(() => office.close());

interface Row {
  readonly voter: number;
  readonly election?: number;
  readonly status?: string;
  readonly asked?: string;
  readonly sent?: string;
  readonly back?: string;
}

function importBallots(rows: readonly Row[]): Promise<ImportOutcome> {
  const lines = rows.map(
    ({ voter, election = 7, status = 'sent', asked = '', sent = '', back = '' }) =>
      [voter, election, status, asked, sent, back].join(','),
  );
  const header = 'registration_id,election,status,requested_on,sent_on,returned_on';
  return office.import('beacon-ballots', [header, ...lines].join('\n'));
}

/** Ballots asked for on different days. */
const asked = (from: number, to: number, month = '09'): Row[] =>
  range(from, to).map((voter) => ({
    voter,
    status: 'requested',
    asked: `2026-${month}-${String((voter % 28) + 1).padStart(2, '0')}`,
  }));
const accepted = (voter: number, back = '2026-10-15'): Row => ({
  ...{ voter, status: 'accepted', sent: '2026-10-05', back },
});

const detailsOf = ({ report }: ImportOutcome) => report.gate?.map(({ detail }) => detail);

describe('the second file waits', () => {
  test('with other days for most of the ballots that are known', async () => {
    await importBallots(asked(0, 40));
    const outcome = await importBallots(asked(20, 60, '08'));
    expect(reasonsOf(outcome)).toContain('other-dates');
    expect(detailsOf(outcome)).toContain(
      'Election 7: 20 of 20 known ballots in this file would get another day of request, printing, mailing or return. Is it the file of another county or election, or has the office changed how it writes dates?',
    );
    const [example] =
      outcome.report.gate?.find(({ code }) => code === 'other-dates')?.examples ?? [];
    expect(example).toEqual({
      ...{ voter: '20', from: 'requested 09/21/2026', to: 'requested 08/21/2026', line: 2 },
    });
  });

  test('if it has ballots of one election as ballots of another', async () => {
    await importBallots(asked(0, 40));
    const mixed = asked(0, 40).map((row) => ({ ...row, election: row.voter % 2 === 0 ? 7 : 8 }));
    const outcome = await importBallots(mixed);
    expect(reasonsOf(outcome)).toContain('moved-election');
    expect(detailsOf(outcome)).toContain(
      'Election 8: 20 of 20 new ballots have the days of a ballot that the same voter has in another election, and that this file no longer lists. Did the election change by mistake?',
    );
  });

  test('if it is all of another election, whose days are those of other voters in this one: then none has moved', async () => {
    await importBallots(asked(0, 28));
    const turned = asked(1, 29).map((row, voter) => ({ ...row, voter, election: 8 }));
    expect(reasonsOf(await importBallots(turned))).toEqual(['file-held', 'other-election']);
  });

  test('if an election without ballots begins with an envelope that came back in another', async () => {
    await importBallots([1, 2, 3, 4].map((voter) => accepted(voter)));
    const fresh = range(5, 11).map((voter) => accepted(voter, '2026-10-19'));
    const rows = [...[1, 2, 3, 4].map((voter) => accepted(voter)), ...fresh];
    const isMoved = (voter: number) => voter === 2 || voter > 7;
    const outcome = await importBallots(
      rows.map((row) => ({ ...row, election: isMoved(row.voter) ? 8 : 7 })),
    );
    expect(reasonsOf(outcome)).toEqual(['file-held', 'moved-election']);
    expect(detailsOf(outcome)).toEqual([
      'Election 8: 1 of 4 new ballots has the days of a ballot that the same voter has in another election, and that this file no longer lists. Did the election change by mistake?',
    ]);
  });

  test('with applications for one election as those for another', async () => {
    const importApplications = (election: number) =>
      office.import(
        'beacon-applications',
        [
          'registration_id,election,application_status,received_on,decided_on',
          ...range(0, 30).map((voter) => `${voter},${election},approved,2026-09-24,2026-09-25`),
          '',
        ].join('\n'),
      );
    await importApplications(7);
    office.clock.set('2026-11-07T15:00:00Z');
    expect(reasonsOf(await importApplications(8))).toEqual(['file-held', 'moved-election']);
  });

  test('if the only ballot came back on the same day in another election', async () => {
    await importBallots([accepted(1)]);
    const outcome = await importBallots([{ ...accepted(1), election: 8 }]);
    expect(reasonsOf(outcome)).toContain('moved-election');
    expect(outcome.report.gate?.at(-1)?.examples).toEqual([
      { voter: '1', from: 'election 7', to: 'election 8', line: 2 },
    ]);
  });

  test('if most ballots that are back would be voted in person, as with columns that changed places', async () => {
    const back = [1, 2, 3, 4].map((voter): Row => ({ ...accepted(voter), status: 'returned' }));
    const others = range(10, 150).map((voter): Row => ({ voter, sent: '2026-10-05' }));
    await importBallots([...back, ...others]);
    const outcome = await importBallots([
      ...back.map((row) => ({ ...row, status: 'in-person' })),
      ...others,
    ]);
    expect(reasonsOf(outcome)).toEqual(['file-held', 'went-back']);
    expect(detailsOf(outcome)).toEqual([
      'Election 7: 4 ballots would go back to an earlier step or be voted in person after their return: in-person (4). That is all of the ballots that have come that far. Is this an old file, or did two columns change places?',
    ]);
  });

  test('if two days that were right would lie in the future, however much else is new', async () => {
    const others = range(10, 100).map((voter): Row => ({ voter, sent: '2026-10-05' }));
    await importBallots([accepted(1), accepted(2), ...others]);
    const outcome = await importBallots([
      ...[accepted(1, '2026-12-01'), accepted(2, '2026-12-01')],
      ...others.map((row) => (row.voter < 30 ? accepted(row.voter, '2026-10-19') : row)),
    ]);
    expect(reasonsOf(outcome)).toEqual(['file-held', 'dates-off']);
    expect(detailsOf(outcome)).toEqual(['Election 7: 2 ballots would have a date after today.']);
    // Said once: the file waits for it.
    expect(outcome.report.warnings).toEqual([]);
  });

  test('if the only two accepted ballots would be rejected', async () => {
    const others = [3, 4, 5].map((voter) => ({ voter, status: 'in-person' }));
    await importBallots([accepted(1), accepted(2), ...others]);
    const rejected = [accepted(1), accepted(2)].map((row) => ({ ...row, status: 'rejected' }));
    expect(reasonsOf(await importBallots([...rejected, ...others]))).toEqual([
      ...['file-held', 'taken-back'],
    ]);
  });

  test('if its only news is a ballot rejected as late, until election day is over', async () => {
    await importWashington(['501,1,7,Received,,10/15/2026,Mail']);
    const late = ['501,1,7,Rejected,Too Late,10/15/2026,Mail'];
    for (const time of ['2026-10-20T15:00:00Z', '2026-11-03T15:00:00Z']) {
      office.clock.set(time);
      const outcome = await importWashington(late);
      expect(reasonsOf(outcome)).toEqual(['file-held', 'late-too-soon']);
      expect(detailsOf(outcome)).toEqual([
        'Election 7: 1 ballot would be rejected as late, and election day is not over. Is it the file of another election?',
      ]);
    }
    office.clock.set('2026-11-04T15:00:00Z');
    expect(reasonsOf(await importWashington(late))).toEqual(['done']);
  });

  test.each([
    ['after today', '2026-10-28'],
    ['of the year before', '2025-10-15'],
  ])('if the day of its only news is %s', async (_what, back) => {
    const sent = { voter: 1, sent: '2026-10-05' };
    await importBallots([sent]);
    const outcome = await importBallots([{ ...sent, status: 'returned', back }]);
    expect(reasonsOf(outcome)).toContain('dates-off');
  });

  test('if a list of nearly all ballots has lost a third of them, none of them accepted', async () => {
    await importBallots(asked(0, 60));
    const outcome = await importBallots([...asked(0, 40), ...asked(60, 75)]);
    expect(reasonsOf(outcome)).toEqual(['file-held', 'ballots-missing']);
    expect(detailsOf(outcome)).toEqual([
      'This file lists 40 of the 60 ballots that you have: 20 are missing. Voters would still see them as before. Is a part of the file gone?',
    ]);
    expect(outcome.report.gate?.[0]?.examples?.[0]).toEqual({
      ...{ voter: '40', from: 'requested', to: 'missing', line: null },
    });
  });
});

const washington =
  'Ballot ID,Voter ID,Election,Ballot Status,Challenge Reason,Received Date,Return Method';
const importWashington = (rows: readonly string[]) =>
  office.import('wa-ballots', [washington, ...rows].join('\n'));

const pennsylvania =
  'voter_id,countyname,appreturndate,ballotsentdate,ballotreturneddate,ballot_status,ballot_status_reason';
const importPennsylvania = (rows: readonly string[]) =>
  office.import('pa-ballots', [pennsylvania, ...rows].join('\n'), { election: '7' });

test('the second file waits if the office’s word for the status is gone from every row', async () => {
  const row = (status: string) => (voter: number) => `${voter},ADAMS,2026-09-01,,,${status},`;
  await importPennsylvania(range(0, 30).map(row('Pending')));
  const outcome = await importPennsylvania(range(0, 30).map(row('')));
  expect(reasonsOf(outcome)).toContain('empty-statuses');
  expect(detailsOf(outcome)).toContain(
    'Election 7: 30 known ballots would have no status any more. Is the status column empty or in another place?',
  );
});

const georgia =
  'County,Voter Registration #,Application Status,Ballot Status,Status Reason,Application Date,Ballot Issued Date,Ballot Return Date,Ballot Style';
const importGeorgia = (rows: readonly string[]) =>
  office.import('ga-absentee', [georgia, ...rows].join('\n'), { election: '7' });

const carolina =
  'ncid,election_dt,ballot_req_type,ballot_req_dt,ballot_send_dt,ballot_rtn_dt,ballot_rtn_status';
const importCarolina = (rows: readonly string[]) =>
  office.import('nc-absentee', [carolina, ...rows].join('\n'));

test.each([[['ACCEPTED']], [['PENDING', 'ACCEPTED']]])(
  'the second file waits if its voters have other ballots than those known, which it does not list: %j',
  async (statuses) => {
    const row = (sent: number) => (voter: number) =>
      statuses.map(
        (status) => `${voter},11/03/2026,MAIL,09/01/2026,09/${sent}/2026,10/12/2026,${status}`,
      );
    await importCarolina([1, 2].flatMap(row(20)));
    const outcome = await importCarolina([1, 2].flatMap(row(28)));
    expect(reasonsOf(outcome)).toContain('other-ballots');
    expect(detailsOf(outcome)).toContain(
      'Election 7: 2 of 2 new ballots are of voters whose known ballot this file no longer lists. A replacement stands beside the ballot that it replaces. Is it an old file, or one of another county or election?',
    );
    const found = outcome.report.gate?.find(({ code }) => code === 'other-ballots');
    expect(found?.examples?.[0]).toEqual({
      ...{ voter: '1', from: 'MAIL 09/20/2026', to: 'MAIL 09/28/2026', line: 1 + statuses.length },
    });
  },
);

test('of ballots that replace one and have the days of another, each reason shows its own', async () => {
  const row = (voter: number, day: string, sent: string) =>
    `${voter},${day}/2026,MAIL,09/01/2026,09/${sent}/2026,10/12/2026,ACCEPTED`;
  const list = (day: string, sent: string) => [1, 2, 3].map((voter) => row(voter, day, sent));
  await importCarolina([...list('12/08', '20'), ...list('11/03', '28')]);
  const { report } = await importCarolina(list('12/08', '28'));
  const shown = report.gate?.map(({ code, examples }) => [code, examples?.map(({ from }) => from)]);
  expect(shown).toEqual(
    expect.arrayContaining([
      ['other-ballots', Array(3).fill('MAIL 09/20/2026')],
      ['moved-election', Array(3).fill('election 7')],
    ]),
  );
});

test('the second file waits if the days that distinguish its open ballots are all others', async () => {
  const row = (year: number) => (voter: number) =>
    `ADAMS,${voter},A,I,,04/0${(voter % 9) + 1}/${year},,,ABSENTEE BY MAIL`;
  await importGeorgia(range(0, 30).map(row(2026)));
  const outcome = await importGeorgia(range(0, 30).map(row(2025)));
  expect(reasonsOf(outcome)).toContain('other-dates');
  expect(detailsOf(outcome)?.join()).toContain('Election 7: 30 of 30 known ballots in this file');
  const found = outcome.report.gate?.find(({ code }) => code === 'other-dates');
  expect(found?.examples?.[0]).toEqual({
    ...{ voter: '0', from: 'another day', to: 'ABSENTEE BY MAIL 04/01/2025', line: 2 },
  });
});

test('a list with half of its rows waits for one reason, with the ballots that it lacks', async () => {
  await importBallots(asked(0, 60));
  const { report } = await importBallots(asked(0, 30));
  expect(report.gate).toEqual([
    {
      code: 'file-shrank',
      detail: 'It has 30 rows; the one before it had 60, and your limit is 10% fewer.',
      rows: 30,
      examples: [30, 31, 32, 33, 34].map((voter) => ({
        ...{ voter: String(voter), from: 'requested', to: 'missing', line: null },
      })),
    },
  ]);
});

describe('the second file is loaded', () => {
  test('when a clerk rejects the only ballot that is back', async () => {
    await importBallots([{ voter: 1, status: 'returned', back: '2026-10-15' }]);
    const only = { ...accepted(1), status: 'rejected' };
    expect(reasonsOf(await importBallots([only]))).toEqual(['done']);
  });

  test('when it lists only the changes of the day', async () => {
    await importBallots(asked(0, 60));
    const mailed = asked(0, 8).map((row) => ({ ...row, status: 'sent', sent: '2026-10-19' }));
    expect(reasonsOf(await importBallots([...mailed, ...asked(60, 63)]))).toEqual(['done']);
  });

  test('when all ballots are mailed on one day', async () => {
    await importBallots(asked(0, 60));
    const mailed = asked(0, 60).map((row) => ({ ...row, status: 'sent', sent: '2026-10-19' }));
    expect(reasonsOf(await importBallots(mailed))).toEqual(['done']);
  });

  test('when an election begins with the standing requests of the one before it, beside its ballots', async () => {
    await importBallots(asked(0, 60));
    const next = asked(0, 60).map((row) => ({ ...row, election: 8 }));
    expect(reasonsOf(await importBallots([...asked(0, 60), ...next]))).toEqual(['done']);
  });

  test('when an election begins with ballots without any day, as another had them that is no longer listed', async () => {
    const undated = (election: number) =>
      range(0, 4).map((voter): Row => ({ voter, election, status: 'requested' }));
    await importBallots([...undated(7), ...asked(4, 60)]);
    const outcome = await importBallots([...undated(8), ...asked(4, 60)]);
    expect(reasonsOf(outcome)).toEqual(['done']);
  });

  test('when a few days were corrected and a few ballots are gone', async () => {
    await importBallots(asked(0, 60));
    const outcome = await importBallots([...asked(4, 12, '08'), ...asked(12, 60)]);
    expect(reasonsOf(outcome)).toEqual(['done']);
  });
});

describe('accepted ballots that get a word which leaves the status as it was', () => {
  const header =
    'MUNICIPALITY|CH|DES|VOTER ID|P|W/P|CG|SS|SR|CC|REQTYPE|REQDATE|REQDEN|ISSTYPE|ISSDATE|RECTYPE|RECDATE|DUP|ACC OR REJ|REJRSN|';
  /** Maine's list, in which the first ballots were refused without ever coming back, and the next ones were accepted. */
  const importMaine = (refused: number, word = 'REJ', reason = 'BND') => {
    const lines = range(0, 40).map((voter) => {
      const end = voter < refused ? `|||${word}|${reason}|` : 'MA|10/15/2026||ACC||';
      return `|||${voter}|||||||MA|9/20/2026|||10/5/2026|${voter < 30 ? end : '|||||'}`;
    });
    return office.import('me-absentee', [header, ...lines, ''].join('\n'), { election: '7' });
  };

  test('stay accepted for their voters, and few of them are named', async () => {
    expect((await importMaine(0)).report.after).toEqual({ '7 accepted': 30, '7 sent': 10 });
    const { state, report } = await importMaine(3);
    expect(state).toBe('done');
    expect(report.after).toEqual({ '7 accepted': 30, '7 sent': 10 });
    expect(report.warnings).toEqual([
      {
        message:
          'accepted before, and now listed with a status that does not say whether they count (voters 0, 1, 2). Voters still see these ballots as accepted. Ask the office what it means.',
        count: 3,
      },
    ]);
  });

  test('and more of them wait', async () => {
    await importMaine(0);
    const outcome = await importMaine(4);
    expect(reasonsOf(outcome)).toEqual(['file-held', 'accepted-undecided']);
    expect(detailsOf(outcome)).toEqual([
      'Election 7: 4 ballots that are accepted or voted in person would have a status that does not say whether they count. Voters would still see what they see now. Ask the office what it means.',
    ]);
    expect(outcome.report.gate?.[0]?.examples?.[0]).toEqual({
      ...{ voter: '0', from: 'accepted', to: '"REJ"', line: 2 },
    });
  });

  test('which no rule knows, are judged as unknown words', async () => {
    await importMaine(0);
    const { state, report } = await importMaine(4, 'LOST', '');
    expect(state).toBe('done');
    expect(report.unknownStatuses).toEqual([{ value: 'LOST', count: 4 }]);
    expect(report.warnings).toEqual([]);
  });
});

test('rows of accepted ballots that were refused are not called gone', async () => {
  const all = range(0, 40).map((voter) => accepted(voter));
  await importBallots(all);
  const mistyped = range(0, 2).map((voter) => accepted(voter, '10/15/0202'));
  expect(detailsOf(await importBallots([...mistyped, ...all.slice(2), accepted(40)]))).toEqual([
    '2 accepted ballots are missing from this file. Voters would still see them as accepted. 2 rows were refused, perhaps theirs: correct what was refused, or ask the office why the rows are gone.',
  ]);
});

test('a new day of a verdict is shown among the changes of a file that waits', async () => {
  const verdicts = (day: string, more = '') =>
    office.import(
      'beacon-ballots',
      `registration_id,election,status,returned_on,status_on\n${range(0, 40)
        .map((n) => `${n},7,accepted,2026-10-10,2026-10-${n < 20 ? day : '11'}`)
        .join('\n')}${more}`,
    );
  await verdicts('12');
  await verdicts('13');
  const [reason] = (await verdicts('12')).report.gate ?? [];
  expect(reason).toMatchObject({
    code: 'old-file',
    examples: expect.arrayContaining([
      { voter: '0', from: 'status date 10/13/2026', to: 'status date 10/12/2026', line: 2 },
    ]),
  });
});
