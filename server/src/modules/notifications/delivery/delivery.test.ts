import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addOffice } from '../../../../../testing/api.ts';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { ImportId } from '../../../platform/ids.ts';
import { correctImport } from '../index.ts';
import { listOutbox } from '../outbox/store.ts';
import { createDelivery, deliverAll } from './local-delivery.ts';

const voters = Array.from({ length: 60 }, (_, index) => `V${String(index + 1).padStart(3, '0')}`);
let county: MessageCounty;

beforeEach(async () => {
  county = await createMessageCounty(voters);
});
afterEach(() => county.drop());

const createParts = () => createDelivery(county);
const outbox = () => listOutbox(county.database.system, county.account.accountId, null);
const states = async () =>
  (await outbox()).map(({ channel, status, state }) => `${channel} ${status} ${state}`).sort();

describe('a change of status', () => {
  test('reaches the voters who asked, on each channel they asked for, once', async () => {
    await county.optIn('V001', {
      email: 'One@Mail.example',
      sms: '+13525550001',
      voice: '+13525550002',
    });
    // Whose number has not said yes.
    const asked = { email: 'two@mail.example', sms: '+13525550003', language: 'spanish' };
    await county.optIn('V002', asked);
    await sql`update contact_channels set status = 'unproven' where address = ${asked.sms}`.execute(
      county.database.system,
    );
    // What another office must not send there is none of ours.
    const lake = await addOffice(county, { subdomain: 'lake' });
    await sql`insert into suppressions (account_id, channel, address, reason)
      values (${lake}, 'email', 'one@mail.example', 'bounced'), (${lake}, 'sms', '+13525550001', 'stopped')`.execute(
      county.database.system,
    );
    const rows = [
      { voter: 'V001', status: 'Outbound', mailed: '2026-10-03' },
      { voter: 'V002', status: 'Outbound', mailed: '2026-10-03' },
      { voter: 'V003', status: 'Outbound', mailed: '2026-10-03' },
    ] as const;
    expect((await county.importBallots(rows)).state).toBe('done');
    // The same file again says nothing new.
    await county.importBallots(rows);
    const parts = await createParts();
    await deliverAll(parts);
    await deliverAll(parts);
    expect(await states()).toEqual([
      'email sent sent',
      'email sent sent',
      'sms sent sent',
      'voice sent sent',
    ]);
    const messages = await outbox();
    const now = county.clock.now();
    expect(messages.map(({ sent_at }) => sent_at)).toEqual([now, now, now, now]);
    const spanish = messages.find(({ address }) => address === 'two@mail.example');
    expect(spanish?.subject).toBe('Su boleta va en camino');
    const text = messages.find(({ channel }) => channel === 'sms');
    expect(text?.body).toContain('Adams County Elections: Voter, your ballot is in the mail');
    expect(text?.body).toContain('https://adams.beacon.example/voter');
    const mail = messages.find(({ address }) => address === 'one@mail.example');
    expect(mail?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    expect(mail?.headers?.['List-Unsubscribe']).toMatch(
      /^<https:\/\/adams\.beacon\.example\/api\/voter\/unsubscribe\?key=[\w-]+&email=one%40mail\.example>$/,
    );
  });

  test('that was wrong is not corrected without a number of the office, and is once the office has one', async () => {
    await county.optIn('V001', { sms: '+13525550001' });
    const row = { voter: 'V001', status: 'Outbound', mailed: '2026-10-03' } as const;
    const { importId } = await county.importBallots([row]);
    await deliverAll(await createParts());
    await sql`update accounts set settings = settings || '{"contact_phone": ""}'`.execute(
      county.database.system,
    );
    await county.database.transaction((tx) =>
      correctImport(tx, importId as ImportId, 'Bea Deputy', county.clock.now()),
    );
    await deliverAll(await createParts());
    const correction = async () => (await outbox()).find(({ kind }) => kind === 'correction');
    expect(await correction()).toMatchObject({
      ...{ state: 'created', error_code: 'empty-placeholder', body: null },
    });
    await sql`update accounts set settings = settings || '{"contact_phone": "(555) 555-0100"}'`.execute(
      county.database.system,
    );
    county.clock.advance(10 * 60_000);
    await deliverAll(await createParts());
    expect(await correction()).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('has a way out in its headers, and what answers the voter’s own act, or a stranger’s, has none', async () => {
    await county.optIn('V001', { email: 'one@mail.example' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    await sql`insert into messages (account_id, kind, voter_id, channel, address, language, cause, is_answer, deliver_after)
      select account_id, kind, voter_id, 'email', 'one@mail.example', 'english', kind || ':1', true, ${county.clock.now()}
      from contact_channels, unnest(array['change', 'registered', 'contact-code']) as kind`.execute(
      county.database.system,
    );
    await deliverAll(await createParts());
    const sent = (await outbox()).map(({ kind, headers }) => [kind, Object.keys(headers ?? {})]);
    expect(Object.fromEntries(sent)).toEqual({
      change: [],
      registered: [],
      'contact-code': [],
      status: ['List-Unsubscribe', 'List-Unsubscribe-Post'],
    });
  });

  test('that was overtaken before it left is dropped, and only the newer one is sent', async () => {
    county.clock.set('2026-10-05T02:00:00Z');
    await county.optIn('V001', { sms: '+13525550001' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    await county.importBallots([
      { voter: 'V001', status: 'Accepted', mailed: '2026-10-03', returned: '2026-10-04' },
    ]);
    county.clock.set('2026-10-05T14:00:00Z');
    await deliverAll(await createParts());
    expect(await states()).toEqual(['sms accepted sent', 'sms sent superseded']);
  });

  test('that waits for the morning goes only by ways that the office still offers then, and its correction by any', async () => {
    county.clock.set('2026-10-05T15:00:00Z');
    await county.optIn('V001', { sms: '+13525550001' });
    const wrong = await county.importBallots([
      { voter: 'V001', status: 'Outbound', mailed: '2026-10-03' },
    ]);
    await deliverAll(await createParts());
    county.clock.set('2026-10-06T01:30:00Z');
    await county.optIn('V002', { email: 'two@mail.example', sms: '+13525550002' });
    await county.importBallots([{ voter: 'V002', status: 'Outbound', mailed: '2026-10-03' }]);
    await sql`update accounts set settings = settings || '{"delivery_types": ["email"]}'`.execute(
      county.database.system,
    );
    await county.database.transaction((tx) =>
      correctImport(tx, wrong.importId as ImportId, 'Bea Deputy', county.clock.now()),
    );
    county.clock.set('2026-10-06T15:00:00Z');
    await deliverAll(await createParts());
    expect(await states()).toEqual([
      ...['email sent sent', 'sms null sent', 'sms sent sent', 'sms sent withdrawn'],
    ]);
  });

  test('waits for the quiet hours to end, and mail without chosen hours goes at once', async () => {
    county.clock.set('2026-10-06T01:30:00Z');
    await county.optIn('V001', { email: 'one@mail.example', sms: '+13525550001' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    const parts = await createParts();
    await deliverAll(parts);
    expect(await states()).toEqual(['email sent sent', 'sms sent created']);
    county.clock.set('2026-10-06T11:59:00Z');
    await deliverAll(parts);
    expect(await states()).toEqual(['email sent sent', 'sms sent created']);
    county.clock.set('2026-10-06T12:00:00Z');
    await deliverAll(parts);
    expect(await states()).toEqual(['email sent sent', 'sms sent sent']);
  });

  test('hours that a voter changes while a message waits are the ones that count', async () => {
    county.clock.set('2026-10-06T01:30:00Z');
    const voterId = await county.optIn('V001', { sms: '+13525550001' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    await sql`update contact_channels set hours_start = '10:00', hours_end = '18:00'
      where voter_id = ${voterId}`.execute(county.database.system);
    const parts = await createParts();
    county.clock.set('2026-10-06T12:30:00Z');
    await deliverAll(parts);
    expect(await states()).toEqual(['sms sent created']);
    county.clock.set('2026-10-06T14:00:00Z');
    await deliverAll(parts);
    expect(await states()).toEqual(['sms sent sent']);
  });

  test.each([
    ['an opt-out', sql`update contact_channels set is_opted_in = false`],
    ['a changed number', sql`update contact_channels set address = '+13525559999'`],
    [
      'a withdrawn consent',
      sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
      select account_id, voter_id, 'sms', '+13525550001', 'withdrawn', 'test', 'test' from contact_channels`,
    ],
    [
      'a withdrawn consent, with one of another voter at the number',
      sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
      select account_id, voter_id, 'sms', '+13525550001',
        case registration_id when 'V001' then 'withdrawn' else 'confirmed' end, 'test', 'test'
      from voters where registration_id in ('V001', 'V002') order by registration_id`,
    ],
    [
      'a stopped number',
      sql`insert into suppressions (account_id, channel, address, reason)
      select account_id, 'sms', '+13525550001', 'stopped' from contact_channels`,
    ],
    ['a voter taken off the roll', sql`update voters set is_active = false`],
  ] as const)('is not sent after %s, though it was already waiting', async (_what, change) => {
    await county.optIn('V001', { sms: '+13525550001' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    await change.execute(county.database.system);
    await deliverAll(await createParts());
    expect(await states()).toEqual(['sms sent withdrawn']);
  });

  test.each([
    ['says so all that day by the clock of the office', '2026-10-10T03:59:00Z', true, true],
    ['says nothing of it from its midnight on', '2026-10-10T04:00:00Z', true, false],
    ['keeps it to itself where the office hides dates', '2026-10-09T15:00:00Z', false, false],
  ])('about a ballot that the office expects on a day %s', async (_what, now, isShown, isSaid) => {
    await sql`update accounts
      set settings = settings || jsonb_build_object('is_ballot_status_dates_visible', ${isShown}::boolean)`.execute(
      county.database.system,
    );
    await county.optIn('V001', { email: 'one@mail.example' });
    county.clock.set(now);
    await county.importLines('beacon-ballots', [
      'registration_id,election,status,sent_on,expected_on',
      'V001,100,sent,2026-10-05,2026-10-09',
    ]);
    await deliverAll(await createParts());
    const [mail] = await outbox();
    expect(mail).toMatchObject({ status: 'sent', state: 'sent' });
    expect(mail?.body?.includes('between Fri, Oct 9 and Sun, Oct 11')).toBe(isSaid);
  });

  test('that is history sends no message: the first load of an old file notifies nobody', async () => {
    await county.optIn('V001', { email: 'one@mail.example' });
    await county.optIn('V002', { email: 'two@mail.example' });
    await county.importBallots([
      { voter: 'V001', status: 'Outbound', mailed: '2026-09-10' },
      { voter: 'V002', status: 'Outbound', mailed: '2026-10-01' },
    ]);
    await deliverAll(await createParts());
    expect((await outbox()).map(({ address }) => address)).toEqual(['two@mail.example']);
  });
});

test('where messages come from is recorded of each office, kind and day, though one worker sends them all', async () => {
  // From the same number.
  await addOffice(county, { subdomain: 'lake' });
  await county.optIn('V001', { sms: '+13525550001' });
  await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
  const parts = await createParts();
  const change = async () => {
    await sql`insert into messages (account_id, kind, channel, address, language, cause, is_answer, deliver_after)
      select account_id, 'change', 'sms', '+13525550001', 'english', subdomain || ${county.clock.now()}, true,
        ${county.clock.now()} from accounts`.execute(county.database.system);
    await deliverAll(parts);
  };
  await change();
  county.clock.advance(24 * 60 * 60_000);
  await change();
  const { rows } = await sql<{ origin: string }>`
    select subdomain || ' ' || day || ' ' || kind as origin from message_origins
    join accounts using (account_id) order by subdomain, day, kind`.execute(county.database.system);
  expect(rows.map(({ origin }) => origin)).toEqual([
    ...['adams 2026-10-05 change', 'adams 2026-10-05 status', 'adams 2026-10-06 change'],
    ...['lake 2026-10-05 change', 'lake 2026-10-06 change'],
  ]);
});
