import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';
import { zip } from '../../../testing/zip.ts';

let office: TestOffice;
let beacon: Beacon;

beforeEach(async () => {
  office = await createTestOffice();
  beacon = createBeacon(office.db.url);
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

const header = 'registration_id,firstname,lastname,birthdate,zipcode';
const north = `${header}\n1,Ann,Lee,01/02/1950,99301\n2,Bo,Lee,01/02/1951,99301`;
const south = `\uFEFF${header}\r\n3,Cy,Lee,01/02/1952,99301\r\n`;

/** As spreadsheet programs save "Unicode text". */
const inUtf16 = (text: string) => Buffer.from(`\uFEFF${text.replace('\uFEFF', '')}`, 'utf16le');

/** With other bytes in its middle. */
const damaged = (bytes: Buffer) =>
  Buffer.concat([bytes.subarray(0, 40), Buffer.alloc(20, 9), bytes.subarray(60)]);

function importPacked(content: Buffer) {
  const path = beacon.write('roll.bin', content);
  return beacon.run('import', path, '--account', 'adams', '--format', 'beacon-voters');
}

async function ids(): Promise<string> {
  const { rows } = await sql<{ ids: string | null }>`
    select string_agg(registration_id, ' ' order by registration_id) as ids from voters`.execute(
    office.db.database.system,
  );
  return rows[0]?.ids ?? '';
}

test.each([
  ['a gzip', gzipSync(north), '1 2'],
  ['a zip of one file', zip({ 'roll.csv': north }), '1 2'],
  ['a zip of two files', zip({ 'north.csv': north, 'south.csv': south }), '1 2 3'],
  ['a zip of one UTF-16 file', zip({ 'roll.csv': inUtf16(north) }), '1 2'],
  [
    'a zip of two UTF-16 files',
    zip({ 'north.csv': inUtf16(north), 'south.csv': inUtf16(south) }),
    '1 2 3',
  ],
  [
    'a zip of a UTF-16 file and another',
    zip({ 'north.csv': north, 'south.csv': inUtf16(south) }),
    '1 2 3',
  ],
  ['a statewide zip', zip({ 'Adams County.csv': north, 'Benton.csv': south }), '1 2'],
])(
  '%s is read for the voters of the office, and for all of them',
  async (_what, content, voters) => {
    expect(await importPacked(content)).toMatchObject({ code: 0, stderr: '' });
    expect(await ids()).toBe(voters);
  },
);

const turned = 'registration_id,lastname,firstname,birthdate,zipcode\n3,Lee,Cy,01/02/1952,99301\n';

test.each([
  ['a gzip cut short', gzipSync(north).subarray(0, -12), /gzip file is damaged/],
  ['a zip cut short', zip({ 'roll.csv': north }).subarray(0, -30), /zip is damaged/],
  ['a gzip with other bytes in it', damaged(gzipSync(north.repeat(50))), /gzip file is damaged/],
  ['a zip of nothing to read', zip({ 'layout.pdf': 'x' }), /contains no file that can be read/],
  [
    'a zip of files with different columns',
    zip({ 'north.csv': north, 'south.csv': turned }),
    /south\.csv does not begin with the header line of north\.csv/,
  ],
])('%s changes nothing and says why', async (_what, content, message) => {
  const result = await importPacked(content);
  expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
  expect(await ids()).toBe('');
});

test('format check explains a sample file column by column and status by status', async () => {
  const rows = readFileSync(
    new URL('../../../demo/lake/ballots/BTVbmStatus2026-11-20T1800.csv', import.meta.url),
    'utf8',
  ).split('\n');
  const sample = beacon.write('sample.csv', rows.slice(0, 11).join('\n'));
  const check = ['format', 'check', 'voter-focus-ballots', '--sample'];
  const stdout = await beacon.do(...check, sample);
  expect(stdout).toContain('voter-focus-ballots: 10 rows read');
  expect(stdout).toMatch(/^ +VoterID +registration_id; filled in 10; e\.g\. 00400254 · /m);
  expect(stdout).toMatch(/^ +BallotStatus +status; filled in 10;/m);
  expect(stdout).toMatch(/^ +VbmParty +not read;/m);
  expect(stdout).toMatch(/^ +sent_on: \d\d\/\d\d\/2026/m);
  expect(stdout).toMatch(/^ +\d+ {2}Outbound → sent$/m);

  const odd = beacon.write(
    'odd.csv',
    rows.slice(0, 3).join('\n').replace('Outbound', 'Canvassing'),
  );
  expect(await beacon.run(...check, odd)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^ +1 {2}Canvassing → NOT KNOWN$/m),
    stderr: expect.stringContaining('status values that the format does not know'),
  });
});

test('format check ends with 1 when more rows would be refused than the account allows', async () => {
  const rows = Array.from(
    { length: 10 },
    (_, n) => `${n},Ann,Lee,01/02/1950,${n < 6 ? 'x' : '99301'}`,
  );
  const sample = beacon.write(
    'roll.csv',
    [`${header},security_token`, ...rows.map((row) => `${row},K7QM-LATER`)].join('\n'),
  );
  const result = await beacon.run('format', 'check', 'beacon-voters', '--sample', sample);
  expect(result).toMatchObject({
    code: 1,
    stderr: 'Too many rows have errors (6 of 10; limit 50%). The whole file would be rejected.\n',
  });
  expect(result.stdout).not.toContain('K7QM');
});

test.each<[string, object | string, readonly string[]]>([
  ['one column', 'PIN', ['K7QM']],
  ['the first of two columns', { first: ['NEWPIN', 'PIN'] }, ['K7QM', 'R4TN']],
  ['two columns together', { join: ['NEWPIN', 'PIN'] }, ['K7QM', 'R4TN']],
  ['a column with a word for none', { column: 'PIN', values: { none: '' } }, ['K7QM']],
])('format check shows no security token that comes from %s', async (_, source, secrets) => {
  const format = {
    ...{ name: 'own', title: 'Own', source: 'test', holds: 'voters', required: ['ID', 'LAST'] },
    fields: { registration_id: 'ID', lastname: 'LAST', security_token: source },
  };
  const own = beacon.write('own.json', JSON.stringify(format));
  const rows = ['ID,LAST,PIN,NEWPIN', '1,Lee,K7QM-3XPD,', '2,Fox,,R4TN-8WVE', ''];
  const sample = beacon.write('roll.csv', rows.join('\n'));
  for (const more of [[], ['--json']]) {
    const shown = await beacon.do('format', 'check', own, '--sample', sample, ...more);
    expect(shown).toContain('Lee');
    for (const secret of secrets) expect(shown).not.toContain(secret);
  }
});

test('format check says when no voter of a roll can sign in', async () => {
  const sample = beacon.write(
    'ncvoter.txt',
    'county_desc\tncid\tlast_name\tfirst_name\tmiddle_name\tstatus_cd\tzip_code\tbirth_year\tconfidential_ind\nADAMS\tN1\tLEE\tANN\t\tA\t99301\t1950\tN',
  );
  expect(await beacon.do('format', 'check', 'nc-voters', '--sample', sample)).toContain(
    'NO VOTER OF THIS FILE CAN SIGN IN: it has no birthdate.',
  );
});

test('format check and import say so too when the birth dates are there by name, and all empty', async () => {
  const write = (...rows: string[]) => beacon.write('roll.csv', [header, ...rows, ''].join('\n'));
  const check = () => beacon.do('format', 'check', 'beacon-voters', '--sample', none);
  const none = write('1,Ann,Lee,,99301', '2,Bo,Lee,,99301');
  expect(await check()).toContain('NO VOTER OF THIS FILE CAN SIGN IN: it has no birthdate.');
  const sentence = 'ATTENTION: No new voter of this file can sign in. Birth dates or ZIP codes';
  const load = () => beacon.do('import', none, '--account', 'adams', '--format', 'beacon-voters');
  expect(await load()).toContain(sentence);
  const statewide = beacon.write(
    'ncvoter.txt',
    [
      'county_desc\tncid\tlast_name\tfirst_name\tmiddle_name\tstatus_cd\tzip_code\tbirth_year\tconfidential_ind',
      'ADAMS\tN1\tLEE\tANN\t\tA\t99301\t1950\tN',
      'WAKE\tN2\tLEE\tBO\t\tA\t99302\t1950\tN',
    ].join('\n'),
  );
  expect(await beacon.do('import', statewide, '--account', 'adams')).toContain(sentence);
  write('1,Ann,Lee,,99301', '3,Bo,Lee,01/02/1950,99301');
  expect(await check()).not.toContain('CAN SIGN IN');
  expect(await load()).not.toContain('ATTENTION');
});
