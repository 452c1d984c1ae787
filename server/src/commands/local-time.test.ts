import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';

/** In Adams it is still the day before. */
const evening = '2026-11-03T06:30:00Z';
const inOffice = '11/02/2026 10:30 PM PST';

let office: TestOffice;
let beacon: Beacon;
const adams = ['--account', 'adams'];

beforeEach(async () => {
  office = await createTestOffice();
  office.clock.set(evening);
  beacon = createBeacon(office.db.url, { clock: office.clock });
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

test('the list of imports has the office’s own date and time, and JSON has the instant', async () => {
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  await office.import('beacon-voters', `${header}\n1,Ann,Lee,01/02/1950,99301`);
  const listed = await beacon.do('imports', ...adams);
  expect(lastLine(listed)).toBe(`1\t${inOffice}\tdone\tbeacon-voters\tfile.csv\t1 read\t0 refused`);
  expect(listed).toMatch(new RegExp(`^beacon-voters\tlast ${inOffice}, `));
  const [json] = JSON.parse(await beacon.do('imports', ...adams, '--json'));
  expect(json.finished_at).toBe('2026-11-03T06:30:00.000Z');
});

test('so has the list of messages', async () => {
  await sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after, state)
    values (${office.account.accountId}, 'opt-in', 'sms', '+13525550101', 'english', 'save:1', ${evening}, 'created')`.execute(
    office.db.database.system,
  );
  expect(lastLine(await beacon.do('outbox', ...adams))).toBe(
    `1\t${inOffice}\tsms\t+13525550101\tcreated`,
  );
  const [json] = JSON.parse(await beacon.do('outbox', ...adams, '--json'));
  expect(json.deliver_after).toBe('2026-11-03T06:30:00.000Z');
  await sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after, state)
    values (${office.account.accountId}, 'opt-in', 'sms', '+13525550102', 'english', 'save:2', ${evening}, 'created')`.execute(
    office.db.database.system,
  );
  expect(await beacon.do('outbox', ...adams, '--limit', '1')).toBe(
    `2\t${inOffice}\tsms\t+13525550102\tcreated\n`,
  );
  // Once it has left, when it left.
  await sql`update messages set state = 'sent', sent_at = '2026-11-03T17:00:00Z' where message_id = 2`.execute(
    office.db.database.system,
  );
  expect(await beacon.do('outbox', ...adams, '--limit', '1')).toBe(
    '2\t11/03/2026 9:00 AM PST\tsms\t+13525550102\tsent\n',
  );
});

test.each(['imports', 'outbox', 'audit'])(
  '%s lists no number of lines that is none',
  async (verb) => {
    for (const limit of ['ten', '', '0', '-1', '1.5', '1e3'])
      expect(await beacon.run(verb, ...adams, '--limit', limit), limit).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('Use a whole number, 1 or more.'),
      });
  },
);

test('so has the audit, and that of the whole site names its own zone', async () => {
  for (const accountId of [office.account.accountId, null])
    await sql`insert into audit_log (account_id, at, actor, action, target)
      values (${accountId}, ${evening}, 'system', 'security.test', 'x')`.execute(
      office.db.database.system,
    );
  const [newest] = (await beacon.do('audit', ...adams)).split('\n');
  expect(newest).toBe(`${inOffice}\tsystem\tsecurity.test\tx`);
  await sql`insert into audit_log (account_id, at, actor, action, target)
    values (${office.account.accountId}, ${evening}, 'system', 'security.test', 'y')`.execute(
    office.db.database.system,
  );
  expect(await beacon.do('audit', ...adams, '--limit', '1')).toBe(
    `${inOffice}\tsystem\tsecurity.test\ty\n`,
  );
  expect(await beacon.do('audit', '--site')).toBe(
    '11/03/2026 6:30 AM UTC\tsystem\tsecurity.test\tx\n',
  );
  const [json] = JSON.parse(await beacon.do('audit', ...adams, '--json'));
  expect(json.at).toBe('2026-11-03T06:30:00.000Z');
  for (const both of [[], [...adams, '--site']])
    expect(await beacon.run('audit', ...both)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Give either --account SUBDOMAIN or --site.\n',
    });
});
