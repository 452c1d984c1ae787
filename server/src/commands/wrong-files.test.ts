import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { addPerson, type TestPerson } from '../../../testing/people.ts';
import { importRoll, writeRoll } from '../../../testing/roll.ts';
import { checkUpload, uploadFile } from '../../../testing/uploads.ts';

const adams = ['--account', 'adams'];
let api: TestApi;
let beacon: Beacon;
let importer: TestPerson;

const roll = writeRoll(60);
/** A list of ballots of which the first are back. */
const ballots = (back: number) =>
  [
    'registration_id,election,status,sent_on,returned_on',
    ...Array.from({ length: 60 }, (_, n) =>
      n < back ? `R${n},7,returned,2026-10-05,2026-10-${10 + (n % 8)}` : `R${n},7,sent,2026-10-05,`,
    ),
    '',
  ].join('\n');

beforeAll(async () => {
  api = await createTestApi();
  const accountId = await addOffice(api.test, { subdomain: 'adams' });
  const of = { accountId, host: 'adams.localhost' };
  importer = await addPerson(api, of, 'Ina Wolf', ['importer']);
  api.clock.set('2026-10-20T15:00:00Z');
  beacon = createBeacon(api.test.url, { clock: api.clock });
  await beacon.do(
    ...['election', 'set', ...adams, '--number', '7', '--name', 'General'],
    ...['--date', '11/3/2026', '--active', 'true'],
  );
  await importRoll(beacon, 'adams', 'roll.csv', roll);
  for (const back of [10, 20])
    await beacon.do('import', beacon.write(`${back}.csv`, ballots(back)), ...adams);
});
afterAll(async () => {
  await api.close();
  beacon.remove();
});

const everyCell = (content: string, change: (cell: string) => string) =>
  content.replaceAll(/[^,\n]+/g, change);

/** What the clerk reads, of the file at the command line and of the same file at the console. */
const wrong: readonly (readonly [what: string, content: string, code: number, words: string])[] = [
  [
    'two columns whose names changed places',
    roll.replace('firstname,lastname', 'lastname,firstname'),
    3,
    'The first and last names of 60 voters would change places. Are two columns swapped?',
  ],
  [
    'two columns whose values changed places',
    roll.replace('birthdate,zipcode', 'zipcode,birthdate'),
    1,
    'birthdate is a number in place of a date.',
  ],
  [
    'the column names in it twice',
    roll.replace('R30,', `${roll.split('\n')[0]}\nR30,`),
    0,
    'repeats the column names: are these two files in one?',
  ],
  [
    'two columns of one name',
    roll.replace('lastname', 'firstname'),
    1,
    'beacon-voters: missing lastname; two columns named firstname',
  ],
  [
    'no column names',
    roll.slice(roll.indexOf('\n') + 1),
    1,
    'which has values in place of the names of columns: export it again with the names',
  ],
  [
    'something else between the columns',
    roll.replaceAll(',', '^'),
    1,
    'which is a single value: commas, semicolons, tabs or bars must separate the columns',
  ],
  [
    'each line as one cell',
    roll.replaceAll(/^(.+)$/gm, '"$1"'),
    1,
    'Every line is a single value in quotation marks, so nothing divides the columns.',
  ],
  [
    'IDs that a program took for numbers',
    roll.replaceAll(/^R(\d+)/gm, '$1.0'),
    1,
    'registration_id has decimals, such as 1203.0: a program took the ID for a number.',
  ],
  [
    'IDs in the short form of large numbers',
    roll.replaceAll(/^R(\d+)/gm, '1.04E+$1'),
    1,
    'registration_id is a number that Excel has shortened, such as 1.04E+08',
  ],
  [
    'IDs marked as text',
    roll.replaceAll(/^(R\d+)/gm, '="$1"'),
    1,
    "registration_id starts with = or ', as a spreadsheet program marks text.",
  ],
  [
    'errors of a formula in place of names',
    roll.replaceAll('Fox', '#REF!'),
    1,
    'lastname is an error of a spreadsheet, such as #N/A',
  ],
  [
    'numbers in place of days',
    roll.replaceAll('1970-02-03', '25602'),
    1,
    'birthdate is a number in place of a date. In Excel, format the column as a date',
  ],
  [
    'a download that broke off',
    roll.slice(0, -20),
    1,
    'The file ends in the middle of line 61, which has 4 fields, not 7. It is probably not complete. Send it again.',
  ],
  [
    'another county’s voters',
    roll.replaceAll(',Test,', ',Benton,'),
    3,
    '60 rows are of another county, such as Benton. This account is for Test.',
  ],
  [
    'a column too few for any format',
    ballots(20).replace(',status,', ',state_of_it,'),
    1,
    'beacon-ballots: missing status',
  ],
  ['the day before', ballots(12), 3, 'is already in (import'],
  [
    'days of another order',
    ballots(20).replaceAll(/2026-(\d\d)-(\d\d)/g, '$2.$1.2026'),
    1,
    'sent_on is not a date written MM/DD/YYYY or YYYY-MM-DD',
  ],
  [
    'an election that does not exist',
    ballots(20).replaceAll(',7,', ',2026G,'),
    1,
    'election 2026G does not exist. You have: 7',
  ],
];

describe.for(wrong)('a file with %s', ([what, content, code, words]) => {
  test('says so at the command line, and changes nothing', async () => {
    const file = beacon.write(`${what.replaceAll(/\W/g, '-')}.csv`, content);
    const tried = await beacon.run('import', file, ...adams, '--dry-run');
    expect(tried).toMatchObject({ code });
    expect(tried.stdout + tried.stderr).toContain(words);
  });

  test('says so at the console', async () => {
    await importer.signIn();
    const id = await uploadFile(importer.browser, 'file.csv', content);
    const checked = await checkUpload(api, importer.browser, id);
    expect(JSON.stringify(checked)).toContain(JSON.stringify(words).slice(1, -1));
    await importer.browser.delete(`/api/office/uploads/${id}`);
  });
});

test('the first value of each reason is shown to the person who imports the file, and kept in no record', async () => {
  const content = everyCell(roll, (cell) => (cell === '1970-02-03' ? '25/12/1970' : cell));
  const file = beacon.write('days.csv', content);
  const { stderr } = await beacon.run('import', file, ...adams);
  expect(stderr).toContain(
    '60  birthdate is a date that does not exist (first on line 2: "25/12/1970")',
  );
  const [record] = await api.query<{ report: object }>(
    'select report from imports order by import_id desc limit 1',
  );
  expect(JSON.stringify(record?.report)).toContain('birthdate is a date that does not exist');
  expect(JSON.stringify(record?.report)).not.toContain('25/12/1970');
});

test('a security token that is refused is not shown', async () => {
  const rows = ['registration_id,firstname,lastname,birthdate,zipcode,security_token'];
  for (let voter = 0; voter < 60; voter += 1) rows.push(`R${voter},Vera,Fox,1970-02-03,34811,x7`);
  const { stderr } = await beacon.run('import', beacon.write('t.csv', rows.join('\n')), ...adams);
  expect(stderr).toMatch(/60 {2}security_token .*\(first on line 2\)/);
  expect(stderr).not.toContain('x7');
});
