import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';

let office: TestOffice;
let beacon: Beacon;

const adams = ['--account', 'adams'];

beforeEach(async () => {
  office = await createTestOffice();
  beacon = createBeacon(office.db.url);
  await office.import(
    'beacon-voters',
    [
      'registration_id,firstname,lastname,birthdate,zipcode,address,city,state,phone,is_confidential,security_token',
      '00/1,Zoë,Marlin,1950-02-01,99301,12 Harbor Lane,Pasco,WA,(509) 555-0142,false,K7QM-3XPD',
      '2,Safe,Person,1951-02-01,99301,9 Hidden Road,Pasco,WA,(509) 555-0143,true,',
    ].join('\n'),
  );
  await office.addElection('7', '2026-11-03');
  await office.addElection('6', '2026-08-04', false);
  const ballots = (rows: readonly string[]) =>
    office.import(
      'voter-focus-ballots',
      [
        'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription',
        ...rows,
        '',
      ].join('\n'),
    );
  await ballots([
    '6,00/1,Outbound,07/10/2026,,,',
    '7,00/1,Outbound,10/05/2026,,,',
    '7,2,Outbound,10/05/2026,,,',
  ]);
  await ballots(['7,00/1,Rejected,10/05/2026,10/20/2026,SIG,Signature does not match']);
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

async function looks(): Promise<unknown[]> {
  const entries = JSON.parse(await beacon.do('audit', ...adams, '--json')) as {
    actor: string;
    action: string;
    target: string;
  }[];
  return entries
    .filter(({ action }) => action.endsWith('.show'))
    .map(({ actor, action, target }) => `${actor} ${action} ${target}`);
}

/** By voter's ID and election. */
async function ballotIds(): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; id: number }>`
    select registration_id || ' ' || number as name, ballot_id as id
    from ballots join voters using (voter_id) join elections using (election_id)`.execute(
    office.db.database.system,
  );
  return Object.fromEntries(rows.map(({ name, id }) => [name, id]));
}

describe('a clerk on the phone with a voter', () => {
  test('sees the voter, preferences, consents, messages and every ballot; the lookup is recorded', async () => {
    await sql`
      insert into contact_preferences (account_id, voter_id, is_confirmed, language_preference)
      select account_id, voter_id, true, 'spanish' from voters where registration_id = '00/1'`.execute(
      office.db.database.system,
    );
    await sql`
      insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in, hours_start, hours_end, pending_address)
      select account_id, voter_id, c.* from voters, (values
        ('email', 'zoe@mail.example', 'proven', true, null, null, ''),
        ('sms', '+15095550142', 'unproven', true, time '09:00', time '17:00', ''),
        ('voice', '', 'unproven', true, null, null, '+15095550144')) c
      where registration_id = '00/1'`.execute(office.db.database.system);
    await sql`
      insert into consents (account_id, voter_id, channel, address, action, source, wording)
      select account_id, voter_id, c.channel, c.address, c.action, 'preferences page', '2026-11'
      from voters, (values ('email', 'old@mail.example', 'withdrawn'), ('email', 'zoe@mail.example', 'confirmed'),
        -- The other voter's alone.
        ('email', 'other@mail.example', 'withdrawn')) as c (channel, address, action)
      where registration_id = '2' or c.address <> 'other@mail.example'`.execute(
      office.db.database.system,
    );
    await sql`insert into suppressions (account_id, channel, address, reason)
      select account_id, c.channel, c.address, c.reason from accounts, (values
        ('email', 'old@mail.example', 'unsubscribed'),
        -- Of somebody else: the voter never gave them to be reached this way.
        ('sms', 'zoe@mail.example', 'stopped'), ('email', 'other@mail.example', 'complained')) as c (channel, address, reason)`.execute(
      office.db.database.system,
    );
    const news = beacon.write(
      'news.csv',
      [
        'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription',
        '7,00/1,Accepted,10/05/2026,10/20/2026,,',
        '',
      ].join('\n'),
    );
    await beacon.do('import', news, ...adams, '--format', 'voter-focus-ballots');

    // The messages of an import depend on today's date; what the clerk sees must not.
    await sql`delete from messages`.execute(office.db.database.system);
    await sql`
      insert into messages (account_id, kind, status, voter_id, channel, address, language, cause, state, deliver_after, sent_at)
      select account_id, 'status', 'accepted', voter_id, 'email', 'zoe@mail.example', 'spanish', registration_id, 'delivered',
        '2026-10-21T16:00:00Z', '2026-10-22T17:00:00Z'
      from voters`.execute(office.db.database.system);

    await sql`insert into voter_notes (account_id, voter_id, at, noted_by, text)
      select account_id, voter_id, '2026-10-21T15:00:00Z', 'operator:Dana', E'Called.\nAll is well.'
      from voters`.execute(office.db.database.system);

    const stdout = await beacon.do('voter', 'show', '00/1', ...adams);
    for (const line of [
      /^Voter 00\/1: Zoë Marlin$/m,
      /^ {2}Born +02\/01\/1950$/m,
      /^ {2}Address +12 Harbor Lane, Pasco, WA 99301$/m,
      /^ {2}Security token +has one$/m,
      /^ {2}Email +on, zoe@mail\.example, confirmed$/m,
      /^ {2}Texts +on, \+15095550142, pending, from 09:00 to 17:00$/m,
      /^ {2}Calls +on, \+15095550144, waiting for the voter’s call$/m,
      /^ {2}Language +spanish$/m,
      /old@mail\.example {2}unsubscribed$/m,
      /email {2}zoe@mail\.example {2}confirmed {2}\(preferences page\)$/m,
      // When it left, not when it was to leave.
      /^ {2}10\/22\/2026 10:00 AM PDT {2}email {2}zoe@mail\.example {2}accepted {2}delivered$/m,
      /Dana {2}Called\. All is well\.$/m,
      /The voter sees: accepted since 10\/20\/2026 \(finished\)$/m,
    ]) {
      expect(stdout).toMatch(line);
    }
    // Nobody may see the token or its hash.
    expect(stdout).not.toMatch(/K7QM|scrypt/);
    expect(stdout).not.toMatch(/other@|stopped/);
    const { rows } = await sql<{ id: number }>`
      select voter_id as id from voters where registration_id = '00/1'`.execute(
      office.db.database.system,
    );
    const json = JSON.parse(await beacon.do('voter', 'show', '00/1', ...adams, '--json'));
    expect(json).toMatchObject({
      voter: {
        registration_id: '00/1',
        lastname: 'Marlin',
        is_active: true,
        has_security_token: true,
      },
      preferences: { email: 'zoe@mail.example', sms_status: 'pending' },
      consents: [{ action: 'confirmed' }, { action: 'withdrawn' }],
      messages: [{ status: 'accepted', channel: 'email' }],
      notes: [{ text: 'Called.\nAll is well.' }],
      ballots: [{ election_number: '7' }, { election_number: '6' }],
    });
    expect(JSON.stringify(json)).not.toMatch(/scrypt|session/);
    expect(await looks()).toEqual([
      `operator:tester voter.show ${rows[0]?.id}`,
      `operator:tester voter.show ${rows[0]?.id}`,
    ]);
  });

  test('sees a ballot with every event, its source and its line', async () => {
    const ids = await ballotIds();
    // An election’s number is the same with a space after it.
    const stdout = await beacon.do('ballot', 'show', '00/1', ...adams, '--election', '7 ');
    expect(stdout).toContain(
      `Ballot (internal no. ${ids['00/1 7']}) of voter 00/1: Election 7 (7), 11/03/2026\n`,
    );
    expect(stdout).toMatch(/^ {2}The voter sees: rejected\S* since 10\/20\/2026 \(stopped\)$/m);
    expect(stdout).toMatch(
      /^ {2}10\/05\/2026 +Office record +sent +“Outbound”, from file\.csv line \d \(import 2\), recorded \d\d\/\d\d\/20\d\d \d+:\d\d [AP]M P[SD]T$/m,
    );
    expect(stdout).toMatch(
      /^ {2}\S+ +Office record +rejected\S* +“Rejected”, SIG Signature does not match, from file\.csv line 2 \(import 3\)/m,
    );
    expect(stdout).not.toContain('Election 6');
    const [ballot] = JSON.parse(await beacon.do('ballot', 'show', '2', ...adams, '--json'));
    // "2" is looked up as a voter ID first, then as a ballot number.
    expect(ballot).toMatchObject({ registration_id: '2', ballot_id: ids['2 7'] });
    await sql`update voters set registration_id = 'B' where registration_id = '2'`.execute(
      office.db.database.system,
    );
    // As the office says, where USPS does not.
    await sql`update ballots set office_expected_on = '2026-07-14'`.execute(
      office.db.database.system,
    );
    const old = String(ids['00/1 6']);
    const [byNumber] = JSON.parse(await beacon.do('ballot', 'show', old, ...adams, '--json'));
    expect(byNumber).toMatchObject({
      ballot_id: ids['00/1 6'],
      registration_id: '00/1',
      election_number: '6',
      outbound_expected_delivery_date: '2026-07-14',
      shown: { status: 'sent', when: '2026-07-10' },
      events: [
        {
          kind: 'office',
          status: 'sent',
          raw_status: 'Outbound',
          occurred_on: '2026-07-10',
          import_id: 2,
          file_name: 'file.csv',
          source_line: expect.any(Number),
        },
      ],
    });
    expect(await looks()).toEqual(
      ['00/1 6', '2 7', '00/1 7'].map((ballot) => `operator:tester ballot.show ${ids[ballot]}`),
    );
  });

  test('sees which records are of a corrected file, and what counts', async () => {
    await beacon.do('correct', '3', '--by', 'Ann Clerk');
    const stdout = await beacon.do('ballot', 'show', '00/1', ...adams, '--election', '7');
    expect(stdout).toMatch(/^ {2}The voter sees: sent since 10\/05\/2026 \(in progress\)$/m);
    expect(stdout).toMatch(/ rejected .* \(import 3, corrected: no longer counts\), recorded/);
    expect(stdout).toMatch(/ sent .* \(import 2\), recorded/);
  });

  test('sees a voter who is no longer active, too', async () => {
    await sql`update voters set is_active = false where registration_id = '00/1'`.execute(
      office.db.database.system,
    );
    expect(await beacon.do('voter', 'show', '00/1', ...adams)).toContain('Marlin');
  });

  test('does not see where a confidential voter lives', async () => {
    for (const more of [[], ['--json']]) {
      const stdout = await beacon.do('voter', 'show', '2', ...adams, ...more);
      expect(stdout).toMatch(/confidential/);
      expect(stdout).not.toMatch(/Hidden|Safe|0143|1951/);
    }
  });

  test('finds the ballot of a confidential voter by the voter ID alone', async () => {
    const ids = await ballotIds();
    const number = String(ids['2 7']);
    await sql`update voters set registration_id = 'B' where registration_id = '2'`.execute(
      office.db.database.system,
    );
    expect(await beacon.run('ballot', 'show', number, ...adams)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`No voter and no ballot ${number} in adams.`),
    });
    expect(await beacon.do('ballot', 'show', 'B', ...adams)).toContain(`no. ${number}`);
  });

  test('gets an error when the voter or ballot does not exist, and no lookup is recorded', async () => {
    for (const [message, ...given] of [
      ['Account adams has no voter with ID 22.', 'voter', 'show', '22'],
      ['No voter and no ballot 22 in adams.', 'ballot', 'show', '22'],
      ['No voter and no ballot x in adams.', 'ballot', 'show', 'x'],
      ['Voter 2 has no ballot on record in election 6.', 'ballot', 'show', '2', '--election', '6'],
    ] as const) {
      expect(await beacon.run(...given, ...adams)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
    }
    expect(await looks()).toEqual([]);
  });
});

describe('the list of imports', () => {
  const push = (at: string, content: string) => {
    office.clock.set(at);
    const bytes = Buffer.from(content);
    return office.import('usps-iv-mtr', content, {
      file: { name: 'push', size: bytes.length, open: () => Readable.from([bytes]) },
      operator: 'system',
    });
  };
  const scans = (...serials: number[]) =>
    JSON.stringify({
      events: serials.map((serial) => ({
        imb: `00716123456${String(serial).padStart(9, '0')}`,
        scanDatetime: '2026-11-18T09:15:00',
      })),
    });

  test('shows a clerk the files, and the pushes from USPS as one line per day', async () => {
    // Still the 19th by the office's clock.
    await push('2026-11-20T07:59:00Z', scans(1));
    await push('2026-11-20T08:00:00Z', scans(2));
    await push('2026-11-20T20:00:00Z', scans(3, 4));
    await push('2026-11-20T20:00:00Z', '{"events": [');
    const rowsOf = (text: string) =>
      text
        .split('\n\n')[1]
        ?.trim()
        .split('\n')
        .map((line) => line.split('\t').slice(2).join(' '));
    const folded = await beacon.do('imports', ...adams);
    expect(rowsOf(folded)).toEqual([
      'refused usps-iv-mtr push 0 read 0 refused',
      'done usps-iv-mtr 2 pushes of 11/20/2026 3 read 0 refused',
      'done usps-iv-mtr 1 push of 11/19/2026 1 read 0 refused',
      'done voter-focus-ballots file.csv 1 read 0 refused',
      'done voter-focus-ballots file.csv 3 read 0 refused',
      'done beacon-voters file.csv 2 read 0 refused',
    ]);
    expect(folded.split('\n\n')[0]).toMatch(
      /^beacon-voters\tlast \d\d\/\d\d\/2026 \d+:\d\d [AP]M P[SD]T, /m,
    );
    expect(folded).toMatch(/^\d+\t11\/20\/2026 12:00 PM PST\trefused\t/m);
    const few = rowsOf(await beacon.do('imports', ...adams, '--limit', '4'));
    expect(few?.at(-1)).toBe('done voter-focus-ballots file.csv 1 read 0 refused');
    expect(rowsOf(await beacon.do('imports', ...adams, '--pushes'))).toHaveLength(7);
    const listIds = async (...options: string[]) =>
      JSON.parse(await beacon.do('imports', ...adams, '--json', ...options)).map(
        ({ import_id: id }: { import_id: number }) => id,
      );
    const ids = await listIds();
    expect(ids).toHaveLength(7);
    expect(ids).toEqual(ids.toSorted((one: number, other: number) => other - one));
    expect(await listIds('--limit', '2')).toEqual(ids.slice(0, 2));
    // The same again says nothing new, and is a push like another.
    await push('2026-11-21T20:00:00Z', scans(3, 4));
    const newest = rowsOf(await beacon.do('imports', ...adams, '--limit', '1'));
    expect(newest).toEqual([expect.stringMatching(/^done usps-iv-mtr 1 push of 11\/21\/2026 /)]);
  });
});

test('format check finds a file whose refused rows are above the limit, and not one at the limit', async () => {
  const check = (refused: number) => {
    const rows = Array.from({ length: 10 }, (_, n) => `${n < refused ? '' : n},sent`);
    const sample = beacon.write('s.csv', ['registration_id,status', ...rows].join('\n'));
    return beacon.run('format', 'check', 'beacon-ballots', '--sample', sample);
  };
  expect(await check(5)).toMatchObject({ code: 0, stderr: '' });
  expect(await check(6)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Too many rows have errors (6 of 10; limit 50%)'),
  });
});

test('format check reads mail pieces with the settings of the office’s account', async () => {
  const rows = ['registration_id,election,outbound_imb', '2,7,00777123456000000002'];
  const check = [
    'format',
    'check',
    'beacon-mailpieces',
    '--sample',
    beacon.write('m.csv', rows.join('\n')),
  ];
  expect(await beacon.run(...check)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('is of inbound mail by its barcode'),
  });
  const account = { subdomain: 'adams', name: 'Adams County', county: 'Adams', state: 'WA' };
  const file = {
    ...account,
    time_zone: 'America/Los_Angeles',
    mail: { stids: { 777: 'outbound' } },
  };
  await beacon.do('account', 'apply', beacon.write('account.json', JSON.stringify(file)));
  expect(await beacon.do(...check, ...adams)).not.toContain('would be refused');
  expect(await beacon.run(...check, '--account', 'nowhere')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Account nowhere does not exist'),
  });
});
