import { readFileSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { sql } from '../../../testing/sql.ts';
import { applyAccountFile, findAccountBySubdomain } from '../modules/accounts/index.ts';
import { findFormat, importFile } from '../modules/imports/index.ts';
import { systemClock } from '../platform/clock.ts';

let db: TestDatabase;
let beacon: Beacon;

beforeEach(async () => {
  db = await createTestDatabase();
  beacon = createBeacon(db.url);
  const account = { subdomain: 'adams', name: 'Adams County', county: 'Adams', state: 'WA' };
  const file = beacon.write(
    'account.json',
    JSON.stringify({ ...account, time_zone: 'America/Los_Angeles' }),
  );
  await applyAccountFile(db.database, file);
});
afterEach(async () => {
  beacon.remove();
  await db.drop();
});

const header = 'registration_id,firstname,lastname,birthdate,zipcode';
const voters = [
  '1,José,Núñez,01/31/1960,99301',
  "2,Ann,O'Brien,1961-02-28,99301-1234",
  '3,,Wu,12/31/1999,99302',
];

async function importVoters(content: string | Uint8Array, ...more: string[]) {
  const path = beacon.write('voters.csv', content);
  return beacon.run(
    ...['import', path, '--account', 'adams', '--format', 'beacon-voters'],
    ...more,
  );
}

async function names(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select registration_id || ' ' || firstname || ' ' || lastname || ' ' || birthdate || ' ' || zipcode as name
    from voters order by registration_id`.execute(db.database.system);
  return rows.map((row) => row.name);
}

const loaded = [
  '1 José Núñez 1960-01-31 99301',
  "2 Ann O'Brien 1961-02-28 99301",
  '3  Wu 1999-12-31 99302',
];
const text = [header, ...voters].join('\n');

describe('a file is read in every encoding and layout that office programs write', () => {
  test.each([
    ['with a byte-order mark', `\uFEFF${text}`],
    ['with CRLF', text.replaceAll('\n', '\r\n')],
    ['in latin-1', Buffer.from(text, 'latin1')],
  ])('%s', async (_how, content) => {
    expect(await importVoters(content)).toMatchObject({ code: 0, stderr: '' });
    expect(await names()).toEqual(loaded);
  });

  test('mixed, quoted, padded, in UTF-16 or with blank lines', async () => {
    const format = await findFormat('beacon-voters');
    const account = await findAccountBySubdomain(db.database.system, 'adams');
    if (!format.ok || !account) throw new Error('The test has no office.');
    for (const content of [
      `${text}\n`,
      text.replace('\n', '\r\n'),
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
      `\n${text}\n\n\u001a`,
      text.replace(/[^,\n]+/g, '"$&"'),
      text.replaceAll(',', ' , '),
      text.replace('registration_id', 'Registration ID'),
    ]) {
      await sql`delete from voters`.execute(db.database.system);
      const { state } = await importFile(db.database, systemClock, {
        account,
        format: format.format,
        file: { name: 'voters.csv', open: () => Readable.from([Buffer.from(content)]) },
        operator: 'operator:tester',
        rejectsDirectory: beacon.folder,
      });
      expect(state).toBe('done');
      expect(await names()).toEqual(loaded);
    }
  });

  test('the report says how many lines were not in UTF-8', async () => {
    const { stdout } = await importVoters(Buffer.from(text, 'latin1'));
    expect(stdout).toContain('1 line not in UTF-8');
  });
});

describe('a file that cannot be imported changes nothing, and the error says why', () => {
  test.each([
    [
      'with another format’s header',
      'a,b,c\n1,2,3\n',
      /has no column registration_id.*columns are: a, b, c/,
    ],
    [
      'that is JSON',
      JSON.stringify([{ registration_id: '1', firstname: 'Ann', lastname: 'Lee' }]),
      /not a file of format beacon-voters\. It looks like JSON\. Ask for the data as CSV\.\n/,
    ],
    [
      'that is a web page',
      '<!DOCTYPE html><html><body>Ann Lee</body></html>\n',
      /not a file of format beacon-voters\. It looks like a web page: .*Download it again\.\n/,
    ],
    [
      'that is a picture',
      '\u0089PNG\r\n\u001a\n\u0000\u0000Ann Lee\n',
      /not a file of format beacon-voters\. It looks like a picture or a program/,
    ],
    [
      'without the names of its columns',
      'V1,Ann,Lee,1950-01-02,99301\nV2,Bo,Lee,1950-01-02,99301\n',
      /Its first line has values in place of the names of columns: export it again with the names\.\n/,
    ],
    [
      'whose lines are one value each',
      '"V1,Ann,Lee,1950-01-02,99301"\n"V2,Bo,Lee,1950-01-02,99301"\n',
      /Every line is a single value in quotation marks/,
    ],
    ['with a column twice', `${header},Zip Code\n1,A,B,,,\n`, /two columns named Zip Code/],
    ['that breaks off in its last line', text.slice(0, -20), /ends in the middle of line 4/],
    [
      'whose ZIP codes lost their zeros',
      `${header}\n1,Ann,Lee,01/02/1950,2101\n2,Ann,Lee,01/02/1950,21010001\n`,
      /2 {2}zipcode is too short\. Did Excel drop the leading zeros\? \(first on line 2: "2101"\)/,
    ],
    ['without rows', `${header}\n`, /has a header but no rows/],
    ['that is empty', '', /voters\.csv is empty/],
    [
      'of which most rows are bad',
      `${text}\n1\n2\n3\n4\n`,
      /Too many rows have errors \(4 of 7; limit 50%\)/,
    ],
  ])('one %s', async (_what, content, message) => {
    const { code, stdout, stderr } = await importVoters(content);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('nothing was changed');
    expect(stdout).toBe('');
    expect(await names()).toEqual([]);
    const listed = JSON.parse(await beacon.do('imports', '--account', 'adams', '--json'));
    expect(listed).toMatchObject([
      { state: 'refused', report: { refusedBecause: expect.not.stringContaining('Ann') } },
    ]);
  });

  test('a missing file, an unknown format or an unknown account', async () => {
    const path = beacon.write('voters.csv', text);
    const parameters = ['--account', 'adams', '--format', 'beacon-voters'];
    expect(await beacon.run('import', beacon.path('gone.csv'), ...parameters)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('gone.csv cannot be read'),
    });
    expect(
      await beacon.run('import', path, '--account', 'adam', '--format', 'beacon-voters'),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('You have: adams'),
    });
    expect(await beacon.run('import', path, '--account', 'adams', '--format', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('voter-focus-ballots'),
    });
  });
});

test('300 bad rows do not affect the others, and each is listed with its line and reason', async () => {
  const good = Array.from({ length: 400 }, (_, n) => `G${n},Ann,Lee,01/02/1950,99301`);
  const bad = Array.from(
    { length: 300 },
    (_, n) =>
      [`B${n},Ann,Lee,02/30/1950,99301`, `B${n},Ann,,01/02/1950,99301`, `B${n},"Ann",Lee`][n % 3],
  );
  const rows = good.flatMap((row, n) => (n < 300 ? [row, bad[n]] : [row]));
  const { code, stdout } = await importVoters(`${[header, ...rows].join('\n')}\n`);
  expect(code).toBe(0);
  expect(stdout).toContain('rows refused 300');
  expect(stdout).toMatch(
    /100 {2}birthdate is a date that does not exist \(first on line 3: "02\/30\/1950"\)/,
  );
  expect(stdout).toMatch(/100 {2}lastname is empty \(first on line 5\)/);
  expect(stdout).toMatch(/100 {2}has 3 fields, not 5 \(first on line 7\)/);
  expect(await names()).toHaveLength(400);

  const path = /: (\S+\.rejects\.csv)/.exec(stdout)?.[1] ?? '';
  const rejects = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(rejects).toHaveLength(301);
  expect(rejects.slice(0, 4)).toEqual([
    `line,reason,${header}`,
    '3,birthdate is a date that does not exist,B0,Ann,Lee,02/30/1950,99301',
    '5,lastname is empty,B1,Ann,,01/02/1950,99301',
    '7,"has 3 fields, not 5","B2,""Ann"",Lee"',
  ]);
  // It contains voters' data.
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('as many refused rows as the limit allows are listed, and the most frequent reason comes first', async () => {
  const bad = ['4,Ann,,01/02/1950,99301', ...[5, 6].map((id) => `${id},Ann,Lee,02/30/1950,99301`)];
  const { code, stdout } = await importVoters(`${[header, ...voters, ...bad].join('\n')}\n`);
  expect([code, await names()]).toEqual([0, loaded]);
  expect(stdout).toMatch(/2 {2}birthdate is a date .*\n +1 {2}lastname is empty/);
  await importVoters('a,b\n1,2\n');
  const audit: { action: string }[] = JSON.parse(
    await beacon.do('audit', '--account', 'adams', '--json'),
  );
  expect(audit.slice(0, 2).map(({ action }) => action)).toEqual(['file.refuse', 'file.import']);
});

test('when rows repeat a voter ID the first counts, in a first roll and in a later roll', async () => {
  const repeated = `${text}\n2,Other,Person,01/01/1950,99301\n`;
  for (const content of [repeated, repeated.replace('Wu', 'Woo')]) {
    const { code, stdout } = await importVoters(content);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'this registration_id also appears earlier in the file (first on line 5)',
    );
  }
  expect((await names())[1]).toBe(loaded[1]);
});

test('a line with an unclosed quotation mark affects no other line', async () => {
  const broken = [header, voters[0], '9,"Never,Closed,01/01/1950,99301', ...voters.slice(1)];
  const { code, stdout } = await importVoters(`${broken.join('\n')}\n`);
  expect(code).toBe(0);
  expect(stdout).toContain('opens a quotation mark that nothing closes (first on line 3)');
  expect(await names()).toEqual(loaded);
});

test('line numbers match those of an editor, even after a value that spans lines', async () => {
  const rows = ['1,"José\nMaría",Núñez,,99301', '2,Ann,Lee,13/13/1950,99301', '3,Ann,Lee,,99301'];
  const { stdout } = await importVoters(`${[header, ...rows].join('\n')}\n`);
  expect(stdout).toContain('(first on line 4: "13/13/1950")');
});

test('importing the same bytes again does nothing, and the same rows change nothing', async () => {
  await importVoters(text);
  expect((await importVoters(text)).stdout).toContain('Nothing changed.');
  const shuffled = await importVoters([header, ...voters.toReversed()].join('\n'));
  expect(shuffled.stdout).toContain('voters new 0, changed 0, unchanged 3');
});

test('a voter file changes only its own columns, and never a voter’s own preferences', async () => {
  await importVoters(text);
  await sql`insert into contact_channels (account_id, voter_id, channel, address, is_opted_in)
    select account_id, voter_id, 'email', 'own@example.com', true from voters where registration_id = '1'`.execute(
    db.database.system,
  );
  await sql`update voters set precinct = '12' where registration_id = '1'`.execute(
    db.database.system,
  );
  const changed = `${header},email\n1,José,Marín,01/31/1960,99301,office@example.com\n`;
  expect((await importVoters(changed)).stdout).toContain('voters new 0, changed 1, unchanged 0');
  const { rows } =
    await sql`select v.lastname, v.precinct, v.email as office, c.address, c.is_opted_in
    from voters v join contact_channels c using (voter_id)`.execute(db.database.system);
  expect(rows).toEqual([
    {
      lastname: 'Marín',
      precinct: '12',
      office: 'office@example.com',
      address: 'own@example.com',
      is_opted_in: true,
    },
  ]);
  expect(await names()).toHaveLength(3);
});

test('a dry run shows what would change, and changes nothing', async () => {
  await importVoters(text);
  const { code, stdout } = await importVoters(
    `${text.replace('Wu', 'Woo')}\n4,Eve,Fox,,99301`,
    '--dry-run',
  );
  expect(code).toBe(0);
  expect(stdout).toContain('A dry run: nothing was changed');
  expect(stdout).toContain('voters new 1, changed 1, unchanged 2');
  expect(await names()).toEqual(loaded);
});

test('voters missing from the roll become inactive only with --full, and within a limit', async () => {
  const roll = (count: number) =>
    [header, ...Array.from({ length: count }, (_, n) => `V${n},Ann,Lee,01/02/1950,99301`)].join(
      '\n',
    );
  const inactive = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from voters
      where not is_active`.execute(db.database.system);
    return rows[0]?.count;
  };
  await importVoters(roll(100));
  await importVoters(roll(97));
  expect(await inactive()).toBe(0);
  expect((await importVoters(roll(97), '--full')).stdout).toContain(
    '3 rows: not in the file, and made inactive',
  );
  expect(await inactive()).toBe(3);
  // A voter who returns to the roll is active again.
  await importVoters(roll(98), '--full');
  expect(await inactive()).toBe(2);
  // The same bytes would be an old file.
  await importVoters(`${roll(97)}\n`, '--full');
  expect(await inactive()).toBe(3);
  const short = await importVoters(roll(50), '--full');
  expect(short).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('47 active voters (48%) are missing from this file'),
  });
  expect(await inactive()).toBe(3);
  // Of V95 there is no row, and the refused one may be the voter's.
  const bad = await importVoters(`${roll(95)}\nV96,Ann,,01/02/1950,99301`, '--full');
  expect(bad.stdout).toContain('so no voter was made inactive');
  expect(await inactive()).toBe(3);
  // A part of the roll does not say who is on it.
  expect((await importVoters(roll(99))).code).toBe(0);
  expect(await inactive()).toBe(3);
});

test('a security token is stored only as a hash, and stays when the file has none', async () => {
  const tokenHeader = `${header},security_token`;
  const hashes = async () => {
    const { rows } = await sql<{ hash: string | null }>`select token_hash as hash from voters
      order by registration_id`.execute(db.database.system);
    return rows.map((row) => row.hash);
  };
  await importVoters(`${tokenHeader}\n1,A,B,,99301,K7QM-3XPD\n2,A,C,,99301,\n`);
  const before = await hashes();
  expect(before).toEqual([expect.stringMatching(/^keyed\$/), null]);
  const { stdout } = await importVoters(
    `${tokenHeader}\n1,A,B,,99301,K7QM-3XPD\n2,A,C,,99301,\n3,A,D,99/99/1950,99301,SECRET-1\n`,
  );
  expect(stdout).toContain('changed 0, unchanged 2');
  expect(await hashes()).toEqual(before);
  const path = /: (\S+\.rejects\.csv)/.exec(stdout)?.[1] ?? '';
  expect(readFileSync(path, 'utf8')).not.toContain('SECRET-1');
});

test('a killed import loads nothing of its file, and succeeds when it is run again', async () => {
  const many = Array.from({ length: 200_000 }, (_, n) => `K${n},Ann,Lee,01/02/1950,99301`);
  const path = beacon.write('many.csv', [header, ...many].join('\n'));
  const parameters = ['import', path, '--account', 'adams', '--format', 'beacon-voters'];
  const { child, result } = beacon.start(...parameters);
  await expect
    .poll(async () => (await activeCopies()).length, { timeout: 20_000, interval: 5 })
    .toBeGreaterThan(0);
  child.kill('SIGKILL');
  expect((await result).code).toBeNull();
  expect(await names()).toEqual([]);

  expect(await beacon.do(...parameters)).toContain('voters new 200,000');
  const { rows } = await sql<{ count: number }>`select count(*) as count from voters`.execute(
    db.database.system,
  );
  expect(rows[0]?.count).toBe(200_000);
});

async function activeCopies(): Promise<unknown[]> {
  const { rows } = await sql`select from pg_stat_progress_copy
    where datname = current_database() and tuples_processed > 0`.execute(db.database.system);
  return rows;
}
