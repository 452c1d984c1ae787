import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import { testTokenKeys } from '../../../../../../testing/token-keys.ts';
import { openWorkerDatabase } from '../../../../../../testing/worker-database.ts';
import { hashSlowly, writeSlowHash } from '../../../../platform/slow-hash.ts';
import { createTokenKeys, strengthenTokens } from '../../../voters/index.ts';

let office: TestOffice;
beforeEach(async () => {
  office = await createTestOffice();
});
afterEach(() => office.close());

test('a security token that is easy to guess is refused with the reason, and a good one opens however it is typed', async () => {
  const lines = [
    'registration_id,firstname,lastname,birthdate,zipcode,security_token',
    '1,Ann,Good,1950-02-01,99301,k7qm-3xpd',
    // Few rows in error leave the file acceptable.
    ...Array.from({ length: 60 }, (_, index) => `G${index},Dee,Other,1960-02-01,99301,`),
    '2,Bea,Short,1951-02-01,99301,1234',
    '3,Cai,Birthday,1952-02-01,99301,02-01-1952',
    '4,Dan,Zip,1953-02-01,99301-8265,993018265',
    '50318264,Eva,Number,1954-02-01,99301,5031-8264',
  ];
  const { report, firstValues } = await office.import('beacon-voters', lines.join('\n'));
  // Not even for the person who imports the file.
  expect([...(firstValues ?? [])]).toEqual([]);
  expect(report.refusals.map(({ reason, line, count }) => [count, line, reason])).toEqual([
    [3, 64, expect.stringContaining('is also the voter ID, the birth date or the ZIP code')],
    [1, 63, expect.stringContaining('is too easy to guess. Use at least 7 random digits')],
  ]);
  const { rows } = await office.db.database.systemPool.query<{
    registration_id: string;
    token_hash: string;
  }>('select registration_id, token_hash from voters order by 1');
  const good = rows.find((row) => row.registration_id === '1');
  expect(await isTokenOfVoter('K7QM 3XPD', good?.token_hash)).toBe(true);
  expect(rows.filter((row) => row.registration_id !== '1').every((row) => !row.token_hash)).toBe(
    true,
  );
});

test('no list of refused rows has a security token, not even of a line that cannot be cut', async () => {
  const lines = [
    'registration_id,firstname,lastname,birthdate,zipcode,security_token',
    '1,Ann,Good,1950-02-01,99301,k7qm-3xpd',
    ...Array.from({ length: 60 }, (_, index) => `G${index},Dee,Other,1960-02-01,99301,`),
    '2,Bea,Born,1951-02-30,99301,r4tn-8wve',
    '3,"Cai" Two,Quoted,1952-02-01,99301,p6zd-2hjc',
    '',
  ];
  const { report } = await office.import('beacon-voters', lines.join('\n'));
  const list = readFileSync(report.rejectsFile ?? '', 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  expect(list).toEqual([
    '63,birthdate is a date that does not exist,2,Bea,Born,1951-02-30,99301,(not kept)',
    '64,has text after a closing quotation mark,(not kept)',
  ]);
});

const header = 'registration_id,firstname,lastname,birthdate,zipcode,security_token';
let files = 0;
/** Never the same bytes twice: a file that was there before waits for approval. */
const row = (token: string) => {
  files += 1;
  return `${header}\n1,Ann,Good,1950-02-01,99301,${token}${'\n'.repeat(files)}`;
};

async function readToken() {
  const { rows } = await office.db.database.systemPool.query<{
    token_hash: string;
    token_comparison: string | null;
  }>(`select token_hash, token_comparison from voters where registration_id = '1'`);
  return rows[0] ?? { token_hash: '', token_comparison: null };
}

async function isTokenOfVoter(typed: string, token_hash = '', keys = testTokenKeys) {
  const owner = { account_id: office.account.accountId, registration_id: '1' };
  return (await keys.check(typed, { ...owner, token_hash })).isRight;
}

const importToken = async (token: string, keys = testTokenKeys) => {
  const { report } = await office.import('beacon-voters', row(token), { tokenKeys: keys });
  return report.rows;
};

test('the worker’s login strengthens a token once, and the next file with it leaves the strong hash', async () => {
  await importToken('k7qm-3xpd');
  const { token_hash: weak, token_comparison } = await readToken();
  expect(weak).toMatch(/^keyed\$/);
  // The last voter comes after more than are read at once.
  await office.db.database.systemPool.query(
    `insert into voters (account_id, registration_id, firstname, lastname, zipcode, birthdate, token_hash)
      select $2, 'G' || n, 'Dee', 'Other', '99301', '1960-02-01', case n when 59 then $1 else 'keyed$of no import' end
      from generate_series(0, 59) n`,
    [weak, office.account.accountId],
  );
  const worker = await openWorkerDatabase(office.db.database);
  try {
    expect(await strengthenTokens(worker.system, new AbortController().signal)).toBe(2);
    expect(await strengthenTokens(worker.system, new AbortController().signal)).toBe(0);
  } finally {
    await worker.close();
  }
  const strong = await readToken();
  expect(strong).toEqual({
    token_hash: expect.stringMatching(/^keyed-scrypt\$[\w-]{8}\$16384\$8\$5\$/),
    token_comparison,
  });
  expect(await isTokenOfVoter('K7QM-3XPD', strong.token_hash)).toBe(true);
  expect(await importToken('K7QM 3XPD')).toMatchObject({ changed: 0, unchanged: 1 });
  expect(await readToken()).toEqual(strong);
  expect(await importToken('K7QM-3XPE')).toMatchObject({ changed: 1 });
  expect(await isTokenOfVoter('K7QM-3XPD', (await readToken()).token_hash)).toBe(false);
  expect(await isTokenOfVoter('K7QM-3XPE', (await readToken()).token_hash)).toBe(true);
});

test('a file that changes a voter and has no token of theirs leaves the token, with its column and without', async () => {
  await importToken('K7QM-3XPD');
  const before = await readToken();
  for (const file of [
    `${header},precinct\n1,Ann,Good,1950-02-01,99301,,North\n`,
    'registration_id,firstname,lastname,birthdate,zipcode,precinct\n1,Ann,Good,1950-02-01,99301,South\n',
  ]) {
    const { state, report } = await office.import('beacon-voters', file);
    expect([state, report.rows.changed]).toEqual(['done', 1]);
    expect(await readToken()).toEqual(before);
  }
});

test('an import that changes a voter’s token at the same moment wins over the worker', async () => {
  await importToken('K7QM-3XPD');
  const { token_hash } = await readToken();
  await importToken('K7QM-3XPE');
  const changed = await readToken();
  await office.db.database.systemPool.query(
    `select strengthen_token(voter_id, $1, 'keyed-scrypt$late') from voters where registration_id = '1'`,
    [token_hash],
  );
  expect(await readToken()).toEqual(changed);
});

test('a strong hash is replaced by no other, and a weak one only by a strong one', async () => {
  await importToken('K7QM-3XPD');
  const replace = async (by: string) => {
    const { token_hash } = await readToken();
    await office.db.database.systemPool.query(
      `select strengthen_token(voter_id, $1, $2) from voters where registration_id = '1'`,
      [token_hash, by],
    );
    return (await readToken()).token_hash;
  };
  expect(await replace('keyed$another')).toMatch(/^keyed\$(?!another)/);
  expect(await replace('keyed-scrypt$first')).toBe('keyed-scrypt$first');
  expect(await replace('keyed-scrypt$second')).toBe('keyed-scrypt$first');
});

test('a hash of versions before the key works until the next file with the token', async () => {
  await importToken('K7QM-3XPD');
  const former = `scrypt$${writeSlowHash(await hashSlowly('K7QM3XPD', { N: 4096, r: 8, p: 1 }))}`;
  await office.db.database.systemPool.query(
    `update voters set token_hash = $1, token_comparison = null where registration_id = '1'`,
    [former],
  );
  expect(await isTokenOfVoter('K7QM-3XPD', former)).toBe(true);
  await importToken('');
  expect((await readToken()).token_hash).toBe(former);
  await importToken('K7QM-3XPD');
  expect((await readToken()).token_hash).toMatch(/^keyed\$/);
});

test('a new key takes over with the next file, and no voter counts as changed', async () => {
  const older = 'the key before it, long enough to be one';
  await importToken('K7QM-3XPD', createTokenKeys([older]));
  const both = createTokenKeys(['the key after it, long enough to be one', older]);
  expect(await isTokenOfVoter('K7QM-3XPD', (await readToken()).token_hash, both)).toBe(true);
  expect(await importToken('K7QM-3XPD', both)).toMatchObject({ changed: 0, unchanged: 1 });
  const newer = createTokenKeys(['the key after it, long enough to be one']);
  expect(await isTokenOfVoter('K7QM-3XPD', (await readToken()).token_hash, newer)).toBe(true);
});

test('without a key a file with tokens is refused, and one without is not', async () => {
  const refused = await office.import('beacon-voters', row('K7QM-3XPE'), {
    tokenKeys: createTokenKeys([]),
  });
  expect(refused).toMatchObject({
    state: 'refused',
    report: { refusedBecause: expect.stringContaining('set BEACON_TOKEN_KEYS') },
  });
  expect(await importToken('', createTokenKeys([]))).toMatchObject({ refused: 0 });
});

test('the login for voters’ requests cannot read what imports compare', async () => {
  const db = office.db.database.forAccount(office.account.accountId);
  await expect(sql`select token_comparison from voters`.execute(db)).rejects.toThrow(
    /permission denied/,
  );
  await expect(sql`update voters set token_hash = null`.execute(db)).rejects.toThrow(
    /permission denied/,
  );
});
