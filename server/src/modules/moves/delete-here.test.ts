import { afterEach, beforeEach, expect, test } from 'vitest';
import { addBallot, addOffice, addVoter, type TestApi, typed } from '../../../../testing/api.ts';
import type { Beacon } from '../../../../testing/beacon.ts';
import { readCodeBlocks } from '../../../../testing/pages.ts';
import { addPerson } from '../../../../testing/people.ts';
import { createTwoCells, type TwoCells } from '../../../../testing/two-cells.ts';
import type { AccountId, VoterId } from '../../platform/ids.ts';

let cells: TwoCells;
let east: TestApi;
let west: TestApi;
let adams: AccountId;
let inEast: Beacon;
let inWest: Beacon;

const offices = ['adams', 'brown'] as const;

/** East has adams and brown, with the same in each. */
beforeEach(async () => {
  cells = await createTwoCells();
  ({ east, west, inEast, inWest } = cells);
  for (const subdomain of offices) {
    const accountId = await addOffice(east.test, { subdomain });
    if (subdomain === 'adams') adams = accountId;
    const voterId = await addVoter(east.test, accountId, { lastname: 'Fox' });
    await addBallot(east.test, accountId, voterId, {
      events: [{ status: 'sent', on: '2026-11-02' }],
    });
    await addPerson(east, { accountId, host: `${subdomain}.localhost` }, 'Ada Park', ['admin']);
    await addRecords(accountId, voterId);
    expect(await statusOf(east, subdomain)).toBe(201);
  }
  await inWest.do('migrate', '--cell', '1');
});
afterEach(() => cells.close());

/** What is kept for ever elsewhere, and what refers to it. */
async function addRecords(accountId: AccountId, voterId: VoterId): Promise<void> {
  await east.query(
    `insert into consents (account_id, voter_id, channel, address, action, source, wording)
      values ($1, $2, 'email', 'v@mail.example', 'confirmed', 'page', 'Yes')`,
    [accountId, voterId],
  );
  await east.query(`insert into withdrawn_imports (import_id, account_id) values (1000 + $1, $1)`, [
    accountId,
  ]);
  await east.query(
    `insert into messages (account_id, kind, voter_id, channel, address, language, cause, deliver_after)
      select $1, 'change', $2, 'email', 'v' || n || '@mail.example', 'english', 'test:' || $1::integer || '-' || n, now() + interval '1 day'
      from generate_series(1, 20000) n`,
    [accountId, voterId],
  );
}

const statusOf = async (api: TestApi, office: string) =>
  (await api.browser(`${office}.localhost`).post('/api/voter/session', typed({ lastname: 'Fox' })))
    .statusCode;

/** How many rows each table has of each office; those without any are left out. */
async function countRows(): Promise<Record<string, Record<string, number>>> {
  const tables = await east.query<{ name: string }>(`select c.relname as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'moved_accounts'
      and exists (select from pg_attribute a where a.attrelid = c.oid and attname = 'account_id')`);
  const all: Record<string, Record<string, number>> = { adams: {}, others: {} };
  for (const { name } of tables)
    for (const { office, count } of await east.query<{ office: string; count: number }>(
      `select case account_id when ${adams} then 'adams' else 'others' end as office, count(*)::int
      from "${name}" where account_id is not null group by 1`,
    ))
      Object.assign(all[office] ?? {}, { [name]: count });
  return all;
}

const deleteHere = (office = 'adams') => inEast.run('account', 'move', office, '--delete-here');

test('what stays here of an office that moved is deleted, and nothing of another', async () => {
  const before = await countRows();
  for (const office of offices)
    expect(await deleteHere(office)).toMatchObject({
      code: 1,
      stderr: `Account ${office} has not moved to another cell.\n`,
    });
  expect(await countRows()).toEqual(before);

  await inEast.do('account', 'move', 'adams');
  const commands = readCodeBlocks('operations/cells.md')
    .filter(({ heading }) => heading === 'Delete what stays behind')
    .map(({ text }) => text);
  expect(commands).toEqual(['server/beacon account move adams --delete-here\n']);
  expect(before.adams).toMatchObject({ messages: 20_000, consents: 1, withdrawn_imports: 1 });
  const { audit_log: kept = 0, ...gone } = before.adams ?? {};
  const sum = Object.values(gone).reduce((one, other) => one + other, 0);
  expect(await deleteHere()).toMatchObject({
    code: 0,
    stdout: `Deleted ${sum.toLocaleString('en-US')} rows of account adams here. What was done here stays in the audit.\n`,
  });
  const { adams: left, others } = await countRows();
  expect(left).toEqual({ audit_log: kept });
  expect(others).toEqual(before.others);
  expect(await statusOf(west, 'adams')).toBe(201);
  expect(await statusOf(east, 'brown')).toBe(201);
  // The office is none of this cell's any more, and its host says so.
  expect((await east.browser('adams.localhost').get('/api/office')).statusCode).not.toBe(503);
  const policies = await east.query(
    `select tablename from pg_policies where policyname like 'moved_%'`,
  );
  expect(policies).toEqual([{ tablename: 'audit_log' }]);
  expect((await deleteHere()).stderr).toContain('Account adams does not exist.');
});

test('it goes on where it was interrupted, and needs the other cell to have the office', async () => {
  await inEast.do('account', 'move', 'adams');
  await east.query(`delete from messages where account_id = ${adams}`);
  await west.query(`update accounts set subdomain = 'elsewhere' where account_id = ${adams}`);
  expect(await deleteHere()).toMatchObject({
    code: 1,
    stderr: 'The other cell does not have account adams. Nothing was deleted.\n',
  });
  // An office that only has its name is not it.
  const namesake = await addOffice(west.test, { subdomain: 'adams' });
  expect((await deleteHere()).stderr).toContain('The other cell does not have account adams.');
  await west.query(`update accounts set subdomain = 'namesake' where account_id = ${namesake}`);
  await west.query(`update accounts set subdomain = 'adams' where account_id = ${adams}`);
  expect(await inEast.run('account', 'move', 'adams', '--delete-here', '--undo')).toMatchObject({
    code: 2,
    stderr: 'Use either --undo or --delete-here.\n',
  });
  expect(await deleteHere()).toMatchObject({ code: 0, stderr: '' });
  expect(Object.keys((await countRows()).adams ?? {})).toEqual(['audit_log']);
});

test('rows that are kept for ever stay those of an office that is here, also for the owner of the tables', async () => {
  // And those of one whose move is not finished.
  await east.query(
    `insert into moved_accounts (account_id, began_at)
      select account_id, now() from accounts where subdomain = 'brown'`,
  );
  await inEast.do('account', 'move', 'adams');
  for (const table of ['consents', 'withdrawn_imports', 'ballot_events', 'audit_log']) {
    await expect(
      east.query(`delete from ${table} where account_id <> ${adams}`),
      table,
    ).rejects.toThrow('append-only');
    await expect(east.query(`delete from ${table}`), table).rejects.toThrow('append-only');
    await expect(east.query(`update ${table} set account_id = ${adams}`)).rejects.toThrow(
      'append-only',
    );
  }
});
