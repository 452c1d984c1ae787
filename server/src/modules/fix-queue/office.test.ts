import type { Today } from '@ballot-beacon/contract/office/today';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
} from '../../../../testing/api.ts';
import { meetAtLock } from '../../../../testing/meet-at-lock.ts';
import { addPerson } from '../../../../testing/people.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { messageCode } from '../notifications/index.ts';

const secret = 'a secret of this test, thirty-two letters';
let api: TestApi;
let accountId: AccountId;

beforeEach(async () => {
  api = await createTestApi({ secrets: [secret] });
  api.clock.set('2026-11-25T15:00:00Z');
  accountId = await addOffice(api.test, { subdomain: 'adams', contact_phone: '(352) 555-0100' });
  for (const [id, isConfidential] of [
    ['0042', false],
    ['900', true],
  ] as const) {
    const voter = { registration_id: id, lastname: 'Known', is_confidential: isConfidential };
    await addBallot(api.test, accountId, await addVoter(api.test, accountId, voter), {
      events: [
        { status: 'returned', on: '2026-11-20' },
        { status: 'rejected-curable', on: '2026-11-23', reason: 'No signature' },
      ],
    });
  }
  await sql`update ballots set current_status = 'rejected-curable'`.execute(
    api.test.database.system,
  );
});
afterEach(() => api.close());

const person = (name: string, role: 'clerk' | 'confidential-clerk' | 'viewer') =>
  addPerson(api, { accountId, host: 'adams.localhost' }, name, [role]);

test('clerks for confidential voters alone have those in the queue, by ID, and each look is in the audit', async () => {
  const { browser } = await person('Tess Hall', 'confidential-clerk');
  const answer = await browser.get('/api/office/fixes');
  expect(answer.statusCode, answer.body).toBe(200);
  const { fixes } = answer.json<{ fixes: Record<string, unknown>[] }>();
  expect(fixes).toHaveLength(2);
  expect(fixes).toContainEqual(
    expect.objectContaining({ registration_id: '900', name: '', is_confidential: true }),
  );
  expect(fixes).toContainEqual(
    expect.objectContaining({
      registration_id: '0042',
      defect: 'signature-missing',
      deadline: '2026-11-26T17:00:00-05:00',
      needs_letter: true,
    }),
  );
  const other = await person('Cleo Marsh', 'clerk');
  const known = fixes.filter((fix) => !fix.is_confidential);
  expect((await other.browser.get('/api/office/fixes')).json()).toMatchObject({
    count: 1,
    fixes: known,
  });
  const filtered = await browser.get('/api/office/fixes?defect=id-missing');
  expect(filtered.json()).toMatchObject({ count: 0, fixes: [] });
  for (const wrong of ['defect=ink', 'sort=name', 'direction=up'])
    expect((await browser.get(`/api/office/fixes?${wrong}`)).statusCode, wrong).toBe(400);
  const looks = await api.query<{ details: unknown }>(
    `select details from audit_log where action = 'fixes.list'`,
  );
  const look = { state: 'open', defect: 'all' };
  expect(looks.map(({ details }) => details)).toEqual([
    { ...look, count: 2 },
    { ...look, count: 1 },
    { ...look, defect: 'id-missing', count: 0 },
  ]);
});

test('the queue says when the newest ballot file is too old to know who has fixed an envelope', async () => {
  const { browser } = await person('Cleo Marsh', 'clerk');
  const isLate = async () => (await browser.get('/api/office/fixes')).json().is_feed_late;
  const load = (finishedAt: string) =>
    api.query(
      `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at,
         rows_read, rows_refused, report)
       values ($1, 'beacon-ballots', 'b.csv', sha256($2::text::bytea), 'done', 'operator:a', $2::timestamptz, $2::timestamptz,
         1, 0, '{"holds": "ballots"}')`,
      [accountId, finishedAt],
    );
  await load('2026-11-20T15:00:00Z');
  expect(await isLate()).toBe(true);
  await load('2026-11-25T14:00:00Z');
  expect(await isLate()).toBe(false);
});

test('Today counts the envelopes that a person’s own queue lists, and for others no confidential voter', async () => {
  const count = async (role: 'clerk' | 'confidential-clerk' | 'viewer') => {
    const { browser } = await person(`One ${role}`, role);
    return (await browser.get('/api/office/today')).json<Pick<Today, 'fixes'>>().fixes;
  };
  const soon = { within_three_days: 1, need_letter: 1 };
  expect(await count('viewer')).toMatchObject(soon);
  expect(await count('clerk')).toMatchObject(soon);
  expect(await count('confidential-clerk')).toMatchObject({ within_three_days: 2, need_letter: 2 });
});

/** About the voter's envelope. @returns its number */
async function addMessage(registrationId: string): Promise<number> {
  const { rows } = await sql<{ message_id: number }>`
    insert into messages (account_id, kind, event_id, ballot_id, status, voter_id, channel, address, language, deliver_after)
    select b.account_id, 'status', e.event_id, b.ballot_id, e.status, b.voter_id, 'email', 'a@mail.example', 'english', now()
    from ballots b join ballot_events e using (ballot_id) join voters v using (voter_id)
    where e.status = 'rejected-curable' and v.registration_id = ${registrationId} returning message_id`.execute(
    api.test.database.system,
  );
  return rows[0]?.message_id ?? 0;
}

async function removeMessages(): Promise<void> {
  await sql`delete from fix_link_opens`.execute(api.test.database.system);
  await sql`delete from messages`.execute(api.test.database.system);
}

test('the queue is sorted by any column both ways, and what is not known comes last either way', async () => {
  const { browser } = await person('Sue Pell', 'confidential-clerk');
  const opened = await addMessage('900');
  await sql`insert into fix_link_opens (account_id, message_id, ballot_id, event_id, opened_at)
    select account_id, message_id, ballot_id, event_id, now() from messages where message_id = ${opened}`.execute(
    api.test.database.system,
  );
  const list = async (query: string) =>
    (await browser.get(`/api/office/fixes?${query}`))
      .json<{ fixes: { registration_id: string }[] }>()
      .fixes.map((fix) => fix.registration_id);
  expect(await list('sort=voter')).toEqual(['0042', '900']);
  expect(await list('sort=voter&direction=descending')).toEqual(['900', '0042']);
  expect(await list('sort=opened')).toEqual(['900', '0042']);
  expect(await list('sort=opened&direction=descending')).toEqual(['900', '0042']);
  // Alike in the column: by the time that is left, as without one.
  expect(await list('sort=defect&direction=descending')).toEqual(await list(''));
  await removeMessages();
});

test('of more than five hundred the first by the chosen order are shown, and all are counted', async () => {
  const bay = await addOffice(api.test, { subdomain: 'bay' });
  await addBallot(api.test, bay, await addVoter(api.test, bay, { registration_id: '0' }), {
    events: [{ status: 'rejected-curable', on: '2026-11-23', reason: 'No signature' }],
  });
  await api.query(
    `with added as (
       insert into voters (account_id, registration_id, firstname, lastname, zipcode)
       select $1, nth::text, 'Ann', 'Many', '34811' from generate_series(1, 500) as nth
       returning account_id, voter_id
     ), theirs as (
       insert into ballots (account_id, voter_id, election_id)
       select account_id, voter_id, (select election_id from elections where account_id = $1) from added
       returning account_id, ballot_id
     ) insert into ballot_events (account_id, ballot_id, kind, status, raw_status, occurred_on, reason)
       select account_id, ballot_id, 'office', 'rejected-curable', '?', '2026-11-23', 'No signature' from theirs`,
    [bay],
  );
  await api.query(`update ballots set current_status = 'rejected-curable' where account_id = $1`, [
    bay,
  ]);
  const there = { accountId: bay, host: 'bay.localhost' };
  const { browser } = await addPerson(api, there, 'Cy Bay', ['clerk']);
  const answer = await browser.get('/api/office/fixes?sort=voter&direction=descending');
  const { count, fixes } = answer.json<{ count: number; fixes: { registration_id: string }[] }>();
  expect([count, fixes.length]).toEqual([501, 500]);
  expect([fixes[0], fixes.at(-1)]).toMatchObject([
    { registration_id: '500' },
    { registration_id: '1' },
  ]);
});

test('no letter is printed that would name no phone number', async () => {
  const oak = await addOffice(api.test, { subdomain: 'oak', contact_phone: '' });
  await addBallot(api.test, oak, await addVoter(api.test, oak), {
    events: [
      { status: 'returned', on: '2026-11-20' },
      { status: 'rejected-curable', on: '2026-11-23', reason: 'No signature' },
    ],
  });
  const at = { accountId: oak, host: 'oak.localhost' };
  const { browser } = await addPerson(api, at, 'Oda Hill', ['clerk']);
  const print = () => browser.post('/api/office/fix-letters.html', { again: false });
  const detail = 'A letter names your phone number. Add it under Settings.';
  expect((await print()).json()).toMatchObject({ status: 409, detail });
  expect(await api.query('select from fix_letters where account_id = $1', [oak])).toEqual([]);
});

test('a clerk saves a letter for each voter without a message, once, on record and without confidential voters', async () => {
  await sql`update voters set address = '4 Elm St', city = 'Pasco', state = 'WA', zipcode = '99301' where registration_id in ('0042', '900')`.execute(
    api.test.database.system,
  );
  const clerk = await person('Lena Park', 'clerk');
  const needed = async () =>
    (await clerk.browser.get('/api/office/fixes')).json<{ letters: unknown }>().letters;
  const print = (again = false) => clerk.browser.post('/api/office/fix-letters.html', { again });
  expect(await needed()).toEqual({ needed: 1, printed: 0, without_address: [], confidential: 0 });
  const printed = await print();
  expect(printed.statusCode, printed.body).toBe(200);
  expect(printed.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': 'attachment; filename="letters-2026-11-25.html"',
    'cache-control': 'no-store',
  });
  expect(printed.body.match(/<section /g)).toHaveLength(1);
  expect(printed.body).toContain('<p>4 Elm St</p><p>Pasco, WA 99301</p>');
  expect(await needed()).toMatchObject({ needed: 0, printed: 1 });
  expect((await print()).json()).toMatchObject({ status: 409, detail: 'No letter is needed.' });
  api.clock.advance(60_000);
  // Where the law counts from a day that nobody has given, the letter names none.
  await sql`update accounts set state = 'WA'`.execute(api.test.database.system);
  const undated = await print(true);
  await sql`update accounts set state = 'FL'`.execute(api.test.database.system);
  expect(undated.statusCode, undated.body).toBe(200);
  expect(printed.body).toContain('Nov 26');
  expect(undated.body).not.toContain('Nov 26');
  expect(undated.body).toContain('The signature on your return envelope is missing.');
  const { fixes } = (await clerk.browser.get('/api/office/fixes')).json<{
    fixes: { registration_id: string; needs_letter: boolean; notices: unknown }[];
  }>();
  expect(fixes.find((fix) => fix.registration_id === '0042')).toMatchObject({
    needs_letter: false,
    // The last one: the date of the letter that its voter has.
    notices: [{ how: 'letter', at: api.clock.now().toISOString() }],
  });
  const recorded = await api.query<{ actor: string }>(
    `select actor, details from audit_log where action = 'fix-letters.print'`,
  );
  expect(recorded).toMatchObject([
    { actor: expect.stringMatching(/^person:/), details: { letters: 1 } },
    { actor: expect.stringMatching(/^person:/), details: { letters: 1 } },
  ]);
  const other = await person('Tova Hall', 'confidential-clerk');
  expect((await other.browser.get('/api/office/fixes')).json()).toMatchObject({
    letters: { confidential: 1 },
  });
  const viewer = await person('Vera Lane', 'viewer');
  const refused = await viewer.browser.post('/api/office/fix-letters.html', { again: true });
  expect(refused.statusCode).toBe(403);
  await sql`update voters set address = ''`.execute(api.test.database.system);
  expect(await needed()).toMatchObject({ needed: 0, printed: 0, without_address: ['0042'] });
  api.clock.advance(5 * 60_000);
  expect((await print(true)).json()).toMatchObject({ status: 403, 'error-code': 7001 });
});

test('a letter names the election of its own envelope, whichever else the office has', async () => {
  const { system } = api.test.database;
  const voter = { registration_id: '0043', firstname: 'Bea', lastname: 'Known' };
  await addBallot(api.test, accountId, await addVoter(api.test, accountId, voter), {
    ...{ election: 'Runoff Election', date: '2026-12-08' },
    events: [
      { status: 'returned', on: '2026-11-20' },
      { status: 'rejected-curable', on: '2026-11-23', reason: 'No signature' },
    ],
  });
  await sql`update ballots set current_status = 'rejected-curable'`.execute(system);
  await sql`update voters set address = '4 Elm St', city = 'Pasco'`.execute(system);
  // The evening of the 25th at the office.
  api.clock.set('2026-11-26T03:30:00Z');
  const { browser } = await person('Lena Park', 'clerk');
  const { body, headers } = await browser.post('/api/office/fix-letters.html', { again: false });
  expect(headers['content-disposition']).toContain('letters-2026-11-25.html');
  const [, ...letters] = body.split('<section ');
  const named = (name: string) =>
    /(?:General|Runoff) Election/.exec(letters.find((one) => one.includes(name)) ?? '')?.[0];
  expect(letters).toHaveLength(2);
  const dates = letters.map((one) => /<\/address><p>([^<]*)/.exec(one)?.[1]);
  expect(dates).toEqual(['11/25/26', '11/25/26']);
  expect([named('Ann Known'), named('Bea Known')]).toEqual(['General Election', 'Runoff Election']);
});

test('two clerks who print at once get each letter once', async () => {
  await api.query(`update voters set address = '4 Elm St', city = 'Pasco'`);
  const clerks = [await person('Lena Park', 'clerk'), await person('Cleo Marsh', 'clerk')];
  // Neither can write down its letters before both have begun.
  const printed = await meetAtLock(
    api.test.database,
    (tx) => sql`lock table fix_letters in exclusive mode`.execute(tx),
    () =>
      clerks.map(({ browser }) => browser.post('/api/office/fix-letters.html', { again: false })),
  );
  expect(printed.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
});

test('a viewer gets no queue, but the counts of today and of the report', async () => {
  const { browser } = await person('Vic Lane', 'viewer');
  expect((await browser.get('/api/office/fixes')).statusCode).toBe(403);
  const report = await browser.get('/api/office/fix-report?by=defect');
  expect(report.json()).toMatchObject({ rows: [{ group: 'signature-missing', found: 1 }] });
  const today = await browser.get('/api/office/today');
  expect(today.json()).toMatchObject({ fixes: { within_three_days: 1, within_day: 0 } });
});

test('a message’s link leads to the office’s page whatever its code, and records only that it was opened', async () => {
  const id = await addMessage('0042');
  const code = messageCode(createSecrets([secret]), accountId, id);
  const browser = api.browser('adams.localhost');
  const open = async (path: string) => {
    const { statusCode, headers } = await browser.get(path);
    return { statusCode, location: headers.location, cookies: browser.cookies.size };
  };
  const opened = () => api.query('select message_id, opened_at from fix_link_opens');
  const astray = { statusCode: 302, location: '/voter', cookies: 0 };
  expect(await open('/f/ZZZZZZZZ')).toEqual(astray);
  expect(await open('/f/https:%2F%2Fevil.example')).toEqual(astray);
  expect(await opened()).toEqual([]);
  const head = await browser.request({ method: 'HEAD', url: `/f/${code}` });
  expect(head.statusCode).toBe(302);
  expect(await opened()).toEqual([]);
  expect(await open(`/f/${code}`)).toEqual(astray);
  expect(await open(`/f/${code.toLowerCase()}?to=https://evil.example`)).toEqual(astray);
  expect(await opened()).toEqual([{ message_id: id, opened_at: api.clock.now() }]);
  // Nor does a message about anything else lead to a problem.
  const [other] = await api.query<{ message_id: number }>(
    `insert into messages (account_id, kind, event_id, ballot_id, status, voter_id, channel, address, language, deliver_after)
     select m.account_id, m.kind, e.event_id, m.ballot_id, e.status, m.voter_id, m.channel, m.address, m.language, now()
     from messages m join ballot_events e using (ballot_id) where e.status = 'returned' returning message_id`,
  );
  const ofOther = messageCode(createSecrets([secret]), accountId, Number(other?.message_id));
  expect(await open(`/f/${ofOther}`)).toEqual(astray);
  expect(await opened()).toHaveLength(1);
  // At another office it is no code.
  await addOffice(api.test, { subdomain: 'lake' });
  const { statusCode } = await api.browser('lake.localhost').get(`/f/${code}`);
  expect(statusCode).toBe(302);
  expect(await opened()).toHaveLength(1);
  await removeMessages();
});

test('a message that is sent again notifies of the problem, and its link counts as opened', async () => {
  const { browser } = await person('Cleo Marsh', 'clerk');
  let messageId = await addMessage('0042');
  const [ann] = await api.query<{ voter_id: number }>(
    `update messages set state = 'failed-permanent' returning voter_id`,
  );
  const of = [accountId, ann?.voter_id];
  await api.query('insert into contact_preferences (account_id, voter_id) values ($1, $2)', of);
  await api.query(
    `insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
     values ($1, $2, 'email', 'a@mail.example', 'proven', true)`,
    of,
  );
  // The second time it is the copy.
  for (const _ of ['once', 'twice']) {
    const path = `/api/office/voters/${ann?.voter_id}/messages/${messageId}/again`;
    const answer = await browser.post(path, {});
    expect(answer.statusCode, answer.body).toBe(200);
    const [copy] = await api.query<{ message_id: number }>(
      `update messages set state = 'delivered', sent_at = now() where state = 'created' returning message_id`,
    );
    messageId = Number(copy?.message_id);
  }
  await api.query(`update messages set state = 'failed-permanent' where message_id <> $1`, [
    messageId,
  ]);
  const code = messageCode(createSecrets([secret]), accountId, messageId);
  await api.browser('adams.localhost').get(`/f/${code}`);
  const { fixes } = (await browser.get('/api/office/fixes')).json();
  expect(fixes).toMatchObject([
    { notices: [{ how: 'email' }], opened_at: api.clock.now().toISOString() },
  ]);
  await removeMessages();
});

test('a visitor who tries many codes finds none', async () => {
  const browser = api.browser('adams.localhost');
  const open = (code: string, remoteAddress: string) =>
    browser.request({ method: 'GET', url: `/f/${code}`, remoteAddress });
  for (let tries = 0; tries < 60; tries += 1)
    expect((await open(`AAAAAA${String(tries).padStart(2, '0')}`, '192.0.2.7')).statusCode).toBe(
      302,
    );
  const throttled = await browser.request({
    ...{ method: 'POST', url: '/api/voter/message-check', remoteAddress: '192.0.2.7' },
    payload: { code: 'AAAA-AAAA' },
  });
  expect(throttled.statusCode).toBe(429);
  // The answer to a code that is one is the same, and it counts as opened only from elsewhere.
  const code = messageCode(createSecrets([secret]), accountId, await addMessage('0042'));
  const opened = () => api.query('select message_id from fix_link_opens');
  expect((await open(code, '192.0.2.7')).headers.location).toBe('/voter');
  expect(await opened()).toEqual([]);
  // Who opens a link that is one has tried nothing: many voters may share an address.
  for (let opens = 0; opens < 20; opens += 1) await open(code, '192.0.2.8');
  expect(await opened()).toHaveLength(1);
  await open(messageCode(createSecrets([secret]), accountId, await addMessage('900')), '192.0.2.8');
  expect(await opened()).toHaveLength(2);
  await removeMessages();
});
