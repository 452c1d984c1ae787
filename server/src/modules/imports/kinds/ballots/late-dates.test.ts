import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import type { ImportId } from '../../../../platform/ids.ts';
import { putBackImport } from '../../index.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
  const ids = ['1', '2', '00000001'].map((id) => `${id},Ann,Lee,01/02/1950,99301`);
  await office.import(
    'beacon-voters',
    ['registration_id,firstname,lastname,birthdate,zipcode', ...ids].join('\n'),
  );
});
afterEach(() => office.close());

const carolina =
  'ncid,election_dt,ballot_req_type,ballot_req_dt,ballot_send_dt,ballot_rtn_dt,ballot_rtn_status';
const georgia =
  'Voter Registration #,Application Status,Ballot Status,Status Reason,Application Date,Ballot Issued Date,Ballot Return Date,Ballot Style';

/** A row of North Carolina's file: sent on, returned on, status. */
const nc = (sent: string, returned = ' ', status = ' ') =>
  `1,11/03/2026,MAIL,09/01/2026,${sent},${returned},${status}`;
const importCarolina = (...rows: string[]) =>
  office.import('nc-absentee', [carolina, ...rows].join('\n'));
const importGeorgia = (...rows: string[]) =>
  office.import('ga-absentee', [georgia, ...rows].join('\n'), { election: '7' });

/** Each ballot's events, as `requested, sent 2026-09-20`; the ballots by the text of theirs. */
async function ballots(): Promise<string[]> {
  const { rows } = await sql<{ events: string }>`
    select string_agg(concat_ws(' ', e.status, e.occurred_on), ', ' order by e.event_id) as events
    from ballots b join ballot_events e using (ballot_id) group by b.ballot_id order by b.ballot_id`.execute(
    office.db.database.system,
  );
  return rows.map(({ events }) => events).sort();
}

test.each(['mail 09/20/2026', 'Mail 9/20/2026', 'MAIL 2026-09-20', 'MAIL 09/20/2026 0:00'])(
  'a ballot that was stored as %s goes on under its number as it is read now',
  async (stored) => {
    await office.addElection('8', '2026-12-08');
    // Another voter, and the same one in another election, have the number already.
    const row = nc('09/20/2026');
    const others = [row.replace(/^1,/, '2,'), row.replace('11/03/2026', '12/08/2026')];
    await importCarolina(row, ...others);
    await sql`update ballots b set ballot_number = ${stored} from voters v, elections e
      where v.voter_id = b.voter_id and e.election_id = b.election_id
        and v.registration_id = '1' and e.number = '7'`.execute(office.db.database.system);
    const { report } = await importCarolina(nc('09/20/2026', '10/12/2026', 'ACCEPTED'), ...others);
    expect(report.rows).toMatchObject({ added: 0, changed: 1 });
    expect(await ballots()).toEqual([
      'requested 2026-09-01, sent 2026-09-20',
      'requested 2026-09-01, sent 2026-09-20',
      'requested 2026-09-01, sent 2026-09-20, returned 2026-10-12, accepted 2026-10-12',
    ]);
  },
);

describe('a date that an office fills in later makes no second ballot', () => {
  test.each(['mail', 'Mail'])('of a ballot stored as %s', async (stored) => {
    await importCarolina(nc(' '));
    await sql`update ballots set ballot_number = ${stored}`.execute(office.db.database.system);
    const { report } = await importCarolina(nc('09/20/2026'));
    expect(report.rows).toMatchObject({ added: 0, changed: 1 });
    expect(await ballots()).toEqual(['requested 2026-09-01, sent 2026-09-20']);
  });

  test('of a ballot asked for and then sent, in North Carolina', async () => {
    await importCarolina(nc(' '));
    const { report } = await importCarolina(nc('09/20/2026'));
    expect(report.rows).toMatchObject({ added: 0, changed: 1 });
    expect(await ballots()).toEqual(['requested 2026-09-01, sent 2026-09-20']);

    const again = await importCarolina(nc('09/20/2026'), '');
    expect(again.report).toMatchObject({ events: 0, rows: { changed: 0, unchanged: 1 } });
    await importCarolina(nc('09/20/2026', '10/12/2026', 'ACCEPTED'));
    expect(await ballots()).toEqual([
      'requested 2026-09-01, sent 2026-09-20, returned 2026-10-12, accepted 2026-10-12',
    ]);
  });

  test('of one voter in one election, beside others with that day, or with none yet', async () => {
    await office.addElection('8', '2026-12-08');
    await office.addElection('9', '2026-12-15');
    const row = (voter: string, election: string, sent = ' ') =>
      nc(sent).replace('1,11/03', `${voter},${election}`);
    const day = '09/20/2026';
    const others = [row('2', '11/03', day), row('1', '12/08', day)];
    others.push(row('00000001', '11/03'), row('1', '12/15'));
    await importCarolina(row('1', '11/03'), ...others);
    const { report } = await importCarolina(row('1', '11/03', day), ...others);
    expect(report.rows).toMatchObject({ added: 0, changed: 1, unchanged: 4 });
    const { rows } = await sql<{ ballot: string }>`
      select concat_ws(' ', v.registration_id, e.number, b.current_status) as ballot
      from ballots b join voters v using (voter_id) join elections e using (election_id) order by 1`.execute(
      office.db.database.system,
    );
    expect(rows.map(({ ballot }) => ballot)).toEqual([
      ...['00000001 7 requested', '1 7 sent', '1 8 sent', '1 9 requested', '2 7 sent'],
    ]);
  });

  test('of an application whose date came late, in Georgia', async () => {
    await importGeorgia('1,A, , , , , ,MAIL');
    await importGeorgia('1,A,I, ,09/01/2026,10/06/2026, ,MAIL');
    expect(await ballots()).toEqual(['requested, requested 2026-09-01, sent 2026-10-06']);
  });
});

describe('a spoiled ballot and its replacement keep their own histories', () => {
  const spoiled = nc('09/20/2026', '10/01/2026', 'SPOILED');
  const other = 'requested 2026-09-01, sent 2026-10-02';
  const first = 'requested 2026-09-01, sent 2026-09-20, returned 2026-10-01, reprinted';

  test('when the replacement is asked for before it is sent', async () => {
    await importCarolina(spoiled, nc(' '));
    expect(await ballots()).toEqual(['requested 2026-09-01', first]);
    await importCarolina(spoiled, nc('10/02/2026'));
    expect(await ballots()).toEqual([first, other]);
  });

  test('when the first is sent and spoiled, and the other asked for, between two files', async () => {
    await importCarolina(nc(' '));
    await importCarolina(spoiled, nc(' '));
    await importCarolina(spoiled, nc('10/02/2026'));
    expect(await ballots()).toEqual([first, other]);
  });

  test('when both are sent between two files: the first sent is the known ballot', async () => {
    await importCarolina(nc(' '));
    await importCarolina(nc('10/02/2026'), spoiled);
    expect(await ballots()).toEqual([first, other]);
  });

  test('when neither is back yet: the day of the request shows which of the two was known', async () => {
    const later = nc('10/02/2026').replace('09/01/2026', '09/25/2026');
    await importCarolina(nc(' '));
    await importCarolina(later, nc('09/20/2026'));
    expect(await ballots()).toEqual([
      'requested 2026-09-01, sent 2026-09-20',
      'requested 2026-09-25, sent 2026-10-02',
    ]);
  });

  test('when the replacement is sent at once', async () => {
    await importCarolina(spoiled);
    await importCarolina(spoiled, nc('10/02/2026'));
    expect(await ballots()).toEqual([first, other]);
  });
});

describe('a date that an office corrects makes no second ballot', () => {
  const others = ['2', '00000001'].map((id) => nc('09/20/2026').replace(/^1,/, `${id},`));

  test('the day of sending, earlier or later: the page has the right one, and nobody reads of a replacement', async () => {
    await importCarolina(nc('09/20/2026'), ...others);
    const { report } = await importCarolina(nc('09/22/2026'), ...others);
    expect(report.rows).toMatchObject({ added: 0, changed: 1, unchanged: 2 });
    expect(report.warnings).toEqual([
      { message: 'a date of the ballot was corrected: it is the same ballot', count: 1 },
    ]);
    await importCarolina(nc('09/19/2026', '10/12/2026', 'ACCEPTED'), ...others);
    expect(await ballots()).toEqual([
      ...['requested 2026-09-01, sent 2026-09-20', 'requested 2026-09-01, sent 2026-09-20'],
      'requested 2026-09-01, sent 2026-09-20, sent 2026-09-22, sent 2026-09-19, returned 2026-10-12, accepted 2026-10-12',
    ]);
  });

  test('of one voter alone, beside other ballots with the new day, each of which keeps its own days', async () => {
    await office.addElection('8', '2026-12-08');
    const sent = nc('09/22/2026').replace(/^1,/, '2,');
    const row = (day: string) => sent.replace('09/22/2026', day);
    const kept = [
      nc('09/22/2026', '10/12/2026', 'ACCEPTED'),
      ...[sent.replace('11/03/2026', '12/08/2026'), sent.replace('MAIL', 'MILITARY')],
    ].map((other) => other.replace('09/01/2026', '08/15/2026'));
    // The ballot of a third voter is sent on the new day for the first time.
    const late = (day: string) => nc(day).replace(/^1,/, '00000001,');
    await importCarolina(...kept, late(' '), row('09/20/2026'));
    const { report } = await importCarolina(...kept, late('09/24/2026'), row('09/24/2026'));
    expect(report.rows).toMatchObject({ added: 0, changed: 2, unchanged: 3 });
    kept.push(late('09/24/2026'));
    // The day that its other ballots have.
    const again = await importCarolina(...kept, sent);
    expect(again.report.rows).toMatchObject({ added: 0, changed: 1, unchanged: 4 });
    expect(await ballots()).toEqual(
      [
        'requested 2026-09-01, sent 2026-09-24',
        'requested 2026-08-15, sent 2026-09-22, returned 2026-10-12, accepted 2026-10-12',
        ...['requested 2026-08-15, sent 2026-09-22', 'requested 2026-08-15, sent 2026-09-22'],
        'requested 2026-09-01, sent 2026-09-20, sent 2026-09-24, sent 2026-09-22',
      ].toSorted(),
    );
  });

  test('of a voter whose ballot in another election gets that day for the first time', async () => {
    await office.addElection('8', '2026-12-08');
    const next = (sent: string) => nc(sent).replace('11/03/2026', '12/08/2026');
    await importCarolina(nc(' '), next('09/20/2026'));
    const { report } = await importCarolina(nc('09/22/2026'), next('09/22/2026'));
    expect(report.rows).toMatchObject({ added: 0, changed: 2 });
    expect(await ballots()).toEqual([
      'requested 2026-09-01, sent 2026-09-20, sent 2026-09-22',
      'requested 2026-09-01, sent 2026-09-22',
    ]);
  });

  test('also where applications are known, which a list of ballots never has', async () => {
    const applications = ['1', '2', '00000001'].map(
      (id) => `${id},7,approved,2026-08-20,2026-08-25`,
    );
    const importApplications = (...more: string[]) =>
      office.import(
        'beacon-applications',
        [
          'registration_id,election,application_status,received_on,decided_on',
          ...applications,
          ...more,
        ].join('\n'),
      );
    await importApplications();
    await importCarolina(nc('09/20/2026'), ...others);
    const { report } = await importCarolina(nc('09/22/2026'), ...others);
    expect(report.rows).toMatchObject({ added: 0, changed: 1, unchanged: 2 });
    // They are what they were, under their own number.
    const again = await importApplications('');
    expect(again.report.rows).toMatchObject({ added: 0, changed: 0, unchanged: 3 });
  });

  test.each([
    ['other voters', ['2', '00000001']],
    ['the voter', ['1']],
  ])('also where a file that was put back had ballots of %s', async (_, wrong) => {
    const next = nc('09/20/2026').replace(/^1,/, '2,');
    await importCarolina(nc('09/20/2026'), next);
    const of = (id: string, type: string) =>
      nc('09/25/2026').replace(/^1,/, `${id},`).replace('MAIL', type);
    const { importId } = await importCarolina(
      ...[nc('09/20/2026'), next],
      ...wrong.flatMap((id) => [of(id, 'MAIL'), of(id, 'MILITARY')]),
    );
    await office.db.database.transaction((tx) =>
      putBackImport(tx, importId as ImportId, office.clock.now()),
    );
    const { report } = await importCarolina(nc('09/22/2026'), next);
    expect(report.rows).toMatchObject({ added: 0, changed: 1, unchanged: 1 });
  });

  test('the day of an application, in Georgia', async () => {
    await importGeorgia('1,A,I, ,09/01/2026,10/06/2026, ,MAIL');
    await importGeorgia('1,A,I, ,09/02/2026,10/06/2026, ,MAIL');
    expect(await ballots()).toEqual([
      'requested 2026-09-01, sent 2026-10-06, requested 2026-09-02, sent 2026-10-06',
    ]);
  });

  test('a file that writes its dates in another way says nothing new', async () => {
    await importCarolina(nc('09/20/2026'), ...others);
    const { report } = await importCarolina(
      ...[nc('2026-09-20'), ...others].map((row) => row.replaceAll('09/20/2026', '2026-09-20')),
    );
    expect(report).toMatchObject({ events: 0, rows: { added: 0, changed: 0, unchanged: 3 } });
  });
});

describe('another envelope of the same voter is a ballot of its own', () => {
  const sent = 'requested 2026-09-01, sent 2026-09-20';
  const other = 'requested 2026-09-01, sent 2026-10-02';

  test('when it is in the file beside the first', async () => {
    await importCarolina(nc('09/20/2026'));
    await importCarolina(nc('09/20/2026'), nc('10/02/2026'));
    expect(await ballots()).toEqual([sent, other]);
  });

  test('when the first was refused or spoiled, and its row is missing that day', async () => {
    const first = nc('09/20/2026', '10/05/2026', 'WITNESS INFO INCOMPLETE');
    await importCarolina(first);
    await importCarolina(nc('10/02/2026'));
    expect(await ballots()).toEqual([
      `${sent}, returned 2026-10-05, rejected-curable 2026-10-05`,
      other,
    ]);
    await importCarolina(first, nc('10/02/2026'));
    expect(await ballots()).toHaveLength(2);
  });

  test('when it was sent after the first came back, or comes to light after the second', async () => {
    await importCarolina(nc('09/20/2026', '09/30/2026', 'PENDING'));
    await importCarolina(nc('10/02/2026'));
    expect(await ballots()).toEqual([`${sent}, returned 2026-09-30`, other]);
    await importCarolina(nc('09/10/2026', '09/15/2026', 'REJECTED'));
    expect(await ballots()).toHaveLength(3);
  });

  test('when it was asked for after the first was sent, in Georgia', async () => {
    await importGeorgia('1,A,I, ,09/01/2026,10/06/2026,10/20/2026,MAIL');
    await importGeorgia('1,A,I, ,10/10/2026,10/12/2026, ,MAIL');
    expect(await ballots()).toEqual([
      'requested 2026-09-01, sent 2026-10-06, returned 2026-10-20',
      'requested 2026-10-10, sent 2026-10-12',
    ]);
  });

  test('when it stands in a part of the file, where nobody can say what is missing', async () => {
    const rows = [nc('09/20/2026'), nc('10/02/2026')];
    const neighbor = nc('09/20/2026').replace(/^1,/, '2,');
    // Of another election the part has what it had.
    await office.addElection('8', '2026-12-08');
    const next = neighbor.replace('11/03/2026', '12/08/2026');
    await importCarolina(neighbor, next, rows[0] ?? '');
    await importCarolina(next, rows[1] ?? '');
    expect(await ballots()).toEqual([sent, sent, sent, other]);
  });

  test.each([
    [8, 1, ['requested 2026-09-01, sent 2026-09-20, sent 2026-09-22']],
    [7, 1, [sent, 'requested 2026-09-01, sent 2026-09-22']],
    [7, 9, [sent, 'requested 2026-09-01, sent 2026-09-22']],
  ])(
    'when a file lists %i of ten other ballots, the first of them %i times: from eight on it is whole',
    async (listed, times, own) => {
      const ids = Array.from({ length: 10 }, (_, index) => String(index + 3));
      await office.import(
        'beacon-voters',
        [
          'registration_id,firstname,lastname,birthdate,zipcode',
          ...ids.map((id) => `${id},Ann,Lee,01/02/1950,99301`),
        ].join('\n'),
      );
      const others = ids.map((id) => nc('09/20/2026').replace(/^1,/, `${id},`));
      await importCarolina(nc('09/20/2026'), ...others);
      const repeated = Array.from({ length: times }, () => others[0] ?? '');
      await importCarolina(nc('09/22/2026'), ...repeated, ...others.slice(1, listed));
      expect(await ballots()).toEqual([...ids.map(() => sent), ...own].sort());
    },
  );

  test('when one row of a file has a date and another has none: the second was asked for, not sent', async () => {
    await importCarolina(nc(' '), nc('09/20/2026'));
    expect(await ballots()).toEqual(['requested 2026-09-01', sent]);
    const again = await importCarolina(nc('09/20/2026'), nc(' '), '');
    expect(again.report).toMatchObject({ events: 0 });
    await importCarolina(nc('09/20/2026'), nc('10/02/2026'));
    expect(await ballots()).toEqual([sent, other]);
  });
});
