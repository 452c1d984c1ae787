// Longer than 400 lines: every way to discard and to keep works on the same two elections and their rows.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addOffice } from '../../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import { createTestClock, type TestClock } from '../../../../testing/clock.ts';
import { createMessageCounty, type MessageCounty } from '../../../../testing/messages.ts';
import { readCodeBlocks } from '../../../../testing/pages.ts';
import { pg } from '../../../../testing/sql.ts';
import { openWorkerDatabase } from '../../../../testing/worker-database.ts';
import { createLog } from '../../platform/log.ts';
import { listAccounts, saveElection } from '../accounts/index.ts';
import { type ImportOutcome, tryBeginImport } from '../imports/index.ts';
import { deleteAllDiscarded, discardDue } from './index.ts';

const voters = ['1', '2', '3'];
const adams = ['--account', 'adams'];
const tables = [
  ...['ballots', 'ballot_events', 'mail_pieces', 'replaced_pieces', 'mail_scans'],
  ...['messages', 'receipts'],
];
const afterwards = '2028-09-04T15:00:00Z';
let county: MessageCounty;
let beacon: Beacon;
let clock: TestClock;

/** An election of 2026 that is over, with events, scans, messages and receipts, and one of 2028 with the same voters. */
beforeEach(async () => {
  county = await createMessageCounty(voters, { settings: { election_retention_days: 30 } });
  clock = createTestClock(afterwards);
  beacon = createBeacon(county.url, { clock });
  for (const voter of voters) await county.optIn(voter, { email: `v${voter}@mail.example` });
  await addElection('200', '2028-11-07', true);
  const sent = { status: 'Outbound', mailed: '2026-10-04' } as const;
  await take(county.importBallots(voters.map((voter) => ({ ...sent, voter }))));
  const asked = { status: 'Requested', election: '200' } as const;
  await take(county.importBallots(voters.map((voter) => ({ ...asked, voter }))));
  // A number that is used again for the later election keeps its scan.
  for (const rows of [
    voters.map((voter) => `${voter},100,${barcode(voter)},`),
    [`3,200,${barcode('3')},`],
    // What it replaces is kept for a while.
    [`1,100,${barcode('1')},2026-10-04`],
  ])
    await take(
      county.importLines('beacon-mailpieces', [
        'registration_id,election,outbound_imb,mailed_on',
        ...rows,
      ]),
    );
  await take(
    county.importLines('usps-iv-mtr', [
      'imb,scanDatetime,mailPhase,handlingEventType,scanEventCode,scanFacilityState',
      ...voters.map((voter) => `${barcode(voter)},2026-10-05T06:00:00,1a,A,517,FL`),
    ]),
  );
  await query(`update messages set state = 'delivered'`);
  await query(`insert into receipts (account_id, message_id, provider, outcome)
    select account_id, message_id, 'local', 'delivered' from messages`);
  await addElection('100', '2026-11-03', false);
});
afterEach(async () => {
  beacon.remove();
  await county.drop();
});

const barcode = (voter: string) => `00716123456${voter.padStart(9, '0')}`;
const take = async (importing: Promise<ImportOutcome>) =>
  expect(['done', 'messages-held']).toContain((await importing).state);
const query = async (text: string) => (await county.database.systemPool.query(text)).rows;
const addElection = (number: string, electionDate: string, isActive: boolean, more = {}) =>
  county.database.transaction((tx) =>
    saveElection(tx, county.account.accountId, {
      ...{ number, name: `Election ${number}`, electionDate, isActive, ...more },
    }),
  );
async function countAll(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables)
    counts[table] = (await query(`select count(*)::int as n from ${table}`))[0].n;
  return counts;
}
const full = {
  ...{ ballots: 6, ballot_events: 10, mail_pieces: 4, replaced_pieces: 1, mail_scans: 3 },
  ...{ messages: 4, receipts: 4 },
};
/** What the election of 2028 has, and the scan of the envelope that is its, too. */
const kept = {
  ...{ ballots: 3, ballot_events: 4, mail_pieces: 1, replaced_pieces: 0, mail_scans: 1 },
  ...{ messages: 1, receipts: 1 },
};

describe('beacon election discard', () => {
  test('says first what would go, and then deletes it and nothing else', async () => {
    expect(await countAll()).toEqual(full);
    const what = '3 ballots, 6 events, 3 envelopes, 2 scans, 3 messages';
    expect(await beacon.do('election', 'discard', '100', ...adams, '--dry-run')).toBe(
      `Election 100, Election 100, 11/03/2026 has ${what}.\nbeacon election discard deletes them for good.\n`,
    );
    expect(await countAll()).toEqual(full);
    expect(await beacon.do('election', 'discard', '100', ...adams)).toContain(`Deleted: ${what}.`);
    expect(await countAll()).toEqual(kept);
    expect(await beacon.do('election', 'list', ...adams)).toBe(
      '200, Election 200, 11/07/2028, active\n100, Election 100, 11/03/2026, discarded 09/04/2028\n',
    );
    const [entry] = await query(
      `select actor, target, details from audit_log where action = 'election.discard'`,
    );
    expect(entry).toMatchObject({
      ...{ actor: 'operator:tester', target: '100', details: { ballots: 3, messages: 3 } },
    });
    // Nobody lost an address, a consent or the place on the roll.
    expect(await query('select from contact_channels')).toHaveLength(3);
    expect(await query('select from consents')).not.toHaveLength(0);
    expect(await query('select from voters')).toHaveLength(3);
  });

  test.each([
    ['the last minute before', '2028-09-03T03:59:00Z', 1],
    ['the first minute of', '2028-09-03T04:00:00Z', 0],
  ])('%s its day by the office’s clock, at %s, ends with %i', async (_, now, code) => {
    clock.set(now);
    const asked = await beacon.run('election', 'discard', '100', ...adams, '--dry-run');
    expect(asked.code, asked.stderr).toBe(code);
  });

  test.each([
    ['active', 'update elections set is_active = true', 'Election 100 is active.'],
    [
      'of a kind with federal offices and not 22 months old',
      `update elections set election_date = '2026-11-05'`,
      'must be kept until 09/05/2028',
    ],
    [
      'of which messages wait for approval',
      `update messages set state = 'held' where message_id = (select min(message_id) from messages)`,
      'Messages about 1 of its ballots wait',
    ],
    [
      'of which messages are on their way',
      `update messages set state = 'sending', claimed_at = now() where message_id = (select min(message_id) from messages)`,
      'Messages about 1 of its ballots wait',
    ],
  ])('refuses an election that is %s, also in the database itself', async (_, change, reason) => {
    const [{ election_id: id }] = await query(
      `select election_id from elections where number = '100'`,
    );
    await query(change);
    for (const more of [[], ['--dry-run']]) {
      const refused = await beacon.run('election', 'discard', '100', ...adams, ...more);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
    }
    expect(await countAll()).toEqual(full);
    if (!reason.includes('kept until'))
      await expect(
        query(`select discard_election(${id}, now() + interval '3 years', 'system', '{}')`),
      ).rejects.toThrow(/is not over|wait to be sent/);
  });

  test('takes an election without federal offices the day after', async () => {
    await addElection('100', '2028-09-03', false, { kind: 'local' });
    await expect(
      query(`select discard_election(election_id, election_date, 'system', '{}')
        from elections where number = '100'`),
    ).rejects.toThrow('is not over');
    await beacon.do('election', 'discard', '100', ...adams);
    expect(await countAll()).toEqual(kept);
  });

  test('takes its codes, letters, deadlines, opened links and tried messages along, and leaves those of others', async () => {
    const tied = {
      ballot_codes: 'ballot_id) select account_id, ballot_id from ballots',
      letter_codes: `voter_id, election_id, code_hash, created_at, expires_at)
        select b.account_id, voter_id, election_id, sha256(voter_id::text::bytea), now(), now() from ballots b
        join elections e using (election_id) join voters v using (voter_id)
        where e.number = case v.registration_id when '1' then '200' else '100' end`,
      office_deadlines: `election_id, defect, ends_on, ends_at, reason, set_by)
        select account_id, election_id, 'other', election_date, '17:00', 'Court order', 'x' from elections`,
      fix_letters: `ballot_id, problem_id, printed_at, printed_by)
        select account_id, ballot_id, 1, now(), 'x' from ballots`,
      fix_link_opens: `message_id, ballot_id, event_id, opened_at)
        select account_id, message_id, ballot_id, 1, now() from messages`,
      local_deliveries: `message_id, channel, sender, recipient, body)
        select account_id, message_id, 'email', 'x', 'x', 'x' from messages`,
    };
    for (const [table, columns] of Object.entries(tied))
      await query(`insert into ${table} (account_id, ${columns} on conflict do nothing`);
    await beacon.do('election', 'discard', '100', ...adams);
    expect(await countAll()).toEqual(kept);
    const left: Record<string, number> = {};
    for (const table of Object.keys(tied))
      left[table] = (await query(`select from ${table}`)).length;
    expect(left).toEqual({
      ...{ ballot_codes: 3, letter_codes: 1, office_deadlines: 1 },
      ...{ fix_letters: 3, fix_link_opens: 1, local_deliveries: 1 },
    });
  });

  test('gives its number to no other election, and takes no file for it', async () => {
    await beacon.do('election', 'discard', '100', ...adams);
    const details = ['--name', 'Again', '--date', '11/3/2026', '--active', 'true'];
    for (const parameters of [
      ['set', ...adams, '--number', '100', ...details],
      ['rename', '200', '100', ...adams],
    ])
      expect(await beacon.run('election', ...parameters)).toMatchObject({
        code: 1,
        stderr: 'Election 100 was discarded, so its number cannot be used again.\n',
      });
    const again = await county.importBallots([{ voter: '1', status: 'Accepted' }]);
    expect(again.state).toBe('refused');
    const file = beacon.write('old.csv', 'registration_id,status\n1,Accepted\n');
    for (const number of ['100', '100 '])
      expect(
        await beacon.run(
          ...['import', file, ...adams],
          ...['--format', 'beacon-ballots', '--election', number],
        ),
      ).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('does not exist. You have: 200'),
      });
    expect(await countAll()).toEqual(kept);
  });

  test('the page about retention, followed word for word, archives and then deletes it', async () => {
    await query(`update elections set number = '2024G' where number = '100'`);
    const folder = beacon.path('archive');
    const blocks = readCodeBlocks('operations/retention.md').filter(
      ({ heading }) => heading === 'Past elections',
    );
    const commands = blocks.flatMap(({ text }) => text.trim().split('\n'));
    expect(commands).toHaveLength(3);
    for (const command of commands) {
      const words = command.replace('/var/lib/ballot-beacon/adams-2024G', folder).split(' ');
      expect(words.shift()).toBe('beacon');
      await beacon.do(...words);
    }
    expect(existsSync(`${folder}/ballots.csv.gz`)).toBe(true);
    expect(await countAll()).toEqual(kept);
  });

  test('first writes an archive with every row, for its user alone, and never into a folder that is there', async () => {
    const folder = beacon.path('archive');
    await beacon.do('election', 'discard', '100', ...adams, '--archive', folder);
    const { election, files } = JSON.parse(readFileSync(`${folder}/archive.json`, 'utf8'));
    expect(election).toEqual({ number: '100', name: 'Election 100', date: '2026-11-03' });
    const lines: Record<string, number> = {};
    for (const { name } of files) {
      expect(statSync(`${folder}/${name}`).mode & 0o777).toBe(0o600);
      const text = gunzipSync(readFileSync(`${folder}/${name}`)).toString();
      lines[name] = text.trim().split('\n').length - 1;
    }
    expect(lines).toEqual({
      ...{ 'ballots.csv.gz': 3, 'events.csv.gz': 6, 'envelopes.csv.gz': 3, 'scans.csv.gz': 3 },
      ...{ 'messages.csv.gz': 3, 'receipts.csv.gz': 3 },
      ...{ 'letters.csv.gz': 0, 'opened-links.csv.gz': 0, 'deadlines.csv.gz': 0 },
    });
    expect(await query(`select from audit_log where action = 'election.archive'`)).toHaveLength(1);
    await addElection('200', '2026-11-03', false);
    expect(
      await beacon.run('election', 'discard', '200', ...adams, '--archive', folder),
    ).toMatchObject({
      code: 1,
      stderr: `${folder} is there already. Name a folder that is not.\n`,
    });
    expect(await countAll()).toEqual(kept);
    expect(existsSync(`${folder}/archive.json`)).toBe(true);
  });

  test('waits for no voter, and no voter for it', async () => {
    const reader = new pg.Client({ connectionString: county.url });
    await reader.connect();
    await reader.query('begin');
    await reader.query('select * from ballots, ballot_events, messages, mail_scans');
    await beacon.do('election', 'discard', '100', ...adams);
    expect(await countAll()).toEqual(kept);
    await reader.query('commit');
    await reader.end();
  });
});

test('a discard that is interrupted says who does the rest', async () => {
  // A process of its own has the machine's clock.
  await query(`update elections set election_date = current_date - 800 where number = '100'`);
  const holder = new pg.Client({ connectionString: county.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from ballots for update');
  const { child, result } = beacon.start('election', 'discard', '100', ...adams);
  child.stdout?.once('data', () => child.kill('SIGINT'));
  try {
    const { stdout, stderr } = await result;
    expect(stdout, stderr).toContain('Stopped. A worker deletes the rest.');
  } finally {
    await holder.query('rollback');
    await holder.end();
  }
});

test('no archive, discard, new number or removal begins while a file of the office is being imported', async () => {
  const folder = beacon.path('archive');
  const commands = [
    ['discard', '100'],
    ['archive', '100', '--out', folder],
    ['rename', '100', '101'],
    ['remove', '100'],
  ];
  await county.database.transaction(async (tx) => {
    expect(await tryBeginImport(tx, county.account.accountId)).toBe(true);
    for (const command of commands)
      expect(await beacon.run('election', ...command, ...adams)).toMatchObject({
        code: 1,
        stderr: 'A file of account adams is being imported. Try again when it is done.\n',
      });
  });
  expect(await countAll()).toEqual(full);
  await beacon.do('election', 'discard', '100', ...adams);
});

describe('the first step', () => {
  test('takes the election from voters at once, before any of its rows is deleted', async () => {
    const [{ election_id: id }] = await query(
      `select election_id from elections where number = '100'`,
    );
    const shown = () => beacon.do('ballot', 'show', '1', ...adams);
    expect(await shown()).toContain('Election 100');
    await query(`select discard_election(${id}, '${afterwards}', 'operator:tester', '{}')`);
    expect(await shown()).not.toContain('Election 100');
    expect(await countAll()).toEqual(full);
  });
});

describe('by the account’s own rule the worker', () => {
  const log = (lines: string[]) =>
    createLog('info', { write: (line) => lines.push(JSON.parse(line).event) });
  /** @param times how many workers do it at once */
  const work = async (times = 1) => {
    const database = await openWorkerDatabase(county.database);
    const lines: string[] = [];
    await discardDue(database, await listAccounts(database.system), clock, log(lines));
    await Promise.all(
      Array.from({ length: times }, () =>
        deleteAllDiscarded(database, clock, log(lines), () => false),
      ),
    ).finally(() => database.close());
    return lines;
  };

  test('deletes an election whose time is over, by its own login, whatever waits about another', async () => {
    // Its turn comes after that of an office without a rule.
    await addOffice(county, { subdomain: 'aaa' });
    await query(`update messages set state = 'held' where ballot_id in (
      select ballot_id from ballots join elections using (election_id) where number = '200')`);
    expect(await work()).toEqual(['election.discarded', 'election.deleted']);
    expect(await countAll()).toEqual(kept);
    expect(await query(`select actor from audit_log where action = 'election.discard'`)).toEqual([
      { actor: 'system' },
    ]);
    expect(await work()).toEqual([]);
  });

  test('keeps one whose time is not over, that is active, or of an account without a rule', async () => {
    // The last minute of the day before, by the office's clock.
    clock.set('2028-09-03T03:59:00Z');
    expect(await work()).toEqual([]);
    clock.set(afterwards);
    await query(`update accounts set settings = settings || '{"election_retention_days": 700}'`);
    expect(await work()).toEqual([]);
    await query(`update accounts set settings = settings - 'election_retention_days'`);
    expect(await work()).toEqual([]);
    expect(await countAll()).toEqual(full);
  });

  test('goes on with what a killed command left, and two at once delete each row once', async () => {
    const [{ election_id: id }] = await query(
      `select election_id from elections where number = '100'`,
    );
    await query(`select discard_election(${id}, '${afterwards}', 'operator:tester', '{}')`);
    await query(`select discard_ballots(${id}, 0, 1, '${afterwards}')`);
    await work(2);
    expect(await countAll()).toEqual(kept);
    const [{ deleted }] = await query('select deleted from discarded_elections');
    expect(deleted).toMatchObject({ ballots: 3, messages: 3, mail_scans: 2 });
  });

  test('leaves one of which messages wait, and says so', async () => {
    await query(`update messages set state = 'held'`);
    expect(await work()).toEqual(['election.kept']);
    expect(await countAll()).toEqual(full);
  });
});

describe('what happened stays on record', () => {
  test.each([
    'delete from ballot_events',
    `delete from ballot_events where kind = 'print'`,
    'update ballot_events set occurred_on = now()',
    'truncate ballot_events',
  ])('also from the owner of the tables: %s', async (statement) => {
    const [{ election_id: id }] = await query(
      `select election_id from elections where number = '100'`,
    );
    await query(`select discard_election(${id}, '${afterwards}', 'operator:tester', '{}')`);
    await expect(query(statement)).rejects.toThrow('ballot_events is append-only');
    expect(await countAll()).toEqual(full);
  });

  test('from every login, which can neither name an election discarded nor delete rows of an election that is not', async () => {
    const worker = await openWorkerDatabase(county.database);
    const [{ election_id: id }] = await query(
      `select election_id from elections where number = '200'`,
    );
    for (const statement of [
      'delete from ballot_events',
      'delete from ballots',
      'delete from elections',
      `insert into discarded_elections select account_id, election_id, number, name, election_date, now() from elections`,
      'update discarded_elections set finished_at = null',
    ])
      await expect(worker.systemPool.query(statement)).rejects.toThrow('permission denied');
    const { rows } = await worker.systemPool.query(
      `select * from discard_ballots(${id}, 0, 100, now())`,
    );
    expect(rows).toEqual([{ last_voter: null, is_busy: false }]);
    expect(await countAll()).toEqual(full);
    await worker.close();
  });
});
