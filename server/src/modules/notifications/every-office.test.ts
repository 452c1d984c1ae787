import { afterEach, expect, test } from 'vitest';
import { addOffice } from '../../../../testing/api.ts';
import { copyOffice } from '../../../../testing/copy-rows.ts';
import { createMessageCounty, type MessageCounty } from '../../../../testing/messages.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { openSilentDelivery } from './delivery/local-delivery.ts';
import { remindVoters } from './reminders/remind.ts';
import { watchMail } from './stopped-mail/watch.ts';

/** Two offices with the same voters, files and scans. */
let county: MessageCounty;
afterEach(() => county.drop());

const settings = { stopped_mail: { messages: true } };
const imb = (voter: string) => `00716123456000000${voter.slice(1)}`;
const toFix = {
  status: 'RejectedCurable',
  returned: '2026-10-20',
  reason: 'No signature',
} as const;
const voters = ['V001', 'V002', 'V003', 'V022', 'V030'];

/** V001's envelope stops on Oct 7, V002's waits for its voter, and V003's shows that the scans still come. */
async function loadFiles(): Promise<void> {
  county = await createMessageCounty(voters, { now: '2026-10-05T15:00:00Z', settings });
  await county.optIn('V001', { email: 'one@mail.example' });
  await county.optIn('V002', { email: 'two@mail.example' });
  const mailed = voters.map((voter) => ({
    voter,
    status: 'Outbound' as const,
    mailed: '2026-10-05',
  }));
  await county.importBallots(mailed);
  await county.importLines('beacon-mailpieces', [
    'registration_id,election,outbound_imb',
    ...voters.map((voter) => `${voter},100,${imb(voter)}`),
  ]);
  await scan('V001', '2026-10-07');
  for (const [day, returned] of [
    ['22', '2026-10-21'],
    ['30', '2026-10-28'],
  ] as const) {
    county.clock.set(`2026-10-${day}T15:00:00Z`);
    // The file is a new one, because another ballot came back.
    const { state } = await county.importBallots([
      ...mailed.filter(({ voter }) => voter !== 'V002'),
      { voter: 'V002', mailed: '2026-10-05', ...toFix },
      { voter: `V0${day}`, mailed: '2026-10-05', status: 'Outbound', returned },
    ]);
    expect(state).toBe('done');
    await (await openSilentDelivery(county))();
  }
  await scan('V003', '2026-10-29');
}

function scan(voter: string, day: string) {
  return county.importLines('usps-iv-mtr', [
    JSON.stringify({
      msgGrpId: voter,
      events: [
        {
          ...{ imb: `${imb(voter)}326011234`, scanDatetime: `${day}T09:15:00`, mailPhase: '1a' },
          ...{ handlingEventType: 'A', scanEventCode: '517', scanFacilityCity: 'PORT ALDEN' },
          ...{ scanFacilityState: 'FL', scanFacilityZip: '34811' },
        },
      ],
    }),
  ]);
}

async function messagesOf(accountId: AccountId): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select distinct kind from messages where account_id = ${accountId} and kind in ('fix-reminder', 'stopped-mail')
    order by kind`.execute(county.database.system);
  return rows.map(({ kind }) => kind);
}

test('voters of each office are reminded, and written to about an envelope that stopped', async () => {
  await loadFiles();
  const { database, clock, account } = county;
  const lake = await addOffice(county, { subdomain: 'lake', ...settings });
  await copyOffice(county, account.accountId, lake);
  await watchMail(database, clock, createLog('silent'));
  await remindVoters(database, clock, createLog('silent'));
  for (const office of [account.accountId, lake])
    expect(await messagesOf(office)).toEqual(['fix-reminder', 'stopped-mail']);
});
