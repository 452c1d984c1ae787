import { parseArgs } from 'node:util';
import type { ImportOutcome } from '../server/src/modules/imports/index.ts';
import setUp from '../testing/database-server.ts';
import { type BallotRow, createMessageCounty } from '../testing/messages.ts';
import { sql } from '../testing/sql.ts';

/**
 * How much disk an office takes after a season: `npm run bench -- capacity`. One office of `--voters N` (50,000), each with a ballot, two in five with
 * alerts by email, is loaded by the product's own imports: the roll, the ballots, envelopes of both directions, four scans of each, and a file a day in
 * which a tenth of the ballots came back. Its messages are ended as delivered, each with a receipt.
 *
 * The sizes are of tables with their indexes, after a vacuum. It measures bytes, not time.
 */
const { values: options } = parseArgs({
  options: { voters: { type: 'string', default: '50000' } },
});
const count = Number(options.voters);
const days = 10;
const scansOfEach = 4;
const ids = Array.from({ length: count }, (_, n) => String(100_000_000 + n));
const say = (text: string): boolean => process.stdout.write(`${text}\n`);
const pad = (number: number, length = 2): string => String(number).padStart(length, '0');
const barcode = (n: number, way: 'out' | 'in'): string =>
  `00${way === 'out' ? '716' : '030'}123456${pad(n, 9)}345010000`.slice(0, 29);

const stop = await setUp();
const county = await createMessageCounty(ids);
const { system } = county.database;
try {
  await sql`insert into contact_preferences (account_id, voter_id, language_preference, is_confirmed)
    select account_id, voter_id, 'english', true from voters where voter_id % 5 < 2`.execute(
    system,
  );
  await sql`insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
    select account_id, voter_id, 'email', 'voter' || voter_id || '@mail.example', 'proven', true
    from contact_preferences`.execute(system);
  await sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
    select account_id, voter_id, channel, address, 'confirmed', 'page', 'I want alerts about my ballot.'
    from contact_channels`.execute(system);
  await takeBallots(0);
  await take(
    county.importLines('beacon-mailpieces', [
      'registration_id,election,outbound_imb,inbound_imb',
      ...ids.map((id, n) => `${id},100,${barcode(n, 'out')},${barcode(n, 'in')}`),
    ]),
  );
  for (let day = 1; day <= days; day += 1) await takeBallots(day);
  county.clock.set('2026-10-20T20:00:00Z');
  for (const way of ['out', 'in'] as const)
    await take(
      county.importLines('usps-iv-mtr', [
        'imb,scanDatetime,handlingEventType,scanEventCode,mailPhase,scanFacilityCity,scanFacilityState,scanFacilityZip,expectedDeliveryDate',
        ...ids.flatMap((_, n) => Array.from({ length: scansOfEach }, (_, at) => scan(n, way, at))),
      ]),
    );
  await report();
} finally {
  await county.drop();
  await stop();
}

function scan(n: number, way: 'out' | 'in', at: number): string {
  const day = (way === 'out' ? 5 : 12) + at;
  return `${barcode(n, way)},2026-10-${pad(day)} ${pad(n % 24)}:${pad(n % 60)}:00,A,517,Phase ${at + 1}a,ALDER FALLS,GA,30301,`;
}

/** The day's file of all ballots: after so many days a tenth each has come back. */
async function takeBallots(day: number): Promise<void> {
  county.clock.set(`2026-10-${pad(5 + day)}T20:00:00Z`);
  const rows = ids.map((voter, n): BallotRow => {
    const sent = { voter, status: 'Outbound', mailed: '2026-10-04' } as const;
    const back = n % (days + 2);
    return back < day
      ? { ...sent, status: 'Accepted', returned: `2026-10-${pad(5 + back)}` }
      : sent;
  });
  await take(county.importBallots(rows));
}

async function take(importing: Promise<ImportOutcome>): Promise<void> {
  const { state, report } = await importing;
  if (state !== 'done' && state !== 'messages-held')
    throw new Error(`${state}: ${JSON.stringify(report).slice(0, 2000)}`);
  await sql`update messages set state = 'delivered', attempts = 1, provider = 'smtp', provider_message_id = gen_random_uuid(),
      sent_at = now(), finished_at = now() where state in ('created', 'held')`.execute(system);
  await sql`insert into receipts (account_id, message_id, provider, outcome)
    select account_id, message_id, 'smtp', 'delivered' from messages on conflict do nothing`.execute(
    system,
  );
}

async function report(): Promise<void> {
  await county.database.systemPool.query('vacuum analyze');
  const { rows } = await sql<{ name: string; rows: number; bytes: number }>`
    select relname as name, n_live_tup as rows, pg_total_relation_size(relid) as bytes from pg_stat_user_tables
    where schemaname = 'public' and n_live_tup >= 1000 order by bytes desc`.execute(system);
  for (const { name, rows: of, bytes } of rows)
    say(
      `${name.padEnd(20)} ${(of / count).toFixed(2).padStart(6)} rows a voter, ${Math.round(bytes / of)} bytes each, ${Math.round(bytes / count)} bytes a voter`,
    );
  const bytes = rows.reduce((sum, table) => sum + table.bytes, 0);
  const stays = rows
    .filter(({ name }) => /^(voters|contact_.*|consents)$/.test(name))
    .reduce((sum, table) => sum + table.bytes, 0);
  const [ofVoter, ofRoll] = [Math.round(bytes / count), Math.round(stays / count)];
  say(`${ofVoter} bytes a voter after a season, of which ${ofRoll} are the roll and the alerts`);
  say(
    JSON.stringify({ name: 'capacity', voters: count, bytesOfVoter: ofVoter, bytesOfRoll: ofRoll }),
  );
}
