import { afterEach, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { createDelivery, deliverAll } from './local-delivery.ts';
import { claimDue } from './store.ts';

let county: MessageCounty;
afterEach(() => county.drop());

const row = { voter: 'V001', mailed: '2026-10-05', returned: '2026-10-20' } as const;

test('what must be fixed soon is claimed before what is many and older, and then the rest', async () => {
  county = await createMessageCounty(['V001'], { now: '2026-10-21T15:00:00Z' });
  await county.optIn('V001', { email: 'one@mail.example' });
  await county.importBallots([{ ...row, status: 'Outbound' }]);
  const delivery = await createDelivery(county);
  await deliverAll(delivery);
  await sql`
    insert into messages (account_id, kind, voter_id, channel, address, language, cause, deliver_after)
    select account_id, 'change', voter_id, 'email', 'bulk' || n || '@mail.example', 'english', 'bulk:' || n, ${new Date('2026-10-20T00:00:00Z')}
    from voters, generate_series(1, 50) n`.execute(county.database.system);
  county.clock.set('2026-10-23T15:00:00Z');
  await county.importBallots([{ ...row, status: 'RejectedCurable', reason: 'No signature' }]);
  await sql`
    insert into messages (account_id, kind, status, voter_id, channel, address, language, cause, deliver_after)
    select account_id, kind, status, voter_id, 'email', 'one@mail.example', 'english', kind, ${county.clock.now()}
    from voters, (values ('correction', null), ('status', 'undeliverable')) as urgent (kind, status)`.execute(
    county.database.system,
  );
  const bounds = { channel: 'email', provider: 'local', most: 10, mostNews: 10 } as const;
  const accounts = [county.account.accountId];
  const claim = () => claimDue(delivery.db, { ...bounds, accounts }, county.clock.now());
  const first = await claim();
  expect(first).toHaveLength(10);
  const urgent = first.filter(({ address }) => !address.startsWith('bulk'));
  expect(urgent.map(({ kind, status }) => status ?? kind).sort()).toEqual([
    ...['correction', 'rejected-curable', 'undeliverable'],
  ]);
  const rest = [await claim(), await claim(), await claim(), await claim(), await claim()].flat();
  expect(rest).toHaveLength(43);
  expect(new Set([...first, ...rest].map(({ message_id: id }) => id)).size).toBe(53);
});
