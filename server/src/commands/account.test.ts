import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { meetAtLock } from '../../../testing/meet-at-lock.ts';
import { sql } from '../../../testing/sql.ts';
import { tryBeginImport } from '../modules/imports/index.ts';
import type { AccountId } from '../platform/ids.ts';

let db: TestDatabase;
let beacon: Beacon;

beforeEach(async () => {
  db = await createTestDatabase();
  beacon = createBeacon(db.url);
});
afterEach(async () => {
  beacon.remove();
  await db.drop();
});

const adams = {
  subdomain: 'adams',
  name: 'Adams County Elections',
  county: 'Adams',
  state: 'WA',
  time_zone: 'America/Los_Angeles',
};
const logo = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>';

function apply(settings: object): ReturnType<Beacon['run']> {
  return beacon.run('account', 'apply', beacon.write('account.json', JSON.stringify(settings)));
}

async function show(): Promise<Record<string, unknown>> {
  return JSON.parse(await beacon.do('account', 'show', '--account', 'adams'));
}

async function problemsOf(settings: object): Promise<string[]> {
  const { code, stdout, stderr } = await apply({ ...adams, ...settings });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr.trimEnd().split('\n').slice(1);
}

describe('an account file', () => {
  test('that takes a channel away says how many voters no alert reaches any more', async () => {
    await apply(adams);
    await sql`with office as (select account_id from accounts),
      voter as (insert into voters (account_id, registration_id, firstname, lastname, zipcode, birthdate)
        select account_id, 'V1', 'Ann', 'Rivera', '99301', '1970-02-03' from office returning account_id, voter_id),
      preferences as (insert into contact_preferences (account_id, voter_id) select * from voter)
      insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
      select account_id, voter_id, 'sms', '+15095550100', 'proven', true from voter`.execute(
      db.database.system,
    );
    const { stdout } = await apply({ ...adams, delivery_types: ['email'] });
    expect(stdout).toContain(
      '1 voter signed up for alerts only in ways that are no longer offered',
    );
    expect((await apply({ ...adams, delivery_types: ['email'] })).stdout).not.toContain('1 voter');
  });

  test('that is applied at the same moment as another leaves what the other one changed', async () => {
    await apply(adams);
    const applyPart = (name: string, part: object) =>
      beacon.run(
        ...[
          'account',
          'apply',
          beacon.write(name, JSON.stringify({ subdomain: 'adams', ...part })),
        ],
      );
    const ends = await meetAtLock(
      db.database,
      (tx) => sql`select from accounts for update`.execute(tx),
      () => [
        applyPart('name.json', { name: 'Adams Votes' }),
        applyPart('county.json', { county: 'Bell' }),
      ],
    );
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(await show()).toMatchObject({ name: 'Adams Votes', county: 'Bell' });
  });

  test('that is printed and applied again changes nothing', async () => {
    beacon.write('logo.svg', logo);
    await apply({
      ...adams,
      logo: 'logo.svg',
      languages: ['spanish', 'vietnamese', 'english', 'chinese'],
      contact_phone: '(509) 555-0100',
      recaptcha: { site_key: 'site', secret_key: 'do-not-print' },
      feeds: { 'voter-focus-ballots': { every_hours: 26 } },
      mail: { inbound_zips: ['34811-0001'] },
    });
    const [before, listed] = [await show(), await beacon.do('account', 'list', '--json')];
    expect(before).toMatchObject({
      ...adams,
      languages: ['spanish', 'vietnamese', 'english', 'chinese'],
      contact_phone: '(509) 555-0100',
    });
    expect(JSON.stringify(before) + listed).not.toContain('do-not-print');
    expect(await apply(before)).toMatchObject({ code: 0 });
    expect(await show()).toEqual(before);
    expect(await beacon.do('account', 'list', '--json')).toBe(listed);
    expect(JSON.parse(listed)[0].images.logo).toMatch(/^[0-9a-f]{64}$/);
  });

  test('keeps a setting that it leaves out, and resets a setting that is null', async () => {
    beacon.write('logo.svg', logo);
    await apply({
      ...adams,
      logo: 'logo.svg',
      accent_color: '#2e7d4f',
      short_code: '12345',
      quiet_hours: { start: '09:00', end: '19:00' },
      import_limits: { refused_percent: 10, shrink_percent: 3 },
    });
    await apply({ subdomain: 'adams', quiet_hours: { end: null } });
    expect(await show()).toMatchObject({ quiet_hours: { start: '09:00', end: '20:00' } });
    await apply({
      subdomain: 'adams',
      quiet_hours: { start: '10:00' },
      import_limits: { shrink_percent: null },
      short_code: null,
    });
    expect(await show()).toMatchObject({
      ...adams,
      accent_color: '#2e7d4f',
      short_code: '41575',
      quiet_hours: { start: '10:00', end: '20:00' },
      import_limits: { refused_percent: 10, shrink_percent: 10, inactive_percent: 5 },
    });
    const images = async () => JSON.parse(await beacon.do('account', 'list', '--json'))[0].images;
    expect(await images()).toHaveProperty('logo');
    await apply({ subdomain: 'adams', logo: null });
    expect(await images()).toEqual({});
  });

  test('changes what every account needs', async () => {
    const moved = { name: 'Lake Votes', county: 'Lake', state: 'FL', time_zone: 'America/Chicago' };
    await apply(adams);
    await apply({ subdomain: 'adams', ...moved });
    expect(await show()).toMatchObject(moved);
  });

  test('cannot reset what every account needs', async () => {
    await apply(adams);
    expect(await problemsOf({ name: null })).toEqual(['  name: is missing']);
    expect(await show()).toMatchObject(adams);
  });

  test('names every wrong setting in words that say what to write', async () => {
    expect(
      await problemsOf({
        state: 'ZZ',
        time_zone: 'America/Spokane',
        contact_phone: '555-0100',
        from_voice: '+1 352 555',
        accent_color: 'teal',
        is_token_required: 'yes',
        languages: 'english',
        message_retention_days: '730',
        import_limits: { shrink_percent: 120 },
      }),
    ).toEqual([
      '  state: must be a postal abbreviation such as FL',
      '  time_zone: must be a time zone name such as America/New_York',
      '  languages: must be a list: ["…", "…"]',
      '  accent_color: must be # and six digits or letters a to f, such as #1f5fa8',
      '  is_token_required: must be true or false, without quotation marks',
      '  from_voice: must be a US phone number with its area code, such as (352) 555-0100',
      '  message_retention_days: must be a number, without quotation marks',
      '  import_limits.shrink_percent: must be 0 to 100',
      '  contact_phone: must be a US phone number with its area code, such as (352) 555-0100',
    ]);
    expect(JSON.parse(await beacon.do('account', 'list', '--json'))).toEqual([]);
  });

  test('may give phone numbers as people write them', async () => {
    for (const at of ['contact_phone', 'from_voice'])
      expect(await problemsOf({ [at]: '555-0100' })).toEqual([
        `  ${at}: must be a US phone number with its area code, such as (352) 555-0100`,
      ]);
    await apply({ ...adams, contact_phone: '352-555-0100 ext. 7', from_voice: '(352) 555-0142' });
    expect(await show()).toMatchObject({
      contact_phone: '352-555-0100 ext. 7',
      from_voice: '+13525550142',
    });
  });

  test.each([
    ['a colon is missing', ['"name": "Adams",', '"county" "Adams"'], 'line 3. Look for'],
    ['quotation marks are missing', ['"languages": [english],', '"county": "Adams"'], 'line 2.'],
    ['a comma is too many', ['"name": "Adams",', '"county": "Adams",'], 'line 4.'],
    ['a comment', ['// our county', '"county": "Adams"'], 'line 2.'],
    [
      'a setting is there twice',
      ['"county": "Adams",', '"import_limits": { "shrink_percent": 5 },', '"county": "Lake"'],
      'has "county" twice, the second time on line 4. Keep one of them',
    ],
    [
      'a setting of a group is there twice',
      ['"import_limits": { "shrink_percent": 5,', '"shrink_percent": 9 }'],
      'has "import_limits.shrink_percent" twice, the second time on line 3.',
    ],
  ])('names the line of a mistake: %s', async (_mistake, lines, said) => {
    const file = beacon.write('broken.json', ['{', ...lines, '}', ''].join('\n'));
    expect(await beacon.run('account', 'apply', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(said),
    });
  });

  test('gets a note when voters see a more readable color', async () => {
    const { stdout } = await apply({ ...adams, accent_color: '#ffd400' });
    expect(stdout).toMatch(/#ffd400 is hard to read on white\. Voters see #[0-9a-f]{6} instead\./);
  });
});

describe('an account', () => {
  const voters = 'registration_id,firstname,lastname,birthdate,zipcode\n1,Ann,Lee,1950-01-02,99301';

  test('gets another subdomain, and keeps everything else', async () => {
    await apply({ ...adams, accent_color: '#2e7d4f' });
    const renamed = await beacon.do('account', 'rename', 'adams', 'adams-county');
    expect(renamed).toContain('Voters go to http');
    expect(renamed).toContain('QR codes and links that were sent before no longer work');
    const [account] = JSON.parse(await beacon.do('account', 'list', '--json'));
    expect(account).toMatchObject({
      subdomain: 'adams-county',
      settings: { accent_color: '#2e7d4f' },
    });
    await apply({ ...adams, subdomain: 'lake' });
    for (const [message, ...given] of [
      ['Account lake exists already', 'adams-county', 'lake'],
      ['Account adams does not exist. You have: adams-county, lake.', 'adams', 'other'],
      ['must be lowercase letters, digits and hyphens', 'lake', 'La_ke'],
    ] as const) {
      expect(await beacon.run('account', 'rename', ...given)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(message),
      });
    }
  });

  test('can be removed while it is empty, and not afterwards', async () => {
    await apply({ ...adams, subdomain: 'lake' });
    await apply(adams);
    const hello = ['translation', 'set', 'title.login', 'Hello', '--language', 'english'];
    for (const name of ['lake', 'adams']) await beacon.do(...hello, '--account', name);
    expect(await beacon.do('account', 'remove', 'adams')).toContain('Account adams was removed.');
    expect(JSON.parse(await beacon.do('account', 'list', '--json'))).toEqual([
      expect.objectContaining({ subdomain: 'lake' }),
    ]);
    const { rows } = await sql`select value from translation_overrides`.execute(db.database.system);
    expect(rows).toEqual([{ value: 'Hello' }]);

    await apply(adams);
    const remove = () => beacon.run('account', 'remove', 'adams');
    await sql`insert into suppressions (account_id, channel, address, reason)
      select account_id, 'email', 'v' || n || '@mail.example', 'unsubscribed'
      from accounts, generate_series(1, 1200) n where subdomain = 'adams'`.execute(
      db.database.system,
    );
    expect((await remove()).stderr).toContain('not removed: 1,200 opted-out addresses.');
    const file = beacon.write('voters.csv', voters);
    await beacon.do('import', file, '--account', 'adams', '--format', 'beacon-voters');
    expect(await remove()).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Account adams is not empty, so it was not removed: 1 voter, 1 imported file, 1,200 opted-out addresses.\n',
    });
  });

  test('is not removed while its first file is being imported', async () => {
    await apply(adams);
    const { rows } = await sql<{ id: AccountId }>`select account_id as id from accounts`.execute(
      db.database.system,
    );
    await db.database.transaction(async (tx) => {
      expect(await tryBeginImport(tx, rows[0]?.id as AccountId)).toBe(true);
      expect(await beacon.run('account', 'remove', 'adams')).toEqual({
        ...{ code: 1, stdout: '' },
        stderr: 'A file of account adams is being imported. Try again when it is done.\n',
      });
    });
    expect(await beacon.do('account', 'remove', 'adams')).toContain('Account adams was removed.');
  });

  test('moves with six connections, and not with fewer', async () => {
    for (const [connections, problem] of [
      ['5', 'DATABASE_CONNECTIONS is 5, and a move needs at least 6.'],
      ['6', 'Account nobody does not exist'],
    ] as const) {
      const environment = { MOVE_DATABASE_URL: db.url, DATABASE_CONNECTIONS: connections };
      const mover = createBeacon(db.url, { environment });
      expect(await mover.run('account', 'move', 'nobody')).toMatchObject({
        ...{ code: 1, stdout: '', stderr: expect.stringContaining(problem) },
      });
      mover.remove();
    }
  });
});

describe('an election', () => {
  const of = ['--account', 'adams'];
  const set = (number: string, date: string) =>
    beacon.run(
      ...['election', 'set', ...of, '--number', number, '--name', 'General'],
      ...['--date', date, '--active', 'true'],
    );
  const list = async () =>
    (JSON.parse(await beacon.do('election', 'list', ...of, '--json')) as { number: string }[]).map(
      ({ number }) => number,
    );

  beforeEach(() => apply(adams));

  test('has one number, however its letters are written', async () => {
    await set('2026g', '2026-11-03');
    expect(await set('2026G', '11/3/2026')).toMatchObject({
      code: 0,
      stdout: 'Election 2026G, General, 11/03/2026, active\n',
    });
    expect(await list()).toEqual(['2026G']);
    const voters = beacon.write(
      'voters.csv',
      'registration_id,firstname,lastname,birthdate,zipcode\n1,Ann,Lee,1950-01-02,99301\n',
    );
    await beacon.do('import', voters, ...of, '--format', 'beacon-voters');
    const ballots = beacon.write(
      'ballots.csv',
      [
        'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription',
        '2026g,1,Outbound,10/05/2026,,,',
        '',
      ].join('\n'),
    );
    await beacon.do('import', ballots, ...of, '--format', 'voter-focus-ballots');
    expect(await beacon.do('report', 'status', ...of, '--election', '2026g')).toContain('2026G');
    expect(await beacon.do('ballot', 'show', '1', ...of, '--election', '2026g')).toContain(
      '(2026G)',
    );
    const refused = await beacon.run('election', 'remove', '2026g', ...of);
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Election 2026G is not empty, so it was not removed: 1 ballot.\n',
    });
  });

  test('is refused in a year in which nobody means it', async () => {
    for (const date of ['2062-11-03', '1926-11-03', '11/3/26', '13/3/2026', '2026-02-30']) {
      const { code, stderr } = await set('7', date);
      expect({ date, code }).toEqual({ date, code: 2 });
      expect(stderr).toMatch(/is not a date that exists|year|Use a date/);
    }
    expect(await list()).toEqual([]);
  });

  test('gets another number, and can be removed while it is empty', async () => {
    await set('7', '2026-11-03');
    await set('8', '2026-08-04');
    await beacon.do('election', 'rename', '7', '7a', ...of);
    expect(await list()).toEqual(['7a', '8']);
    expect(await beacon.run('election', 'rename', '7A', '8', ...of)).toMatchObject({
      code: 1,
      stderr: 'Election 8 exists already.\n',
    });
    expect(await beacon.run('election', 'remove', '9', ...of)).toMatchObject({
      code: 1,
      stderr: 'Election 9 does not exist. You have: 7a, 8.\n',
    });
    expect(await beacon.do('election', 'remove', '8', ...of)).toBe('Election 8 was removed.\n');
    expect(await list()).toEqual(['7a']);
  });
});

test('an account has one spelling', async () => {
  await apply(adams);
  for (const account of ['ADAMS', ' adams', 'adam_', 'adams%', '%', ''])
    expect(
      await beacon.run('flag', 'set', 'voterOutage', 'on', '--account', account),
    ).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('You have: adams.') });
  expect(await beacon.do('flag', 'list', '--account', 'adams')).toMatch(
    /^voterOutage: false \(default\)/m,
  );
});
