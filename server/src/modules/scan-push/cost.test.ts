import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createMessageCounty } from '../../../../testing/messages.ts';
import { sql } from '../../../../testing/sql.ts';
import { openDatabase } from '../../platform/postgres.ts';
import { findFormat, importFile } from '../imports/index.ts';
import { enqueueMessages } from '../notifications/index.ts';

const code = (voter: number): string => `00716123456${String(voter).padStart(9, '0')}`;
/** So many that PostgreSQL chooses an index for a few of them. */
const size = 20_000;
const mostRead = 100;

test('a push reads what it is about, however many voters the county has', async () => {
  const voters = Array.from({ length: size }, (_, index) => index + 1);
  const settings = { notifying_statuses: ['sent', 'in-transit', 'delivered'] };
  const county = await createMessageCounty(voters.map(String), { settings });
  const { database, account, clock, config } = county;
  const { accountId } = account;
  // Of its own: the figures of a connection are of all that it did lately.
  const fresh = openDatabase(county.url, { connections: 1 });
  try {
    await county.importBallots(
      voters.map((voter) => ({ voter: String(voter), status: 'Outbound', mailed: '2026-10-01' })),
    );
    await county.importLines('beacon-mailpieces', [
      'registration_id,election,outbound_imb',
      ...voters.map((voter) => `${voter},100,${code(voter)}`),
    ]);
    await sql`insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
      select account_id, voter_id, 'email', 'v' || registration_id || '@mail.example', 'proven', true from voters`.execute(
      database.system,
    );
    await sql`insert into mail_scans (account_id, tracking_code, scanned_at, op_code, event_type, mail_phase)
      select account_id, tracking_code, '2026-10-03T06:00', '517', 'A', '1' from mail_pieces`.execute(
      database.system,
    );
    await sql`insert into ballot_events (account_id, ballot_id, kind, status, raw_status, occurred_on)
      select account_id, ballot_id, 'estimate', 'delivered', 'arriving', '2026-10-04' from ballots offset 10`.execute(
      database.system,
    );
    await sql`analyze`.execute(database.system);

    const found = await findFormat('usps-iv-mtr');
    if (!found.ok) throw new Error(found.message);
    const scans = [
      'imb,scanDatetime,mailPhase,handlingEventType,scanEventCode,scanFacilityState',
      // As many as the gate looks at.
      ...[5, 6, 7, 8, 9, 10].map((voter) => `${code(voter)},2026-10-05T06:00:00,2a,A,517,FL`),
    ].join('\n');
    let read: { table: string; rows: number }[] = [];
    let messages = 0;
    await importFile(fresh, clock, {
      account,
      format: found.format,
      file: { name: 'push', open: () => Readable.from([Buffer.from(scans)]) },
      operator: 'system',
      rejectsDirectory: '',
      keepsRejects: false,
      afterEvents: async (tx, importId, rowsRead, isJudged) => {
        const verdict = await enqueueMessages(
          tx,
          config,
          { accountId, importId, rowsRead, isJudged },
          clock.now(),
        );
        messages = verdict.messages;
        ({ rows: read } = await sql<{ table: string; rows: number }>`
          select relname as table, seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_user_tables
          where schemaname = 'public'`.execute(tx));
        return verdict;
      },
    });
    expect(messages).toBe(6);
    expect(read.map(({ table }) => table)).toContain('ballots');
    expect(read.filter(({ rows }) => rows > mostRead)).toEqual([]);
  } finally {
    await fresh.close();
    await county.drop();
  }
});
