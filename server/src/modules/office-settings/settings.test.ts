import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { meetAtLock } from '../../../../testing/meet-at-lock.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import { readClosures } from '../deadlines/index.ts';

let api: TestApi;
let adams: AccountId;
let admin: TestPerson;
const secret = 'a-secret-of-google';

beforeEach(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, {
    subdomain: 'adams',
    recaptcha: { site_key: 'site-1', secret_key: secret },
    phone_hours: [{ days: 'mon-fri', open: '08:00', close: '17:00' }],
  });
  await addOffice(api.test, { subdomain: 'lake' });
  admin = await addPerson(api, { accountId: adams, host: 'adams.localhost' }, 'Ada Park', [
    'admin',
  ]);
});
afterEach(() => api.close());

interface Check {
  readonly version: string;
  readonly problems: { readonly at: string; readonly message: string }[];
  readonly changes: { readonly at: string; readonly from: unknown; readonly to: unknown }[];
  readonly ignored: string[];
  readonly unreached: number;
}

async function check(file: unknown): Promise<Check> {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  const answer = await admin.browser.post('/api/office/settings/check', { text });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

const save = (file: object, version: string) =>
  admin.browser.patch('/api/office/settings', { text: JSON.stringify(file), version });

async function readSettings(): Promise<Record<string, unknown>> {
  const answer = await admin.browser.get('/api/office/settings.json');
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

test('a change is shown before it is made, shown to voters after it, and recorded from what to what', async () => {
  const file = { contact_phone: '(352) 555-0142', quiet_hours: { start: '09:00' } };
  const { changes, version } = await check(file);
  const expected = [
    { at: 'contact_phone', from: '', to: '(352) 555-0142' },
    { at: 'quiet_hours.start', from: '08:00', to: '09:00' },
  ];
  expect(changes).toEqual(expected);
  expect(await readSettings()).toMatchObject({ contact_phone: '' });

  const saved = await save(file, version);
  expect(saved.statusCode, saved.body).toBe(200);
  expect(saved.json()).toEqual({ changes: expected });
  expect(await readSettings()).toMatchObject({
    contact_phone: '(352) 555-0142',
    quiet_hours: { start: '09:00', end: '20:00' },
  });
  const branding = await api.browser('adams.localhost').get('/api/voter/branding');
  expect(branding.body).toContain('(352) 555-0142');
  const log = (await admin.browser.get('/api/office/log?area=office')).json<{
    entries: { who: string; details: unknown }[];
  }>();
  expect(log.entries[0]).toMatchObject({
    who: 'Ada Park',
    details: [
      { name: 'contact_phone', value: ' → (352) 555-0142' },
      { name: 'quiet_hours.start', value: '08:00 → 09:00' },
    ],
  });
});

test('the downloaded file changes nothing, and each setting of it is in the form', async () => {
  const file = await readSettings();
  expect(await check(file)).toMatchObject({ problems: [], changes: [] });
  const { fields } = (await admin.browser.get('/api/office/settings')).json<{
    fields: { at: string; value: unknown }[];
  }>();
  for (const { at, value } of fields)
    expect(
      at.split('.').reduce((of, key) => of[key] as never, file as Record<string, never>),
    ).toEqual(value);
});

test('a closed day that no calendar has is refused, and where it was stored before the others count', async () => {
  const closed = ['fri', '2026-02-30', '2026-11-31', '2028-02-29'];
  expect((await check({ envelope_fix: { closed } })).problems).toEqual([
    { at: 'envelope_fix.closed.1', message: 'must be a day of the calendar' },
    { at: 'envelope_fix.closed.2', message: 'must be a day of the calendar' },
  ]);
  expect((await check({ envelope_fix: { closed: ['fri', '2028-02-29'] } })).problems).toEqual([]);
  expect(readClosures(closed)).toEqual({ weekdays: [5], days: ['2028-02-29'] });
});

test('what is wrong is said at its setting, and nothing is changed by the whole of it', async () => {
  const before = await readSettings();
  const wrong = {
    name: '',
    contact_phone: '555',
    phone_hours: [
      { days: 'mon-fri', open: '08:00', close: '17:00' },
      { days: 'sat', open: '8', close: '12:00' },
    ],
    url: 'https://adams.example',
    nickname: 'A',
  };
  const { problems, version } = await check(wrong);
  expect(problems.map(({ at }) => at).sort()).toEqual([
    ...['contact_phone', 'name', 'nickname', 'phone_hours.1.open'],
  ]);
  expect((await save(wrong, version)).statusCode).toBe(422);
  expect(await readSettings()).toEqual(before);
  expect((await check('{"name": "A"\n')).problems[0]?.message).toContain('line');
  expect((await check('[]')).problems).toHaveLength(1);
});

test.each([
  ['a text', '"name": "Adams\\u0000County"'],
  ['a key', '"ad\\u0000ams": 1'],
])(
  'a character that cannot be stored in %s is named with its line, and nothing is changed',
  async (_, line) => {
    const before = await readSettings();
    const text = `{\n${line}\n}`;
    const { problems, version } = await check(text);
    expect(problems).toEqual([
      {
        at: '',
        message: 'has a character on line 2 that cannot be stored (\\u0000). Remove it',
      },
    ]);
    const saved = await admin.browser.patch('/api/office/settings', { text, version });
    expect(saved.statusCode, saved.body).toBe(422);
    expect(await readSettings()).toEqual(before);
  },
);

test('of two people who save at once what both have seen, one does', async () => {
  const { version } = await check({});
  const phones = ['(352) 555-0101', '(352) 555-0102'];
  const answers = await meetAtLock(
    api.test.database,
    (tx) => lockAccount(tx, adams),
    () => phones.map((contact_phone) => save({ contact_phone }, version)),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
});

test('the file of another office, and another subdomain, are refused whole', async () => {
  const { problems } = await check({ subdomain: 'lake', name: 'Lake County Elections' });
  expect(problems).toEqual([{ at: 'subdomain', message: expect.stringContaining('adams') }]);
  const file = { ...(await readSettings()), subdomain: 'bay' };
  const { version } = await check({});
  expect((await save(file, version)).statusCode).toBe(422);
  expect(await readSettings()).toMatchObject({ subdomain: 'adams' });
});

test.each([
  ['that ends too early', '{'],
  ['with a setting twice', '{"county": "Bay", "county": "Lake"}'],
  ['nested without end', '['.repeat(60_000)],
])('a file %s is refused at its text', async (_mistake, text) => {
  const { version } = await check({});
  const answer = await admin.browser.patch('/api/office/settings', { text, version });
  expect(answer.statusCode).toBe(422);
  expect(Object.keys(answer.json().validation_messages)).toEqual(['text']);
  expect(await readSettings()).toMatchObject({ county: 'Test' });
});

test('settings saved as they are leave no entry in the log', async () => {
  const lastEntry = async () =>
    (await admin.browser.get('/api/office/log?area=office')).json<{ entries: object[] }>()
      .entries[0];
  const before = await lastEntry();
  const { version, changes } = await check(await readSettings());
  expect(changes).toEqual([]);
  expect((await save(await readSettings(), version)).json()).toEqual({ changes: [] });
  expect(await lastEntry()).toEqual(before);
});

test('a change that was checked against other settings is refused', async () => {
  const { version } = await check({ county: 'Adams' });
  expect((await save({ state: 'GA' }, version)).statusCode).toBe(200);
  const late = await save({ county: 'Adams' }, version);
  expect(late.statusCode).toBe(409);
  expect(await readSettings()).toMatchObject({ county: 'Test', state: 'GA' });
});

test('a secret is shown nowhere, stays while it is left out, and is known to have changed', async () => {
  const { body } = await admin.browser.get('/api/office/settings');
  const file = await readSettings();
  expect(body + JSON.stringify(file)).not.toContain(secret);
  expect((await check({ recaptcha: { site_key: 'site-1' } })).changes).toEqual([]);
  const moved = await check({ recaptcha: { site_key: 'site-2', secret_key: secret } });
  expect(moved.changes).toEqual([
    { at: 'recaptcha', from: { site_key: 'site-1' }, to: { site_key: 'site-2' } },
  ]);
  const other = { recaptcha: { site_key: 'site-1', secret_key: 'another-one' } };
  const { changes, version } = await check(other);
  expect(changes).toEqual([
    {
      at: 'recaptcha',
      from: { site_key: 'site-1' },
      to: { site_key: 'site-1', secret_key: 'new' },
    },
  ]);
  expect((await save(other, version)).statusCode).toBe(200);
  const audit = await api.query<{ details: string }>('select details::text from audit_log');
  const recorded = audit.map(({ details }) => details).join();
  expect(recorded).toContain('site-1');
  expect(recorded).not.toMatch(/another-one|a-secret-of-google/);
});

test('images that a file names stay as they are', async () => {
  const { ignored, changes } = await check({ logo: 'logo.svg', background: null, county: 'Bay' });
  expect({ ignored, changed: changes.map(({ at }) => at) }).toEqual({
    ...{ ignored: ['logo'], changed: ['county'] },
  });
});

test('a change needs a sign-in of the last five minutes, and looking at it does not', async () => {
  api.clock.advance(5 * 60_000);
  const { version } = await check({ county: 'Bay' });
  const late = await save({ county: 'Bay' }, version);
  expect(late.json()).toMatchObject({ status: 403, 'error-code': 7001 });
  await admin.signIn();
  expect((await save({ county: 'Bay' }, version)).statusCode).toBe(200);
});

test('any change and the way back leave the settings as they were', async () => {
  const someSettings = fc.record(
    {
      name: fc.string({ minLength: 1, maxLength: 40 }).filter((one) => one.trim() !== ''),
      languages: fc.shuffledSubarray(['english', 'spanish', 'korean'], { minLength: 1 }),
      reports_counted: fc.boolean(),
      message_retention_days: fc.integer({ min: 30, max: 3660 }),
      feeds: fc.dictionary(
        fc.stringMatching(/^[a-z]{1,9}$/),
        fc.record({ every_hours: fc.integer({ min: 1, max: 99 }) }),
        { maxKeys: 3 },
      ),
      stopped_mail: fc.record({ replacement_days: fc.option(fc.integer({ min: 0, max: 60 })) }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(someSettings, async (file) => {
      const before = await readSettings();
      const there = await check(file);
      const done = (await save(file, there.version)).json<Pick<Check, 'changes'>>();
      expect(done.changes).toEqual(there.changes);
      const back: Record<string, unknown> = {};
      for (const { at, from } of done.changes) {
        const [group = '', key] = at.split('.');
        back[group] = key ? { ...(back[group] as object), [key]: from } : from;
      }
      const { version } = await check(back);
      expect((await save(back, version)).statusCode).toBe(200);
      expect(await readSettings()).toEqual(before);
    }),
    { numRuns: 25 },
  );
});

test('voters whose every alert goes by a channel that a change takes away are counted before it is made', async () => {
  const listen = async (id: string, channels: readonly (readonly [string, string])[]) => {
    const voterId = await addVoter(api.test, adams, { registration_id: id });
    await api.query('insert into contact_preferences (account_id, voter_id) values ($1, $2)', [
      ...[adams, voterId],
    ]);
    for (const [channel, status] of channels)
      await api.query(
        `insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
         values ($1, $2, $3, $4, $5, true)`,
        [adams, voterId, channel, `${id}@mail.example`, status],
      );
  };
  await listen('sms-alone', [['sms', 'proven']]);
  await listen('both', [
    ['sms', 'proven'],
    ['email', 'proven'],
  ]);
  await listen('sms-and-unproven', [
    ['sms', 'proven'],
    ['email', 'unproven'],
  ]);
  await listen('unproven', [['sms', 'unproven']]);
  await listen('call', [['voice', 'proven']]);
  await api.query(
    `update accounts set settings = settings || '{"from_voice": "+13525550142"}' where account_id = $1`,
    [adams],
  );
  const unreached = async (file: object) => (await check(file)).unreached;
  expect(await unreached({ delivery_types: ['email', 'voice'] })).toBe(2);
  // Calls come from a number alone.
  expect(await unreached({ from_voice: null })).toBe(1);
  expect(await unreached({ delivery_types: ['email'] })).toBe(3);
  expect(await unreached({ delivery_types: ['sms', 'voice'] })).toBe(0);
  expect(await unreached({ contact_phone: '(352) 555-0199' })).toBe(0);
  // Who went without alerts before does not lose any now.
  await api.query(
    `update accounts set settings = jsonb_set(settings, '{delivery_types}', '["email", "sms"]')
     where account_id = $1`,
    [adams],
  );
  expect(await unreached({ delivery_types: ['email'] })).toBe(2);
});

test('the secret of one site is not that of another, and a number with its country is read as without', async () => {
  const problemsOf = async (change: object) =>
    (await check(change)).problems.map(({ at }: { at: string }) => at);
  expect(await problemsOf({ recaptcha: { site_key: 'site-2' } })).toEqual(['recaptcha.secret_key']);
  expect(await problemsOf({ recaptcha: { site_key: 'site-2', secret_key: 'its own' } })).toEqual(
    [],
  );
  for (const typed of ['1 (352) 555-0100', '+1 352 555 0100', '352-555-0100'])
    expect(await problemsOf({ from_voice: typed }), typed).toEqual([]);
  for (const typed of ['2 (352) 555-0100', '+44 352 555 0100', '352-555-010'])
    expect(await problemsOf({ from_voice: typed }), typed).toEqual(['from_voice']);
});

test('an administrator who has just changed the office’s name and time zone has both at the console at once', async () => {
  const kept = await createTestApi({ contentKeptMs: 600_000 });
  const accountId = await addOffice(kept.test, { subdomain: 'oak' });
  const { browser } = await addPerson(kept, { accountId, host: 'oak.localhost' }, 'Bo Li', [
    'admin',
  ]);
  const file = { name: 'Oak County Elections', time_zone: 'America/Denver' };
  const text = JSON.stringify(file);
  const { version } = (await browser.post('/api/office/settings/check', { text })).json<Check>();
  const saved = await browser.patch('/api/office/settings', { text, version });
  expect(saved.statusCode, saved.body).toBe(200);
  expect((await browser.get('/api/office/session')).json()).toMatchObject({
    ...{ office: 'Oak County Elections', time_zone: 'America/Denver' },
  });
  await kept.close();
});
