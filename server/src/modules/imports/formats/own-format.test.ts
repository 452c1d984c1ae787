import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';
import { sql } from '../../../../../testing/sql.ts';
import { describeReport, findFormat } from '../index.ts';

let office: TestOffice;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beacon-formats-'));
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
  const voters = Array.from({ length: 20 }, (_, n) => `${n + 1},Ann,Lee,01/02/1950,99301`);
  await office.import(
    'beacon-voters',
    ['registration_id,firstname,lastname,birthdate,zipcode', ...voters].join('\n'),
  );
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await office.close();
});

let formats = 0;

/** An office's own format of ballots. @returns its path */
function ownFormat(more: object): string {
  formats += 1;
  const path = join(folder, `own-${formats}.json`);
  const format = {
    name: `own-${formats}`,
    title: 'Own',
    source: 'test',
    holds: 'ballots',
    required: ['ID', 'STATUS'],
    ...more,
  };
  writeFileSync(path, JSON.stringify(format));
  return path;
}

/** Voter, status and day of the last event of each ballot after a file of an own format. */
async function importOwn(format: string, ...lines: string[]) {
  const outcome = await office.import(format, lines.join('\n'), { election: '7' });
  const { rows } = await sql<{ seen: string }>`
    select concat_ws(' ', v.registration_id, b.current_status, e.occurred_on) as seen
    from ballots b join voters v using (voter_id) left join ballot_events e on e.event_id = b.current_event_id
    where e.import_id = ${outcome.importId} order by v.registration_id::integer`.execute(
    office.db.database.system,
  );
  return { outcome, seen: rows.map(({ seen }) => seen) };
}

const accepted = { when: { STATUS: 'Counted' }, becomes: 'accepted' };

describe('an office’s own format', () => {
  test('compares values and conditions alike, without case, extra spaces and lengths of dashes', async () => {
    const format = ownFormat({
      fields: {
        registration_id: 'ID',
        ballot_number: { column: 'KIND', values: { 'By – Mail': 'M' } },
      },
      status: { columns: ['STATUS'], rules: [accepted] },
    });
    await importOwn(format, 'ID,STATUS,KIND', '1,COUNTED,BY - mail', '2,counted,by  —  MAIL');
    const { rows } = await sql<{ number: string; status: string }>`
      select ballot_number as number, current_status as status from ballots`.execute(
      office.db.database.system,
    );
    expect(rows).toEqual([
      { number: 'M', status: 'accepted' },
      { number: 'M', status: 'accepted' },
    ]);
  });

  test('compares two dates, and takes the latest of several', async () => {
    const format = ownFormat({
      dates: ['MM/DD/YYYY'],
      fields: {
        registration_id: 'ID',
        sent_on: { latest: ['MAILED', 'MAILED_AGAIN'] },
        returned_on: 'BACK',
      },
      status: {
        columns: ['STATUS'],
        rules: [
          { when: { STATUS: 'Out', BACK: { later_than: 'MAILED_AGAIN' } }, becomes: 'returned' },
          { when: { STATUS: 'Out' }, becomes: 'sent' },
        ],
      },
    });
    const { seen } = await importOwn(
      format,
      'ID,STATUS,MAILED,MAILED_AGAIN,BACK',
      '3,Out,10/05/2026,10/12/2026,',
      '4,Out,10/05/2026,,10/09/2026',
      '5,Out,10/15/2026,10/12/2026,',
    );
    expect(seen).toEqual(['3 sent 2026-10-12', '4 returned 2026-10-09', '5 sent 2026-10-15']);
  });

  test('is read past invisible characters in names of columns and in statuses', async () => {
    const format = ownFormat({
      fields: { registration_id: 'ID', returned_on: 'BACK' },
      status: {
        columns: ['STATUS'],
        rules: [accepted, { when: { STATUS: { filled: false } }, becomes: 'returned' }],
      },
    });
    const rows = [
      '1,Counted\u200b,10/20/2026',
      '2,Coun\u00adted,10/20/2026',
      '3,\u200b,10/20/2026',
    ];
    const { outcome, seen } = await importOwn(format, 'ID,\ufeffSTA\u200bTUS,BACK', ...rows);
    expect(outcome.report.unknownStatuses).toEqual([]);
    expect(seen).toEqual([
      ...['1 accepted 2026-10-20', '2 accepted 2026-10-20', '3 returned 2026-10-20'],
    ]);
  });

  test.each(['constructor', 'toString'])('may have a column named %s', async (column) => {
    const format = ownFormat({
      required: ['ID', 'STATUS', column],
      fields: { registration_id: 'ID', returned_on: 'BACK' },
      status: {
        columns: ['STATUS'],
        rules: [{ when: { STATUS: 'Counted', [column]: 'Yes' }, becomes: 'accepted' }],
      },
    });
    const header = `ID,STATUS,BACK,${column}`;
    const { seen } = await importOwn(format, header, '1,Counted,10/20/2026,Yes');
    expect(seen).toEqual(['1 accepted 2026-10-20']);
    const { outcome } = await importOwn(format, 'ID,STATUS,BACK', '1,Counted,10/20/2026');
    expect(outcome.report.refusedBecause).toMatch(
      new RegExp(
        `^The file has no column ${column}, so it is not a file of format own-\\d+\\. Its`,
      ),
    );
  });

  test('takes the first of several columns with a date, past a text that stands for none', async () => {
    const format = ownFormat({
      no_dates: ['01/01/1900'],
      fields: { registration_id: 'ID', returned_on: { first: ['DROP_BOX', 'MAIL'] } },
      status: { columns: ['STATUS'], rules: [accepted] },
    });
    const { outcome, seen } = await importOwn(
      format,
      'ID,STATUS,DROP_BOX,MAIL',
      '1,Counted,01/01/1900,10/20/2026',
      '2,Counted,10/19/2026,10/20/2026',
      '3,Counted,,10/18/2026',
      '4,Counted,01/01/1900,01/01/1900',
      '5,Counted,10/40/2026,10/20/2026',
    );
    expect(seen).toEqual([
      ...['1 accepted 2026-10-20', '2 accepted 2026-10-19', '3 accepted 2026-10-18', '4 accepted'],
    ]);
    expect(outcome.report.refusals).toMatchObject([
      { line: 6, reason: 'DROP_BOX is a date that does not exist' },
    ]);
  });

  test('does not take the same day for a later one', async () => {
    const format = ownFormat({
      dates: ['MM/DD/YYYY'],
      fields: { registration_id: 'ID', returned_on: 'BACK' },
      status: {
        columns: ['STATUS'],
        rules: [
          { when: { BACK: { later_than: 'DUE' } }, becomes: 'rejected' },
          { when: { STATUS: 'Back' }, becomes: 'accepted' },
        ],
      },
    });
    const { seen } = await importOwn(
      format,
      'ID,STATUS,BACK,DUE',
      '14,Back,10/12/2026,10/12/2026',
      '17,Back,10/13/2026,10/12/2026',
    );
    expect(seen).toEqual(['14 accepted 2026-10-12', '17 rejected 2026-10-13']);
  });

  test('knows a status that starts with words from a status that only contains them', async () => {
    const format = ownFormat({
      fields: { registration_id: 'ID' },
      status: {
        columns: ['STATUS'],
        rules: [
          { when: { STATUS: { starts_with: 'ACCEPTED' } }, becomes: 'accepted' },
          { when: { STATUS: { contains: 'ACCEPTED' } }, becomes: 'rejected' },
        ],
      },
    });
    const { seen } = await importOwn(format, 'ID,STATUS', '15,Accepted - cured', '16,Not accepted');
    expect(seen).toEqual(['15 accepted', '16 rejected']);
  });

  test('takes a text that stands for no date for an empty day, and for a status where it is one', async () => {
    const format = ownFormat({
      no_dates: ['None'],
      fields: { registration_id: 'ID', sent_on: 'MAILED', returned_on: 'BACK' },
      status: {
        columns: ['STATUS'],
        rules: [
          { when: { STATUS: 'None' }, becomes: 'requested' },
          { when: { BACK: { later_than: 'MAILED' } }, becomes: 'returned' },
          { when: { MAILED: { filled: true } }, becomes: 'sent' },
        ],
      },
    });
    const { seen } = await importOwn(
      format,
      'ID,STATUS,MAILED,BACK',
      '11,None,None,None',
      '12,Out,10/05/2026,None',
      '13,Out,None,10/09/2026',
    );
    expect(seen).toEqual(['11 requested', '12 sent 2026-10-05', '13 returned 2026-10-09']);
  });

  test('shows what stands in the column that a reason names, also where another name begins it', async () => {
    const format = ownFormat({
      dates: ['MM/DD/YYYY'],
      fields: { registration_id: 'ID', printed_on: 'MAILED', sent_on: 'MAILED AGAIN' },
      status: { columns: ['STATUS'], rules: [accepted] },
    });
    const { outcome } = await importOwn(
      format,
      'ID,STATUS,MAILED,MAILED AGAIN',
      '3,Counted,10/05/2026,10/32/2026',
      '4,Counted,10/33/2026,10/06/2026',
    );
    expect([...(outcome.firstValues?.values() ?? [])]).toEqual(['10/32/2026', '10/33/2026']);
  });

  test('reads columns of fixed width', async () => {
    const format = ownFormat({
      header: false,
      columns: ['ID', 'STATUS', 'MAILED'],
      widths: [4, 8, 10],
      required: [],
      fields: { registration_id: 'ID', sent_on: 'MAILED' },
      status: { columns: ['STATUS'], rules: [{ when: { STATUS: 'Out' }, becomes: 'sent' }] },
    });
    const { outcome, seen } = await importOwn(
      format,
      '   6Out     10/05/2026',
      '7   OUT     10/06/2026   ',
      '8   Out',
      '9   Out     10/06/2026 and more',
      '',
    );
    expect(seen).toEqual(['6 sent 2026-10-05', '7 sent 2026-10-06', '8 sent']);
    expect(outcome.report.refusals).toEqual([{ reason: 'has 4 fields, not 3', count: 1, line: 4 }]);
  });

  test.each([
    [{ widths: [1, 2], header: false, columns: ['ID'] }, /widths/],
    [{ fields: { registration_id: { latest: ['A', 'B'] } } }, /fields\.registration_id/],
  ])('with a contradiction is refused: %j', async (more, place) => {
    const found = await findFormat(
      ownFormat({
        fields: { registration_id: 'ID' },
        status: { columns: ['STATUS'], rules: [accepted] },
        ...more,
      }),
    );
    expect(found.ok ? [] : found.problems.map(({ at }) => at)).toContainEqual(
      expect.stringMatching(place),
    );
  });

  test('with a setting that does not exist is refused by its name', async () => {
    const found = await findFormat(
      ownFormat({ fields: { registration_id: 'ID' }, collumns: ['ID'] }),
    );
    expect(found).toMatchObject({ ok: false, problems: [{ message: 'has no collumns' }] });
  });

  test('with a mistake in its JSON is refused with the line', async () => {
    const path = ownFormat({});
    const write = (...lines: string[]) => writeFileSync(path, ['{', ...lines, '}'].join('\n'));
    write('"fields": { "registration_id": "ID" },', '"fields": { "sent_on": "MAILED" }');
    expect(await findFormat(path)).toMatchObject({
      message: `The format file ${path} has "fields" twice, the second time on line 3. Keep one of them.`,
    });
    write('"name": own,', '"title": "Own"');
    expect(await findFormat(path)).toMatchObject({
      message: `The format file ${path} is not valid JSON: line 2. Look for a missing comma, quotation mark or bracket there or just above.`,
    });
    rmSync(path);
    expect(await findFormat(path)).toMatchObject({
      message: `The format file ${path} cannot be read.`,
    });
  });
});

test('a column that nobody reads and that looks like a status is named loudly', async () => {
  const lines = 'registration_id,status,election,canvass_status,note\n10,sent,7,Challenged,x';
  const { report } = await office.import('beacon-ballots', lines);
  const text = describeReport(report, 'file.csv');
  expect(text).toMatch(/ATTENTION: the column canvass_status looks like a status/);
  expect(text).not.toMatch(/ATTENTION: the column note/);
});

test('a roll of which nobody can sign in says so', async () => {
  const { report } = await office.import(
    'nc-voters',
    'county_id\tcounty_desc\tncid\tlast_name\tfirst_name\tmiddle_name\tstatus_cd\tzip_code\tbirth_year\tconfidential_ind\n1\tADAMS\tN1\tLEE\tANN\t\tA\t99301\t1950\tN',
  );
  expect(report.refusedBecause).toBeNull();
  expect(report.warnings).toContainEqual({
    message: 'the file has no birth dates, so voters that it adds cannot sign in',
    count: 1,
  });
});
