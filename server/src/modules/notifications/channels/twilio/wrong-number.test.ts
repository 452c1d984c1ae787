import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../../testing/messages.ts';
import { sql } from '../../../../../../testing/sql.ts';
import { readTwilioSettings } from '../../../../../../testing/twilio.ts';
import { createDelivery, deliverAll } from '../../delivery/local-delivery.ts';
import { readHealth } from '../../failover/store.ts';
import type { Provider } from '../provider.ts';
import { createTwilioProviders } from './index.ts';

let county: MessageCounty;
/** What Twilio says of the office's number; null once it is right. */
let refusal: number | null;

const server = createServer((_request, response) => {
  response.statusCode = refusal === null ? 201 : 400;
  response.end(JSON.stringify(refusal === null ? { sid: 'S1' } : { code: refusal }));
});

beforeEach(async () => {
  county = await createMessageCounty(['V001']);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
  await county.drop();
});

/** Never used: all traffic stays with the first as long as it is well. */
const second: Provider = {
  ...{ name: 'second', channel: 'sms', batchSize: 20, reportsReceipts: true },
  ...{ afterLoss: 'idempotent', send: async () => [{ kind: 'unknown', code: 'NOT-USED' }] },
};

test.each([
  ['sms', 21606],
  ['sms', 21611],
  ['sms', 21401],
  ['sms', 21704],
  ['sms', 21608],
  ['voice', 21210],
  ['voice', 21219],
] as const)(
  'news by %s waits while Twilio refuses the number of its office (%i), at no cost to its voter and other offices',
  async (channel, code) => {
    refusal = code;
    const twilio = createTwilioProviders(
      readTwilioSettings(server),
      'https://beacon.example/api/provider',
    );
    if (!twilio) throw new Error('Twilio is not set up.');
    await county.optIn('V001', { [channel]: '+13525550001' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    const parts = await createDelivery(county, {
      sms: [twilio.sms, second],
      voice: [twilio.voice],
    });
    const read = async () => {
      const { rows } = await sql`select state, error_code,
        (select count(*) from suppressions) as suppressions from messages`.execute(parts.db);
      return rows;
    };
    await deliverAll(parts);
    expect(await read()).toEqual([{ state: 'created', error_code: String(code), suppressions: 0 }]);
    expect(await readHealth(parts.db, channel, ['twilio'])).toMatchObject([{ weight: 100 }]);
    refusal = null;
    county.clock.advance(60_000);
    await deliverAll(parts);
    expect(await read()).toEqual([{ state: 'sent', error_code: null, suppressions: 0 }]);
  },
);

test('a phone that texts from the number of its office cannot reach (21612) gets no text, and goes on getting those of another number', async () => {
  refusal = 21612;
  const twilio = createTwilioProviders(
    readTwilioSettings(server),
    'https://beacon.example/api/provider',
  );
  if (!twilio) throw new Error('Twilio is not set up.');
  await county.optIn('V001', { sms: '+13525550001' });
  const parts = await createDelivery(county, { sms: [twilio.sms] });
  const statesOf = async () => {
    await deliverAll(parts);
    const { rows } = await sql<{
      state: string;
    }>`select state from messages order by message_id`.execute(parts.db);
    return rows.map(({ state }) => state);
  };
  await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
  expect(await statesOf()).toEqual(['failed-permanent']);
  refusal = null;
  await county.importBallots([
    { voter: 'V001', status: 'Accepted', mailed: '2026-10-03', returned: '2026-10-04' },
  ]);
  expect(await statesOf()).toEqual(['failed-permanent', 'sent']);
});
