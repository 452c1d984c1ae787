import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { openSilentDelivery } from '../delivery/local-delivery.ts';
import { type FixLetter, printFixLetters } from './letters.ts';

/** A county whose roll has a name that looks like one of our placeholders. */
const name = 'Ann {{url}}';
let county: MessageCounty;
beforeEach(async () => {
  county = await createMessageCounty(['V001']);
  await sql`update voters set firstname = ${name}`.execute(county.database.system);
});
afterEach(() => county.drop());

test('a voter whose name on the roll has braces gets the news, with the name as it stands there', async () => {
  await county.optIn('V001', { email: 'one@mail.example', sms: '+13525550001' });
  await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
  await (await openSilentDelivery(county))();
  const { rows } = await sql<{ state: string; body: string }>`
    select m.state, d.body from messages m left join local_deliveries d using (message_id) order by m.channel`.execute(
    county.database.system,
  );
  expect(rows).toEqual([
    { state: 'sent', body: expect.stringContaining(`Hello ${name},`) },
    { state: 'sent', body: expect.stringContaining(`${name}, your ballot is in the mail`) },
  ]);
});

test('nor does it keep the letters of all others from the printer', async () => {
  const { database, config, account } = county;
  const letter: FixLetter = {
    ...{ name, address: ['1 Main St'], language: 'english', election: '2026 General Election' },
    ...{ defect: 'signature-missing' as const, deadline: null, timeZone: account.timeZone },
  };
  const file = await printFixLetters(
    database.system,
    config,
    account.accountId,
    [letter],
    '2026-10-05',
  );
  expect(file).toContain(`Hello ${name},`);
});
