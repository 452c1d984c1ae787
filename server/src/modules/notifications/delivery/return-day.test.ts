import { afterEach, expect, test } from 'vitest';
import {
  createMessageCounty,
  electionDay,
  type MessageCounty,
} from '../../../../../testing/messages.ts';
import type { ImportId } from '../../../platform/ids.ts';
import { saveElection } from '../../accounts/index.ts';
import { emailConfirmed, previewImport } from '../index.ts';
import { listOutbox } from '../outbox/store.ts';
import { createDelivery, deliverAll } from './local-delivery.ts';

let county: MessageCounty;
afterEach(() => county.drop());

test.each([
  ['the office’s last day for ballots where that is before the election', '2026-11-02', '11/2/26'],
  ['Election Day where ballots still count after it', '2026-11-10', '11/3/26'],
])('a message that asks to send a ballot back names %s', async (_, date, shown) => {
  county = await createMessageCounty(['V001', 'V002']);
  const { accountId } = county.account;
  await county.database.transaction((tx) =>
    saveElection(tx, accountId, {
      ...{ number: '100', name: '2026 General Election', electionDate: electionDay },
      ...{ isActive: true, returnDeadline: { rule: 'received', date, time: null, place: '' } },
    }),
  );
  await county.optIn('V001', { email: 'one@mail.example', voice: '+13525550001' });
  await county.optIn('V002', { email: 'two@mail.example' });
  const { importId } = await county.importBallots([
    { voter: 'V001', status: 'Outbound', mailed: '2026-10-03' },
    { voter: 'V002', status: 'Undeliverable', mailed: '2026-10-01' },
  ]);
  await deliverAll(await createDelivery(county));
  const outbox = await listOutbox(county.database.system, accountId, null);
  const preview = await county.database.transaction((tx) =>
    previewImport(tx, county.config, accountId, importId as ImportId, county.clock.now()),
  );
  const texts = [...outbox.map(({ body }) => body), ...preview.map(({ text }) => text)];
  const days = texts.map((text) => text?.match(/\d+\/\d+\/26/g));
  expect(days).toEqual(Array.from({ length: 6 }, () => [shown]));
});

test.each(['2026-11-03', '2026-11-06'])(
  'no email of %s asks its reader to do something before Election Day',
  async (today) => {
    county = await createMessageCounty(['V001', 'V002'], { now: `${today}T15:00:00Z` });
    await county.optIn('V001', { email: 'one@mail.example' });
    await county.optIn('V002', { email: 'two@mail.example' });
    const { importId } = await county.importBallots([
      { voter: 'V001', status: 'Rejected', mailed: '2026-10-10', returned: '2026-11-02' },
      { voter: 'V002', status: 'Undeliverable', mailed: '2026-10-25' },
    ]);
    const preview = await county.database.transaction((tx) =>
      previewImport(
        tx,
        county.config,
        county.account.accountId,
        importId as ImportId,
        county.clock.now(),
      ),
    );
    await deliverAll(await createDelivery(county));
    const outbox = await listOutbox(county.database.system, county.account.accountId, null);
    const texts = [...outbox.map(({ body }) => body), ...preview.map(({ text }) => text)];
    expect(texts).toHaveLength(4);
    for (const text of texts) {
      expect(text).not.toContain('11/3/26');
      expect(text).toContain('Call us as soon as you can. We’ll tell you why');
    }
  },
);

const aWeekAfter = { rule: 'received', date: '2026-11-10', time: null, place: '' } as const;
const byFive = { rule: 'received', date: '2026-11-02', time: '17:00', place: '' } as const;

test.each([
  ['2026-11-03T23:00:00Z', null, 'sent'],
  ['2026-11-04T15:00:00Z', null, 'expired'],
  ['2026-11-03T23:00:00Z', aWeekAfter, 'sent'],
  ['2026-11-04T15:00:00Z', aWeekAfter, 'expired'],
  ['2026-11-02T21:59:00Z', byFive, 'sent'],
  ['2026-11-02T22:00:00Z', byFive, 'expired'],
] as const)(
  'a voter who proves an address at %s, where ballots are due by %j, is asked to send the ballot back as long as it counts: %s',
  async (now, returnDeadline, state) => {
    county = await createMessageCounty(['V001'], { now: '2026-10-05T15:00:00Z' });
    const { accountId } = county.account;
    await county.database.transaction((tx) =>
      saveElection(tx, accountId, {
        ...{ number: '100', name: '2026 General Election', electionDate: electionDay },
        ...{ isActive: true, returnDeadline },
      }),
    );
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    const email = 'one@mail.example';
    const voterId = await county.optIn('V001', { email });
    county.clock.set(now);
    await county.database.transaction((tx) =>
      emailConfirmed(tx, county.config, { accountId, voterId, email }, county.clock.now()),
    );
    await deliverAll(await createDelivery(county));
    const outbox = await listOutbox(county.database.system, accountId, null);
    expect(outbox.map((one) => `${one.status} ${one.state}`)).toEqual([`sent ${state}`]);
  },
);
