import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';

let office: TestOffice;
let beacon: Beacon;
const adams = ['--account', 'adams'];

beforeAll(async () => {
  office = await createTestOffice();
  beacon = createBeacon(office.db.url);
  await office.import(
    'beacon-voters',
    [
      'registration_id,firstname,middlename,lastname,birthdate,zipcode,city,phone,email,is_confidential',
      '000123,Robert,Lee,Johnson,1950-02-01,99301,Pasco,(509) 555-0142,rob@mail.example,false',
      '000124,Rita,,Johnson,1950-02-01,99301,Pasco,,Rita@Mail.example,false',
      '7001,María,,De La Cruz,1961-07-04,99302,Othello,,,false',
      '7002,Safe,,Johnson,1950-02-01,99301,Pasco,(509) 555-0142,rob@mail.example,true',
      '',
    ].join('\n'),
  );
  await sql`
    insert into contact_channels (account_id, voter_id, channel, address)
    select account_id, voter_id, 'sms', '+15095550177' from voters where registration_id = '7001'`.execute(
    office.db.database.system,
  );
});
afterAll(async () => {
  beacon.remove();
  await office.close();
});

const show = (...words: string[]) => beacon.do('voter', 'show', ...words, ...adams);

test.each([
  ['an ID without its leading zeros', ['123'], '000123'],
  ['an ID with too many zeros', ['00000123'], '000123'],
  ['first and last name', ['robert', 'johnson'], '000123'],
  ['a name as one argument, last name first', ['Johnson, Robert Lee'], '000123'],
  ['a name without its accent and spaces', ['maria', 'delacruz'], '7001'],
  ['a last name of several words', ['De La Cruz'], '7001'],
  ['a birth date', ['7/4/1961'], '7001'],
  ['a name and a birth date', ['Rita', 'Johnson', '02/01/1950'], '000124'],
  ['the roll’s phone', ['(509)', '555-0142'], '000123'],
  ['a phone that the voter gave us', ['509-555-0177'], '7001'],
  ['an email address', ['ROB@mail.example'], '000123'],
  ['an email address that the roll has in other letters', ['rita@mail.EXAMPLE'], '000124'],
])('a clerk finds a voter by %s', async (_, words, id) => {
  expect(await show(...words)).toMatch(new RegExp(`^Voter ${id}: `));
});

test('a clerk finds a ballot by its voter’s ID without leading zeros', async () => {
  const result = await beacon.run('ballot', 'show', '123', ...adams);
  expect(result).toMatchObject({ code: 1, stderr: 'Voter 123 has no ballot on record.\n' });
});

test('a birth date with a short year is not taken for an ID', async () => {
  const { stderr } = await beacon.run('voter', 'show', '7/4/61', ...adams);
  expect(stderr).toMatch(/^No voter of account adams matches\. .*a birth date such as 2\/1\/1950/);
});

test('a clerk reads how many voters match, and which', async () => {
  expect(await show('johnson')).toBe(
    [
      '2 voters match. Show one of them: beacon voter show VOTER_ID --account adams',
      '  000124  Rita Johnson  02/01/1950  Pasco 99301',
      '  000123  Robert Lee Johnson  02/01/1950  Pasco 99301',
      '',
    ].join('\n'),
  );
  expect(JSON.parse(await show('2/1/1950', '--json'))).toMatchObject({
    matches: 2,
    voters: [{ registration_id: '000124' }, { registration_id: '000123' }],
  });
  const [newest] = JSON.parse(await beacon.do('audit', ...adams, '--json', '--limit', '1'));
  expect(newest).toMatchObject({
    action: 'voter.search',
    details: { matches: 2, by: ['birthdate'] },
  });
  expect(JSON.stringify(newest)).not.toMatch(/1950|johnson/i);

  const setActive = (isActive: boolean) =>
    sql`update voters set is_active = ${isActive} where registration_id = '000124'`.execute(
      office.db.database.system,
    );
  await setActive(false);
  expect(await show('johnson')).toContain('Rita Johnson  02/01/1950  Pasco 99301  inactive');
  await setActive(true);
});

test('a confidential voter is found by ID only', async () => {
  expect(await show('7002')).toContain('Voter 7002 is confidential.');
  expect(await beacon.run('voter', 'show', 'Safe', 'Johnson', ...adams)).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'No voter of account adams matches. Try the voter ID, the full last name, a birth date such as 2/1/1950, a phone number or an email address. Confidential voters are found by voter ID only.\n',
  });
});
