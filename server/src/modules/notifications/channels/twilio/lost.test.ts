import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../../testing/messages.ts';
import { sql } from '../../../../../../testing/sql.ts';
import { readTwilioSettings } from '../../../../../../testing/twilio.ts';
import { createDelivery, deliverAll } from '../../delivery/local-delivery.ts';
import type { DeliveryParts } from '../../delivery/parts.ts';
import { receiveReceipts } from '../../inbound/receipts.ts';
import { createTwilioProviders } from './index.ts';

/** What Twilio took, the newest first. Its clock is later than any message. */
interface Taken {
  readonly sid: string;
  readonly message: number;
  readonly body: string;
  readonly date_created: string;
}

let county: MessageCounty;
let taken: Taken[];
/** What becomes of each request in its order: `lost` is taken and not answered, `dropped` not even taken. */
let fates: ('lost' | 'dropped')[];

const server = createServer((request, response) => {
  let form = '';
  request.on('data', (part: Buffer) => {
    form += part.toString();
  });
  request.on('end', () => {
    const say = (json: object) => response.end(JSON.stringify(json));
    if (request.method === 'GET') return say({ messages: taken, calls: taken });
    const fields = new URLSearchParams(form);
    const message = Number(fields.get('StatusCallback')?.split('=')[1]);
    const fate = fates.shift();
    if (fate === 'dropped') return response.destroy();
    const sid = `S${taken.length + 1}`;
    const body = fields.get('Body') ?? '';
    taken.unshift({ sid, message, body, date_created: 'Thu, 01 Jan 2099 00:00:00 +0000' });
    return fate === 'lost' ? response.destroy() : say({ sid });
  });
});

beforeEach(async () => {
  taken = [];
  county = await createMessageCounty(['V001', 'V002']);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
  await county.drop();
});

async function openDelivery(): Promise<DeliveryParts> {
  const twilio = createTwilioProviders(
    readTwilioSettings(server),
    'https://beacon.example/api/provider',
  );
  if (!twilio) throw new Error('Twilio is not set up.');
  return createDelivery(county, { sms: [twilio.sms], voice: [twilio.voice] });
}

/** Which of our messages has which of Twilio's. */
async function read(): Promise<[number, string | null][]> {
  const { rows } = await sql<{ id: number; sid: string | null }>`
    select message_id as id, provider_message_id as sid from messages order by 1`.execute(
    county.database.system,
  );
  return rows.map(({ id, sid }) => [id, sid]);
}

test('a text that Twilio took is not sent again when its voter’s name was corrected before Twilio could be asked', async () => {
  fates = ['lost'];
  await county.optIn('V001', { sms: '+13525550001' });
  await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
  const parts = await openDelivery();
  await deliverAll(parts);
  await sql`update voters set firstname = 'Valerie'`.execute(county.database.system);
  county.clock.advance(11_000);
  await deliverAll(parts);
  expect(taken).toHaveLength(1);
  expect(await read()).toEqual([[1, 'S1']]);
});

test.each([
  ['was not', ['dropped']],
  ['was, and so was the other’s,', ['lost', 'lost']],
] as const)(
  'of two voters with one phone each is called once, where a call of which the outcome is lost %s placed',
  async (_what, ends) => {
    fates = [...ends];
    for (const voter of ['V001', 'V002']) await county.optIn(voter, { voice: '+13525550001' });
    await county.importBallots(
      ['V001', 'V002'].map((voter) => ({ voter, status: 'Outbound', mailed: '2026-10-03' })),
    );
    const parts = await openDelivery();
    await deliverAll(parts);
    county.clock.advance(11_000);
    await deliverAll(parts);
    expect(taken.map(({ message }) => message).sort()).toEqual([1, 2]);
    expect((await read()).map(([, sid]) => sid).sort()).toEqual(['S1', 'S2']);
  },
);

test('nor is a voter left out whose call was not placed, when the other’s was, and is known by its report alone', async () => {
  fates = ['lost', 'dropped'];
  for (const voter of ['V001', 'V002']) await county.optIn(voter, { voice: '+13525550001' });
  await county.importBallots(
    ['V001', 'V002'].map((voter) => ({ voter, status: 'Outbound', mailed: '2026-10-03' })),
  );
  const parts = await openDelivery();
  await deliverAll(parts);
  const [placed] = taken as [Taken];
  await receiveReceipts(
    county.database.system,
    [
      {
        ...{ messageId: placed.message, provider: 'twilio', providerMessageId: placed.sid },
        ...{ outcome: 'delivered', address: null, code: null },
      },
    ],
    county.clock.now(),
  );
  county.clock.advance(11_000);
  await deliverAll(parts);
  expect(taken.map(({ message }) => message).sort()).toEqual([1, 2]);
});
