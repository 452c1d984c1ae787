import fc from 'fast-check';
import twilio from 'twilio';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPhoneOffice, type PhoneOffice, phone } from '../../../../../testing/phone-office.ts';
import { runs, timeFor } from '../../../../../testing/runs.ts';
import { sql } from '../../../../../testing/sql.ts';
import { openSilentDelivery } from '../delivery/local-delivery.ts';
import { allStopWords } from '../inbound/keywords.ts';

vi.setConfig({ testTimeout: timeFor(120_000) });

let office: PhoneOffice;
beforeEach(async () => {
  office = await openPhoneOffice(twilio.getExpectedTwilioSignature, openSilentDelivery);
});
afterEach(() => office.close());

describe('a number given on the page', () => {
  test('is asked first, hears nothing of ballots until YES, and then within the minute where the ballot is', async () => {
    await office.askForTexts();
    await office.send('V001', 'Outbound');
    await office.deliver();
    expect(await office.sentKinds()).toEqual(['opt-in']);
    await office.text('YES');
    await office.deliver();
    expect(await office.sms()).toEqual({ sms_status: 'active', sms_opt_in: true });
    expect(await office.sentKinds()).toEqual(['opt-in', 'confirmed', 'catch-up']);
    await office.send('V001', 'Accepted');
    await office.deliver();
    expect(await office.sentKinds()).toEqual(['opt-in', 'confirmed', 'catch-up', 'status']);
  });

  test('that agrees late hears the newest status, and none that is over', async () => {
    await office.askForTexts();
    for (const status of ['Outbound', 'Accepted'] as const) await office.send('V001', status);
    await office.text('YES');
    await office.deliver();
    const news = (await office.outbox()).filter(({ status }) => status !== null);
    expect(news.map(({ kind, status, state }) => [kind, status, state])).toEqual([
      ['catch-up', 'accepted', 'sent'],
    ]);
  });

  test('that could not be reached until its patience ran out is tried anew once it agrees again', async () => {
    await office.askForTexts();
    await office.text('YES');
    await office.send('V001', 'Outbound');
    const { system } = office.county.database;
    await sql`update messages set state = 'failed-temporary-exhausted', attempts = 10, finished_at = now(),
      error_code = '503', due_at = now() - interval '1 day', sent_at = now() - interval '1 day' where status = 'sent'`.execute(
      system,
    );
    await office.text('STOP');
    await office.text('START');
    await office.text('YES');
    await office.deliver();
    const { rows } = await sql`
      select kind, state, attempts, error_code, due_at, created_at, sent_at
      from messages where status = 'sent'`.execute(system);
    expect(rows).toEqual([
      {
        ...{ kind: 'catch-up', state: 'sent', attempts: 1, error_code: null, due_at: null },
        // A correction would name this day.
        ...{ created_at: office.county.clock.now(), sent_at: office.county.clock.now() },
      },
    ]);
  });

  test('that agrees once the office has given up texts hears nothing of ballots', async () => {
    await office.askForTexts();
    await office.send('V001', 'Outbound');
    await sql`update accounts set settings = settings || '{"delivery_types": ["email"]}'`.execute(
      office.county.database.system,
    );
    await office.text('YES');
    await office.deliver();
    expect((await office.outbox()).filter(({ status }) => status !== null)).toEqual([]);
  });

  test.each(['YES', 'STOP'])(
    'of which its carrier said that it is none is one from its %s on',
    async (words) => {
      await office.askForTexts();
      await office.deliver();
      await office.send('V001', 'Outbound');
      await sql`insert into suppressions (account_id, channel, address, reason)
        select account_id, 'sms', ${phone}, 'invalid' from accounts`.execute(
        office.county.database.system,
      );
      await office.text(words);
      await office.deliver();
      expect(await office.sentKinds()).toEqual([
        'opt-in',
        ...(words === 'STOP' ? ['stopped'] : ['confirmed', 'catch-up']),
      ]);
    },
  );

  test('whose question waits for the morning is not asked once its voter opted out', async () => {
    office.county.clock.set('2026-10-06T02:00:00Z');
    await office.askForTexts();
    await office.deliver();
    expect(await office.sentKinds()).toEqual([]);
    await office.save('V001', { sms: { address: '', isOptedIn: false, status: 'unproven' } });
    office.county.clock.set('2026-10-06T15:00:00Z');
    await office.deliver();
    expect((await office.outbox()).map(({ kind, state }) => [kind, state])).toEqual([
      ['opt-in', 'withdrawn'],
    ]);
  });

  test('is stopped by a text at any time, with one confirmation and nothing after it', async () => {
    await office.askForTexts();
    await office.text('YES');
    await office.deliver();
    await office.send('V001', 'Outbound');
    await office.text('STOP');
    await office.text('STOP');
    await office.deliver();
    await office.send('V001', 'Accepted');
    await office.deliver();
    expect(await office.sms()).toEqual({ sms_status: 'opted-out', sms_opt_in: false });
    expect(await office.sentKinds()).toEqual(['opt-in', 'confirmed', 'stopped']);
    const { rows } = await sql<{ action: string; source: string }>`
      select action, source from consents order by consent_id`.execute(
      office.county.database.system,
    );
    expect(rows).toEqual([
      { action: 'asked', source: 'preferences page' },
      { action: 'confirmed', source: 'sms reply' },
      { action: 'withdrawn', source: 'sms reply' },
    ]);
  });

  test('that two voters share is withdrawn by STOP for each who had not withdrawn it before', async () => {
    await office.askForTexts();
    await office.save('V002', { sms: { address: phone, isOptedIn: true, status: 'unproven' } });
    await office.text('YES');
    await office.save('V002', { sms: { address: '', isOptedIn: false, status: 'unproven' } });
    // Calls to the same number are another consent.
    await office.save('V001', { voice: { address: phone, isOptedIn: true, status: 'unproven' } });
    await office.save('V001', { voice: { address: '', isOptedIn: false, status: 'unproven' } });
    await office.text('STOP');
    const { rows } = await sql`
      select registration_id as voter, string_agg(action, ' ' order by consent_id) as actions
      from consents join voters using (voter_id) where channel = 'sms' group by 1 order by 1`.execute(
      office.county.database.system,
    );
    expect(rows).toEqual([
      { voter: 'V001', actions: 'asked confirmed withdrawn' },
      { voter: 'V002', actions: 'asked confirmed withdrawn' },
    ]);
  });

  test('is asked again by START, and YES brings the news back', async () => {
    await office.askForTexts();
    await office.text('YES');
    await office.text('STOP');
    await office.text('START');
    await office.deliver();
    expect(await office.sms()).toEqual({ sms_status: 'pending', sms_opt_in: true });
    await office.text('YES');
    await office.send('V001', 'Outbound');
    await office.deliver();
    expect((await office.sentKinds()).slice(-2)).toEqual(['confirmed', 'status']);
  });

  test('goes on getting its news after a START while it gets them', async () => {
    await office.askForTexts();
    await office.text('YES');
    await office.text('START');
    await office.deliver();
    expect(await office.sms()).toEqual({ sms_status: 'active', sms_opt_in: true });
    await office.send('V001', 'Outbound');
    await office.deliver();
    expect(await office.sentKinds()).toEqual(['opt-in', 'confirmed', 'confirmed', 'status']);
  });

  test('is no longer stopped for texts after START; other numbers, and its calls, still are', async () => {
    const { system } = office.county.database;
    await office.askForTexts();
    await office.text('STOP');
    const { accountId } = office.county.account;
    await sql`insert into suppressions (account_id, channel, address, reason) values
      (${accountId}, 'sms', '+13525550009', 'stopped'), (${accountId}, 'voice', ${phone}, 'stopped')`.execute(
      system,
    );
    const stopped = async () => {
      const { rows } = await sql<{ way: string }>`
        select channel || ' ' || address as way from suppressions order by 1`.execute(system);
      return rows.map(({ way }) => way);
    };
    const others = ['sms +13525550009', `voice ${phone}`];
    expect(await stopped()).toEqual([`sms ${phone}`, ...others]);
    await office.text('START');
    expect(await stopped()).toEqual(others);
  });

  test('is confirmed once more by another YES, until its voter opts out; other numbers get help', async () => {
    await office.askForTexts();
    for (const _ of [1, 2]) {
      await office.text('YES');
      await office.deliver();
    }
    expect(await office.sentKinds()).toEqual(['opt-in', 'confirmed', 'confirmed']);
    await office.text('YES', '+13525550009');
    await office.save('V001', { sms: { isOptedIn: false } });
    await office.text('YES');
    await office.deliver();
    expect((await office.sentKinds()).slice(3).sort()).toEqual(['change', 'help', 'help']);
  });

  test('for calls alone agrees to no texts, whatever is texted from it', async () => {
    await office.save('V001', { voice: { address: phone, isOptedIn: true, status: 'unproven' } });
    const { system } = office.county.database;
    await sql`delete from messages`.execute(system);
    for (const word of ['YES', 'START', 'YES']) await office.text(word);
    await office.deliver();
    expect(await office.sentKinds()).toEqual(['help', 'help', 'help']);
    const { rows } = await sql`select action from consents where source = 'sms reply'`.execute(
      system,
    );
    expect(rows).toEqual([]);
  });

  test('agrees to nothing by YES once its voter opted out on the page', async () => {
    await office.askForTexts();
    await office.save('V001', { sms: { isOptedIn: false } });
    await office.text('YES');
    await office.deliver();
    expect(await office.sentKinds()).toEqual(['help']);
    expect((await office.channelsOf('V001')).sms).toMatchObject({
      ...{ isOptedIn: false, status: 'unproven' },
    });
  });

  test('is not called once its voter opted out on the page, also after a call from it', async () => {
    await office.save('V001', { voice: { pendingAddress: phone, isOptedIn: true } });
    await office.save('V001', { voice: { isOptedIn: false } });
    const call = { CallSid: office.nextId('CA'), From: phone, To: '+15555550100' };
    const answer = await office.callTwilio('/api/provider/twilio/voice', call);
    expect(answer.body).not.toContain('confirmed');
    await office.send('V001', 'Outbound');
    await office.deliver();
    expect(await office.sentKinds()).toEqual([]);
    expect((await office.channelsOf('V001')).voice).toMatchObject({ isOptedIn: false });
  });

  test('takes the place of a number that said stop, of which nothing more is heard or recorded', async () => {
    const stopped = { address: '+15095550143', status: 'stopped' } as const;
    await office.save('V001', { voice: { ...stopped, pendingAddress: phone, isOptedIn: true } });
    const call = { CallSid: office.nextId('CA'), From: phone, To: '+15555550100' };
    await office.callTwilio('/api/provider/twilio/voice', call);
    expect((await office.channelsOf('V001')).voice).toMatchObject({
      ...{ address: phone, status: 'proven' },
    });
    const { rows } = await sql`
      select action, address from consents where source = 'voice call'`.execute(
      office.county.database.system,
    );
    expect(rows).toEqual([{ action: 'confirmed', address: phone }]);
    await office.deliver();
    expect(await office.sentKinds()).toEqual([]);
  });

  test('is answered once however often the provider repeats its call', async () => {
    await office.askForTexts();
    await office.deliver();
    for (let time = 0; time < 5; time += 1) await office.text('HELP', phone, 'SM-the-same');
    await office.deliver();
    expect(await office.sentKinds()).toEqual(['opt-in', 'help']);
  });

  test('gets the help text for words that we do not know, also after a call from it', async () => {
    const call = { CallSid: office.nextId('CA'), From: phone, To: '+15555550100' };
    expect((await office.callTwilio('/api/provider/twilio/voice', call)).statusCode).toBe(200);
    for (let time = 0; time < 2; time += 1) await office.text('where is my ballot');
    await office.deliver();
    expect(await office.sentKinds()).toEqual(['help']);
  });

  test('that answers our answers, as a machine does, gets at most twenty a day, and STOP still stops it', async () => {
    await office.askForTexts();
    for (let time = 0; time < 30; time += 1) await office.text('HELP');
    await office.deliver();
    expect((await office.sentKinds()).filter((kind) => kind === 'help')).toHaveLength(20);
    await office.text('YES');
    expect(await office.sms()).toEqual({ sms_status: 'active', sms_opt_in: true });
    await office.text('STOP');
    await office.deliver();
    expect(await office.sms()).toEqual({ sms_status: 'opted-out', sms_opt_in: false });
    expect((await office.sentKinds()).at(-1)).toBe('stopped');
    office.county.clock.advance(25 * 3_600_000);
    await office.text('HELP');
    await office.deliver();
    expect((await office.sentKinds()).filter((kind) => kind === 'help')).toHaveLength(21);
  });

  test('that stops at night is confirmed at once, while alerts wait for the morning', async () => {
    await office.askForTexts();
    await office.text('YES');
    await office.deliver();
    office.county.clock.set('2026-10-06T03:00:00Z');
    await office.send('V001', 'Outbound');
    await office.deliver();
    await office.text('STOP');
    await office.deliver();
    expect((await office.sentKinds()).slice(-1)).toEqual(['stopped']);
    office.county.clock.set('2026-10-06T15:00:00Z');
    await office.deliver();
    expect((await office.sentKinds()).slice(-1)).toEqual(['stopped']);
  });

  test('whatever is texted, imported and delivered in whatever order, hears nothing after STOP but its one confirmation, and nothing without YES', async () => {
    const step = fc.oneof(
      fc.constantFrom(
        'YES',
        'HELP',
        'START',
        'hello',
        'save',
        'import',
        'deliver',
        'night',
        'morning',
      ),
      fc.constantFrom(...allStopWords).map((word) => `stop:${word}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await office.close();
        office = await openPhoneOffice(twilio.getExpectedTwilioSignature, openSilentDelivery);
        let isStopped = false;
        let hasAgreed = false;
        let known = 0;
        let status: 'Outbound' | 'Accepted' = 'Outbound';
        for (const one of [...steps, 'deliver']) {
          let kinds: string[] = [];
          if (one === 'save') {
            await office.askForTexts();
            // The page refuses a number that was stopped. Here it is saved anyway, and still gets nothing.
            hasAgreed = false;
          } else if (one === 'import') {
            await office.send('V001', status);
            status = status === 'Outbound' ? 'Accepted' : 'Outbound';
          } else if (one === 'night')
            office.county.clock.set(
              new Date(
                Math.ceil(office.county.clock.now().getTime() / 86_400_000) * 86_400_000 +
                  4 * 3_600_000,
              ).toISOString(),
            );
          else if (one === 'morning')
            office.county.clock.set(
              new Date(
                Math.ceil(office.county.clock.now().getTime() / 86_400_000) * 86_400_000 +
                  15 * 3_600_000,
              ).toISOString(),
            );
          else if (one !== 'deliver') await office.text(one.replace(/^stop:/, ''));
          await office.deliver();
          const sent = (await office.outbox()).filter(({ state }) => state === 'sent').reverse();
          kinds = sent.slice(known).map(({ kind }) => kind);
          known = sent.length;
          if (one.startsWith('stop:')) {
            expect(kinds.filter((kind) => kind !== 'stopped')).toEqual([]);
            expect(kinds.length).toBeLessThanOrEqual(1);
            isStopped = true;
            hasAgreed = false;
          } else if (one === 'START') isStopped = false;
          else if (one === 'YES' && (await office.sms())?.sms_status === 'active') hasAgreed = true;
          const news = kinds.filter((kind) => kind === 'status' || kind === 'catch-up');
          if (isStopped) expect(news).toEqual([]);
          if (isStopped && !['YES', 'HELP', 'hello'].includes(one) && !one.startsWith('stop:'))
            expect(kinds).toEqual([]);
          if (!hasAgreed) expect(news).toEqual([]);
        }
      }),
      { numRuns: runs(12) },
    );
  });
});
