import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice } from '../../../../../testing/api.ts';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { ImportId } from '../../../platform/ids.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { claimDue, claimLost, leaseMs } from '../delivery/store.ts';
import { finishRestore, releaseImport, setUnsureAside, takeOverSending } from '../index.ts';
import { listOutbox } from '../outbox/store.ts';
import { readOpenRestores } from './store.ts';

let county: MessageCounty;
beforeEach(async () => {
  county = await createMessageCounty(['V001', 'V002', 'V003']);
  for (const voter of ['V001', 'V002', 'V003'])
    await county.optIn(voter, { email: `${voter.toLowerCase()}@mail.example` });
});
afterEach(() => county.drop());

const system = () => county.database.system;
const news = (voter: string) =>
  county.importBallots([{ voter, status: 'Outbound', mailed: '2026-10-03' }]);
const states = async () => {
  const outbox = await listOutbox(system(), county.account.accountId, null);
  return Object.fromEntries(outbox.map((one) => [one.registration_id, one.state]));
};
const deliver = async () => deliverAll(await createDelivery(county));
const finish = (isSent: boolean) =>
  county.database.transaction((tx) =>
    finishRestore(tx, county.account.accountId, isSent, county.clock.now()),
  );

test.each([
  ['sends what waited', true, 'sent'],
  ['sends nothing of it again', false, 'outcome-unknown'],
] as const)(
  'after a restore news waits until the office finishes it, which %s; then news leaves as ever',
  async (_, isSent, state) => {
    await sql`insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
      select account_id, voter_id, 'sms', '+13525550002', 'proven', true
      from voters where registration_id = 'V002'`.execute(system());
    await news('V001');
    // Another office decides for itself, and later.
    const lake = await addOffice(county, { subdomain: 'lake' });
    await sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after)
      select ${lake}::integer, 'change', 'email', 'v001@mail.example', 'english', 'test', deliver_after from messages`.execute(
      system(),
    );
    await setUnsureAside(system(), county.clock.now(), county.clock.now());
    county.clock.advance(1_000);
    await news('V002');
    await deliver();
    expect(await states()).toEqual({ V001: 'held', V002: 'held' });
    const open = await readOpenRestores(system());
    expect(open.map(({ subdomain, waiting }) => `${subdomain} ${waiting}`)).toEqual([
      ...['adams 3', 'lake 1'],
    ]);
    expect(await finish(isSent)).toBe(3);
    // What is sent now is not late: it became due by the decision.
    const { rows: late } = await sql`select from messages
      where state = 'created' and deliver_after < ${county.clock.now()}`.execute(system());
    expect(late).toEqual([]);
    expect(await finish(isSent)).toBeUndefined();
    await deliver();
    expect(await states()).toEqual({ V001: state, V002: state });
    county.clock.advance(1_000);
    await news('V003');
    await deliver();
    expect(await states()).toEqual({ V001: state, V002: state, V003: 'sent' });
    expect(await readOpenRestores(system())).toMatchObject([{ accountId: lake, waiting: 1 }]);
  },
);

test('of what was made before a loss, nobody knows whether it left that was being sent, or waited for the office', async () => {
  for (const [voter, state, later] of [
    ['V001', 'held', 0],
    ['V002', 'sending', 0],
    ['V003', 'created', 1],
  ] as const) {
    await news(voter);
    await sql`update messages set state = ${state}, error_code = null,
      deliver_after = deliver_after + ${later}::integer * interval '1 hour'
      where voter_id = (select voter_id from voters where registration_id = ${voter})`.execute(
      system(),
    );
  }
  const now = county.clock.now();
  expect(await setUnsureAside(system(), now, now)).toEqual({ unknown: 1, waiting: 1 });
  expect(await states()).toEqual({ V001: 'held', V002: 'outcome-unknown', V003: 'created' });
  const { rows } = await sql<{ code: string | null }>`
    select error_code as code from messages order by message_id`.execute(system());
  expect(rows).toEqual([{ code: 'restored' }, { code: 'restored' }, { code: null }]);
  // What was not due yet at the loss cannot have left, and needs no decision.
  county.clock.advance(60 * 60_000);
  await deliver();
  expect(await states()).toEqual({ V001: 'held', V002: 'outcome-unknown', V003: 'sent' });
  expect(await finish(true)).toBe(1);
  await deliver();
  expect(await states()).toEqual({ V001: 'sent', V002: 'outcome-unknown', V003: 'sent' });
});

test('a copy of the database claims nothing that is due or lost until it sends in the other’s place', async () => {
  await news('V001');
  await news('V002');
  const { clock } = county;
  await sql`update messages set state = 'sending', claimed_at = ${clock.now()} where address = 'v002@mail.example'`.execute(
    system(),
  );
  await sql`insert into sending_database (identity) values ('the other')`.execute(system());
  clock.advance(leaseMs + 60_000);
  const { accountId } = county.account;
  const bounds = { provider: 'one', accounts: [accountId], most: 9, mostNews: 9 };
  const claim = async () => [
    ...(await claimDue(system(), { channel: 'email', ...bounds }, clock.now())),
    ...(await claimLost(system(), 'email', 9, clock.now())),
  ];
  expect(await claim()).toEqual([]);
  await takeOverSending(system());
  const claimed = await claim();
  expect(claimed.map(({ address }) => address)).toEqual(['v001@mail.example', 'v002@mail.example']);
});

test('what waits for a second person’s approval is none of what a restore decides', async () => {
  await news('V001');
  const now = county.clock.now();
  await setUnsureAside(system(), now, now);
  const rename = (name: string) => sql`update voters set firstname = ${name}, lastname = ''`;
  await rename('').execute(system());
  expect((await news('V002')).state).toBe('messages-held');
  await rename('Voter').execute(system());
  expect(await readOpenRestores(system())).toMatchObject([{ waiting: 1 }]);
  expect(await finish(true)).toBe(1);
  await deliver();
  expect(await states()).toEqual({ V001: 'sent', V002: 'held' });
});

test('a second person’s approval sends nothing that may have left before the loss', async () => {
  const rename = (name: string) => sql`update voters set firstname = ${name}, lastname = ''`;
  await rename('').execute(system());
  const { importId, state } = await news('V001');
  expect(state).toBe('messages-held');
  await rename('Voter').execute(system());
  const now = county.clock.now();
  await setUnsureAside(system(), now, now);
  const released = await county.database.transaction((tx) =>
    releaseImport(tx, importId as ImportId, 'Bea Deputy', now),
  );
  expect(released).toMatchObject({ ok: true, messages: 0 });
  await finish(false);
  await deliver();
  expect(await states()).toEqual({ V001: 'outcome-unknown' });
});
