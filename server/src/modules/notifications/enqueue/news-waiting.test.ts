import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addOffice } from '../../../../../testing/api.ts';
import { barcodeOf } from '../../../../../testing/mail-pieces.ts';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { VoterId } from '../../../platform/ids.ts';
import { createSecrets } from '../../../platform/secrets.ts';
import { readAskedId } from '../../contacts/index.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { emailConfirmed, isConfirmationCode } from '../index.ts';
import { listOutbox } from '../outbox/store.ts';

let county: MessageCounty;
beforeEach(async () => {
  county = await createMessageCounty(['V001', 'V002', 'V003', 'V004']);
});
afterEach(() => county.drop());

const steps = [
  { status: 'Outbound', mailed: '2026-10-03' },
  { status: 'Undeliverable', mailed: '2026-10-03', returned: '2026-10-04' },
  { status: 'Outbound', mailed: '2026-10-05' },
  { status: 'RejectedCurable', mailed: '2026-10-05', returned: '2026-10-06' },
  { status: 'Accepted', mailed: '2026-10-05', returned: '2026-10-07' },
] as const;

async function signUp(voter: string, email: string) {
  const voterId = await county.optIn(voter, { email });
  const { system } = county.database;
  await sql`update contact_channels set status = 'unproven' where voter_id = ${voterId}`.execute(
    system,
  );
  await sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
    values (${county.account.accountId}, ${voterId}, 'email', ${email}, 'asked', 'test', 'test')`.execute(
    system,
  );
  return voterId;
}

async function importAll(count: number): Promise<void> {
  const parts = await createDelivery(county);
  for (const step of steps.slice(0, count)) {
    await county.importBallots([{ voter: 'V001', ...step }]);
    await deliverAll(parts);
    county.clock.advance(24 * 3_600_000);
  }
}

const outbox = async () =>
  (await listOutbox(county.database.system, county.account.accountId, null)).reverse();

describe('a mail address that has not proved itself', () => {
  test('hears at most three times that there is news, and never which or whose', async () => {
    const voterId = await signUp('V001', 'one@mail.example');
    // What another office sent there counts there alone.
    const lake = await addOffice(county, { subdomain: 'lake' });
    await sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after, state)
      select ${lake}::integer, 'news-waiting', 'email', 'one@mail.example', 'english', 'lake ' || nth, now(), 'sent'
      from generate_series(1, 3) as nth`.execute(county.database.system);
    // Nor does what this office sent to others, or else sent there.
    await sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after, state)
      select ${county.account.accountId}::integer, kind, 'email', address, 'english', address || nth, now(), 'sent'
      from (values ('news-waiting', 'two@mail.example'), ('welcome', 'one@mail.example')) as earlier (kind, address),
        generate_series(1, 3) as nth`.execute(county.database.system);
    // Nor are its own words another's.
    await sql`insert into translation_overrides (account_id, language, section, key, value)
      values (${lake}, 'english', 'messages', 'mail.news-waiting.subject', 'Words of Lake')`.execute(
      county.database.system,
    );
    await importAll(steps.length);
    const sent = (await outbox()).filter(({ import_id }) => import_id !== null);
    expect(sent.map(({ kind, state }) => `${kind} ${state}`)).toEqual(
      Array.from({ length: 3 }, () => 'news-waiting sent'),
    );
    const { accountId } = county.account;
    // What another voter asks for meanwhile ends no code of this one.
    await signUp('V002', 'two@mail.example');
    const askedId = await readAskedId(county.database.system, voterId, 'email');
    const own = { accountId, voterId, email: 'one@mail.example', askedId };
    for (const { subject, body, html, sent_at } of sent) {
      expect(subject).toBe('There’s an update about a ballot you follow');
      expect(`${subject} ${body} ${html}`).not.toMatch(
        /Voter\b.*V001|General Election|mailed|accepted/i,
      );
      const link = /https:\/\/adams\.beacon\.example\/voter\?code=([\w-]{50})/.exec(body ?? '');
      const code = link?.[1] ?? '';
      // As the page that it opens takes it.
      const secrets = createSecrets(['a test secret of thirty-two characters']);
      expect(isConfirmationCode(secrets, own, code, sent_at as Date)).toBe(true);
    }
  });

  test('that a stranger gave for many voters hears three times in all', async () => {
    const voters = ['V001', 'V002', 'V003', 'V004'];
    for (const voter of voters) await signUp(voter, 'victim@mail.example');
    const delivery = await createDelivery(county);
    for (const step of steps.slice(0, 2)) {
      await county.importBallots(voters.map((voter) => ({ voter, ...step })));
      await deliverAll(delivery);
      county.clock.advance(24 * 3_600_000);
    }
    expect((await outbox()).map(({ kind }) => kind)).toEqual(Array(3).fill('news-waiting'));
  });

  const prove = async (voterId: VoterId, email: string) => {
    const { accountId } = county.account;
    await county.database.transaction(async (tx) => {
      await sql`update contact_channels set status = 'proven' where voter_id = ${voterId}`.execute(
        tx,
      );
      const proven = { accountId, voterId, email };
      await emailConfirmed(tx, county.config, proven, county.clock.now());
    });
  };

  test('that proves itself before the mail leaves gets the news and no such mail', async () => {
    // The news is of this voter alone, although another one could be written to.
    await county.optIn('V002', { email: 'two@mail.example' });
    const voterId = await signUp('V001', 'one@mail.example');
    await county.importBallots([{ voter: 'V001', ...steps[0] }]);
    await prove(voterId, 'one@mail.example');
    await deliverAll(await createDelivery(county));
    expect((await outbox()).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'news-waiting withdrawn',
      'catch-up sent',
    ]);
  });

  test('that proves itself gets the news of the office, also where USPS has seen the envelope since', async () => {
    const voterId = await signUp('V001', 'one@mail.example');
    await county.importBallots([{ voter: 'V001', ...steps[0] }]);
    const code = barcodeOf(1);
    await county.importLines('beacon-mailpieces', [
      'registration_id,election,outbound_imb',
      `V001,100,${code}`,
    ]);
    const scans = await county.importLines('usps-iv-mtr', [
      'imb,scanDatetime,mailPhase,handlingEventType,scanEventCode,scanFacilityState',
      `${code},2026-10-04T09:00:00,2b,A,517,FL`,
    ]);
    expect(scans.report.events).toBe(1);
    await prove(voterId, 'one@mail.example');
    const { rows } = await sql`select status from messages where kind = 'catch-up'`.execute(
      county.database.system,
    );
    expect(rows).toEqual([{ status: 'sent' }]);
  });

  test('that proves itself while the ballot is on its way back does not read that it is on its way to the voter', async () => {
    const voterId = await signUp('V001', 'one@mail.example');
    await county.importBallots([{ voter: 'V001', ...steps[0] }]);
    const back = barcodeOf(2).replace('741', '777');
    await county.importLines('beacon-mailpieces', [
      'registration_id,election,outbound_imb,inbound_imb',
      `V001,100,${barcodeOf(1)},${back}`,
    ]);
    await county.importLines('usps-iv-mtr', [
      'imb,scanDatetime,mailPhase,handlingEventType,scanEventCode,scanFacilityState',
      `${back},2026-10-05T09:00:00,1,A,517,FL`,
    ]);
    await prove(voterId, 'one@mail.example');
    await deliverAll(await createDelivery(county));
    const { rows } = await sql`select b.current_status, m.state from messages m
      join ballots b using (ballot_id) where m.kind = 'catch-up'`.execute(county.database.system);
    expect(rows).toEqual([{ current_status: 'return-in-transit', state: 'superseded' }]);
  });

  test('that proves itself gets the news within the hours that its own voter chose', async () => {
    const setHours = (voterId: VoterId, start: string, end: string) =>
      sql`update contact_channels set hours_start = ${start}, hours_end = ${end}
        where voter_id = ${voterId}`.execute(county.database.system);
    await setHours(await signUp('V002', 'two@mail.example'), '12:00', '13:00');
    const voterId = await signUp('V001', 'one@mail.example');
    await setHours(voterId, '18:00', '19:00');
    await county.importBallots([{ voter: 'V001', ...steps[0] }]);
    await prove(voterId, 'one@mail.example');
    const { rows } = await sql<{ at: string }>`
      select to_char(deliver_after at time zone 'America/New_York', 'HH24:MI') as at from messages
      where kind = 'catch-up'`.execute(county.database.system);
    expect(rows).toEqual([{ at: '18:00' }]);
  });

  test('hears nothing where the voter has opted out, and one voter’s mails are not another’s', async () => {
    await signUp('V001', 'one@mail.example');
    const other = await signUp('V002', 'two@mail.example');
    await sql`update contact_channels set is_opted_in = false where voter_id = ${other}`.execute(
      county.database.system,
    );
    // Who gets the news by text is not asked to look into the mail.
    await sql`insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
      values (${county.account.accountId}, ${other}, 'sms', '+13525550102', 'proven', true)`.execute(
      county.database.system,
    );
    // Who asks for mail and has given no address yet gets none.
    const without = await signUp('V003', 'three@mail.example');
    await sql`update contact_channels set address = '' where voter_id = ${without}`.execute(
      county.database.system,
    );
    await county.importBallots([
      { voter: 'V001', ...steps[0] },
      { voter: 'V002', ...steps[0] },
      { voter: 'V003', ...steps[0] },
    ]);
    await deliverAll(await createDelivery(county));
    expect((await outbox()).map(({ kind, address }) => `${kind} ${address}`).sort()).toEqual([
      ...['news-waiting one@mail.example', 'status +13525550102'],
    ]);
  });
});
