import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { writeRoll } from '../../../../testing/roll.ts';
import { checkUpload, importUpload, uploadFile, uploadsPath } from '../../../../testing/uploads.ts';
import { zip } from '../../../../testing/zip.ts';
import type { AccountId } from '../../platform/ids.ts';

let api: TestApi;
/** How many offices the tests made, each of which begins with one of its own. */
let offices = 0;
let accountId: AccountId;
let importer: TestPerson;

beforeAll(async () => {
  api = await createTestApi();
});
beforeEach(async () => {
  offices += 1;
  const subdomain = `adams${offices}`;
  accountId = await addOffice(api.test, { subdomain });
  const office = { accountId, host: `${subdomain}.localhost` };
  importer = await addPerson(api, office, 'Ina Wolf', ['importer']);
});
afterAll(() => api.close());

const asRoll = { format: 'beacon-voters' };
const countVoters = async () =>
  (
    await api.query<{ count: number }>('select count(*) from voters where account_id = $1', [
      accountId,
    ])
  )[0]?.count;

/** A roll of 30 voters that was checked and imported. */
async function importRoll(): Promise<number | null> {
  const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(30));
  const checked = await checkUpload(api, importer.browser, id, asRoll);
  return (await importUpload(api, importer.browser, checked)).import_id;
}

/** Two elections: number 7 is active, 8 is over. */
const addElections = () =>
  api.query(
    `insert into elections (account_id, number, name, election_date, is_active)
     values ($1, '7', 'General Election', '2026-11-03', true), ($1, '8', 'Primary Election', '2026-08-04', false)`,
    [accountId],
  );

describe('a check', () => {
  test('is among what needs a person today, until the file is decided', async () => {
    const countToday = async () =>
      (await importer.browser.get('/api/office/today')).json().waiting.uploads;
    const before = await countToday();
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(3));
    expect(await countToday()).toBe(before);
    await importer.browser.post(`${uploadsPath}/${id}/check`, asRoll);
    expect(await countToday()).toBe(before);
    await api.uploads?.runDue();
    expect(await countToday()).toBe(before + 1);
    await importer.browser.delete(`${uploadsPath}/${id}`);
    expect(await countToday()).toBe(before);
  });

  test('shows what a roll would do, and changes nothing', async () => {
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(30));
    const checked = await checkUpload(api, importer.browser, id, asRoll);
    expect(checked).toMatchObject({ state: 'ready', problem: null, check: 1 });
    expect(checked.preview).toMatchObject({
      outcome: 'ready',
      format: 'beacon-voters',
      rows: { added: 30, changed: 0, refused: 0 },
      refused_because: null,
    });
    expect(checked.preview?.samples[0]).toMatchObject({ voter: 'R0', name: 'Vera Fox' });
    expect(checked.preview?.samples).toHaveLength(20);
    expect(await countVoters()).toBe(0);
    expect(await api.query('select 1 from imports where account_id = $1', [accountId])).toEqual([]);
    // What was decided of an earlier check is not of this one.
    const again = await checkUpload(api, importer.browser, id, asRoll);
    const outdated = await importer.browser.post(`${uploadsPath}/${id}/import`, { check: 1 });
    expect([outdated.statusCode, again.check]).toEqual([409, 2]);
    const decided = await importer.browser.post(`${uploadsPath}/${id}/import`, { check: 2 });
    const late = await importer.browser.post(`${uploadsPath}/${id}/check`, asRoll);
    expect([decided.statusCode, late.statusCode]).toEqual([200, 409]);
    await api.uploads?.runDue();
    const imported = (await importer.browser.get(`${uploadsPath}/${id}`)).json();
    expect(imported).toMatchObject({ state: 'imported' });
    expect(await countVoters()).toBe(30);
    const [made] = await api.query<{ import_id: number; operator: string; state: string }>(
      'select import_id, operator, state from imports where account_id = $1',
      [accountId],
    );
    expect(made).toMatchObject({ import_id: imported.import_id, state: 'done' });
    expect(made?.operator).toMatch(/^person:passkey\|/);
  });

  test('shows changes before and after with the voter, and refused rows with column and value', async () => {
    const first = await importRoll();
    // The name of one column is in that of another.
    const rows = writeRoll(30)
      .trimEnd()
      .split('\n')
      .map((row, n) => (n === 0 ? `birth,${row}` : `spring,${row}`));
    rows[1] = 'spring,R0,Vera,Hall,1970-02-03,34811,Test,FL';
    rows[2] = 'spring,R1,Vera,Fox,1970-02-30,34811,Test,FL';
    const id = await uploadFile(importer.browser, 'roll.csv', rows.join('\n'));
    const { preview } = await checkUpload(api, importer.browser, id, asRoll);
    expect(preview?.rows).toMatchObject({ added: 0, changed: 1, unchanged: 28, refused: 1 });
    expect(preview?.samples).toEqual([
      {
        voter: 'R0',
        name: 'Vera Hall',
        changes: [{ what: 'lastname', from: 'Fox', to: 'Hall' }],
      },
    ]);
    expect(preview?.refused_rows).toEqual([
      expect.objectContaining({ line: 3, column: 'birthdate', value: '1970-02-30' }),
    ]);
    const checked = (await importer.browser.get(`${uploadsPath}/${id}`)).json();
    const { import_id } = await importUpload(api, importer.browser, checked);
    const hasRejects = async (file: number | null) =>
      (await importer.browser.get(`/api/office/files/${file}`)).json().has_rejects;
    expect([await hasRejects(first), await hasRejects(import_id)]).toEqual([false, true]);
    const rejectsPath = `/api/office/files/${import_id}/rejects`;
    const rejects = await importer.browser.get(rejectsPath);
    expect(rejects.headers['content-type']).toContain('text/csv');
    expect(rejects.body.split('\n')[1]).toContain('1970-02-30');
    await api.query(`update uploads set key_id = 'lost' where upload_id = $1`, [id]);
    const closed = await importer.browser.get(rejectsPath);
    expect([closed.statusCode, closed.json().detail]).toEqual([
      503,
      expect.stringContaining('The key of this file is not set on this server.'),
    ]);
    const none = await importer.browser.get('/api/office/files/999999/rejects');
    expect(none.statusCode).toBe(404);
  });

  test.each([
    [
      'a damaged zip',
      'roll.zip',
      zip({ 'roll.csv': writeRoll(30) }).subarray(0, 90),
      'The zip is damaged or not complete. Send it again.',
    ],
    [
      'a damaged gzip',
      'roll.gz',
      gzipSync(writeRoll(4000)).subarray(0, 200),
      'The gzip file is damaged or not complete. Send it again.',
    ],
    [
      'a wrong format',
      'letter.txt',
      'Dear Ina,\nplease find attached\n',
      'We do not recognize this file by its first line. Choose the format yourself, or ask your operator to describe your own.',
    ],
    [
      'an empty table',
      'empty.csv',
      '\n\n',
      'empty.csv is empty. Export it again, and check that the export has finished.',
    ],
  ])('says of %s what is wrong and what to do', async (_, name, content, words) => {
    const id = await uploadFile(importer.browser, name, content);
    const checked = await checkUpload(api, importer.browser, id);
    expect(checked).toMatchObject({ state: 'ready', preview: null, problem: words });
    expect(
      (await importer.browser.post(`${uploadsPath}/${id}/import`, { check: 1 })).statusCode,
    ).toBe(409);
    await importer.browser.delete(`${uploadsPath}/${id}`);
  });

  test('shows of a new voter what the roll says, and of a confidential one no name and nothing else', async () => {
    const header = 'registration_id,firstname,lastname,birthdate,zipcode,is_confidential';
    // The second row of one voter is refused.
    const again = 'N1,Other,Ray,1970-02-03,34811,no';
    const rows = ['N1,Nina,Ray,1970-02-03,34811,no', 'N2,Hidden,Ray,1970-02-03,34811,yes', again];
    const id = await uploadFile(importer.browser, 'new.csv', [header, ...rows].join('\n'));
    const { preview } = await checkUpload(api, importer.browser, id, asRoll);
    const [open, hidden, ...more] = preview?.samples ?? [];
    expect(more).toEqual([]);
    expect(open).toMatchObject({ voter: 'N1', name: 'Nina Ray' });
    expect(open?.changes.map(({ what, to }) => `${what} ${to}`)).toEqual([
      ...['firstname Nina', 'lastname Ray', 'birthdate 02/03/1970', 'birthyear 1970'],
      ...['zipcode 34811', 'is_active yes'],
    ]);
    expect(hidden).toEqual({ voter: 'N2', name: '', changes: [] });
    await importer.browser.delete(`${uploadsPath}/${id}`);
  });

  test('shows ballots of every kind of change, however many there are of one', async () => {
    await importRoll();
    await addElections();
    const write = (statusOf: (voter: number) => string) =>
      [
        'registration_id,election,status,sent_on',
        ...Array.from({ length: 30 }, (_, n) => `R${n},7,${statusOf(n)},2026-10-05`),
      ].join('\n');
    const check = async (content: string) => {
      const id = await uploadFile(importer.browser, 'ballots.csv', content);
      return checkUpload(api, importer.browser, id, { format: 'beacon-ballots' });
    };
    await importUpload(
      api,
      importer.browser,
      await check(write((n) => (n < 28 ? 'sent' : 'requested'))),
    );
    const { preview, upload_id: id } = await check(write(() => 'returned'));
    const kinds = preview?.samples.map(({ changes }) =>
      changes.map(({ from, to }) => `${from} ${to}`),
    );
    expect(kinds?.slice(0, 4).flat().sort()).toEqual([
      ...['requested returned', 'requested returned', 'sent returned', 'sent returned'],
    ]);
    await importer.browser.delete(`${uploadsPath}/${id}`);
  });

  test('reads a file that names no election as one of the chosen election', async () => {
    await importRoll();
    await addElections();
    const content = [
      'Voter Registration #,Application Status,Ballot Status,Status Reason,Application Date,Ballot Issued Date,Ballot Return Date,Ballot Style',
      'R0,A,I, ,09/01/2026,10/06/2026, ,MAIL',
      '',
    ].join('\n');
    const id = await uploadFile(importer.browser, 'absentee.csv', content);
    for (const wrong of [{ election: '9' }, { format: 'no-such-format' }]) {
      const refused = await importer.browser.post(`${uploadsPath}/${id}/check`, wrong);
      expect(refused.statusCode, JSON.stringify(wrong)).toBe(422);
    }
    const how = { format: 'ga-absentee', election: '7' };
    const { preview } = await checkUpload(api, importer.browser, id, how);
    expect(preview).toMatchObject({ outcome: expect.not.stringMatching('refused') });
    expect(preview?.rows).toMatchObject({ read: 1, added: 1, refused: 0 });
    await importer.browser.delete(`${uploadsPath}/${id}`);
  });

  test('names no command where a row is refused', async () => {
    await importRoll();
    await addElections();
    const rows = ['registration_id,election,status', 'R0,7,sent', 'R1,,sent', ''];
    const id = await uploadFile(importer.browser, 'ballots.csv', rows.join('\n'));
    const { preview } = await checkUpload(api, importer.browser, id, { format: 'beacon-ballots' });
    const reason = 'the row names no election: choose the election';
    expect(preview?.refused_rows).toMatchObject([{ line: 3, reason }]);
    expect(preview?.refusals).toMatchObject([{ line: 3, reason }]);
    await importer.browser.delete(`${uploadsPath}/${id}`);
  });

  test('warns of a roll none of whose new voters can sign in', async () => {
    const content = `registration_id,firstname,lastname,birthdate,zipcode\nS1,Ann,Lee,,34811\n`;
    const id = await uploadFile(importer.browser, 'roll.csv', content);
    const { preview } = await checkUpload(api, importer.browser, id, asRoll);
    expect(preview?.warnings).toContainEqual({
      ...{ count: 1, message: expect.stringMatching(/^No new voter of this file can sign in\./) },
    });
    await importer.browser.delete(`${uploadsPath}/${id}`);
  });

  test('warns of a column that looks like a status and that nobody reads', async () => {
    const [names, ...rows] = writeRoll(30).trimEnd().split('\n');
    const more = [`${names},VOTER_STATUS_REASON`, ...rows.map((row) => `${row},moved`)].join('\n');
    const id = await uploadFile(importer.browser, 'roll.csv', more);
    const { preview } = await checkUpload(api, importer.browser, id, asRoll);
    expect(preview?.warnings).toEqual([
      {
        message:
          'The column VOTER_STATUS_REASON looks like a status, and the format beacon-voters does not read it. Voters may see an old status. Ask your operator to add the column to the format.',
        count: 30,
      },
    ]);
  });

  test('reads a file packed as zip or gz, and another format where a person says so', async () => {
    await importRoll();
    for (const [name, content] of [
      ['roll.zip', zip({ 'roll.csv': writeRoll(30, 'Gray') })],
      ['roll.csv.gz', gzipSync(writeRoll(30, 'Gray'))],
    ] as const) {
      const id = await uploadFile(importer.browser, name, content);
      const { preview } = await checkUpload(api, importer.browser, id, asRoll);
      expect(preview?.rows, name).toMatchObject({ changed: 30 });
      const wrong = await checkUpload(api, importer.browser, id, { format: 'beacon-ballots' });
      expect(wrong).toMatchObject({ check: 2 });
      expect(wrong.preview?.refused_because).toContain('The file has no column status');
      const stale = await importer.browser.post(`${uploadsPath}/${id}/import`, { check: 1 });
      expect(stale.statusCode).toBe(409);
      await importer.browser.delete(`${uploadsPath}/${id}`);
    }
  });
});

test('files are imported in the order in which people decided on them', async () => {
  await importRoll();
  const decided: number[] = [];
  for (const name of ['Hill', 'Gray', 'Lane']) {
    const id = await uploadFile(importer.browser, `${name}.csv`, writeRoll(30, name));
    await checkUpload(api, importer.browser, id, asRoll);
    decided.unshift(id);
  }
  for (const id of decided)
    await importer.browser.post(`${uploadsPath}/${id}/import`, { check: 1, ask_because: 'Look' });
  await api.uploads?.runDue();
  const imported = await api.query<{ upload_id: number }>(
    'select upload_id from uploads where upload_id = any ($1) order by import_id',
    [decided],
  );
  expect(imported.map(({ upload_id: id }) => id)).toEqual(decided);
});

test('a long list of refused rows is shown in part, kept in pieces and given whole', async () => {
  const wrong = Array.from(
    { length: 60 },
    (_, n) => `X${n},${'y'.repeat(12_000)},Fox,1970-02-30,34811,Test,FL\n`,
  );
  const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(70) + wrong.join(''));
  const checked = await checkUpload(api, importer.browser, id, { format: 'beacon-voters' });
  expect(checked.preview?.refused_rows).toHaveLength(50);
  const { import_id } = await importUpload(api, importer.browser, checked);
  const pieces = await api.query(
    `select 1 from upload_pieces where kind = 'rejects' and upload_id = $1`,
    [id],
  );
  expect(pieces.length).toBeGreaterThan(1);
  const rejects = await importer.browser.get(`/api/office/files/${import_id}/rejects`);
  expect(rejects.body.match(/,X\d+,y/g)).toEqual(wrong.map((_, n) => `,X${n},y`));
});
