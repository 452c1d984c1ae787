import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CastMember, cast, situations } from '../../demo/cast.ts';
import { createTestClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { sql } from '../../testing/sql.ts';
import { testTokenKeys } from '../../testing/token-keys.ts';
import { moveDemoDays } from './demo-days.ts';
import { loadDemo, readDemo } from './load-demo.ts';
import { findAccountBySubdomain } from './modules/accounts/index.ts';
import { type BallotEvent, deriveBallotStatus } from './modules/ballots/index.ts';
import { findFormat, importFile } from './modules/imports/index.ts';
import { findStop, readMailDays } from './modules/stopped-mail/index.ts';

// Six hundred security tokens are compared with their slow hashes each time a roll is imported.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

// Months after the days that the files were written for, in another year.
const clock = createTestClock('2027-03-26T15:00:00Z');
const weeks = 17;
const counties = await readDemo();
const members = situations.map((situation): CastMember => cast[situation]);

let db: TestDatabase;
let folder: string;

beforeAll(async () => {
  db = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'beacon-demo-'));
  await startInThree(moveDemoDays('BTVbmStatus2026-11-14T0600.csv', weeks));
});
afterAll(async () => {
  await db.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Loads the demo by three starts: the first ends at its release note, the second at this file, and the third comes weeks later. */
async function startInThree(file: string): Promise<void> {
  const load = () =>
    loadDemo(db.database, clock, { dataDirectory: folder, tokenKeys: testTokenKeys });
  const { systemPool } = db.database;
  for (const stopped of [
    'release_notes',
    `imports for each row when (new.file_name = '${file}')`,
  ]) {
    await systemPool.query(
      `create function stop() returns trigger as 'begin raise exception ''stopped''; end' language plpgsql;
      create trigger stop before insert on ${stopped} execute function stop()`,
    );
    await expect(load()).rejects.toThrow('stopped');
    await systemPool.query('drop function stop cascade');
  }
  clock.advance(15 * 86_400_000);
  expect(await load()).toBe(true);
}

/** Every row of the county's that a file could change, whole: its keys, its days, the hash of its token. */
async function readRows(subdomain: string): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ kind: string; row: string }>`
    with county as (select account_id from accounts where subdomain = ${subdomain})
    select 'voters' as kind, to_jsonb(v)::text as row from voters v join county using (account_id)
    union all
    select 'ballots', to_jsonb(b)::text from ballots b join county using (account_id)
    union all
    select 'ballot_events', to_jsonb(e)::text from ballot_events e join county using (account_id)
    union all
    select 'mail_pieces', to_jsonb(m)::text from mail_pieces m join county using (account_id)
    union all
    select 'mail_scans', to_jsonb(s)::text from mail_scans s join county using (account_id)
    union all
    select 'contact_preferences', to_jsonb(p)::text from contact_preferences p join county using (account_id)
    union all
    select 'contact_channels', to_jsonb(c)::text from contact_channels c join county using (account_id)
    order by kind, row`.execute(db.database.system);
  const kinds = Map.groupBy(rows, ({ kind }) => kind);
  return Object.fromEntries([...kinds].map(([kind, found]) => [kind, found.map(({ row }) => row)]));
}

/** Takes a file of the demo in once more, its text as `rewrite` leaves it. */
async function importAgain(
  subdomain: string,
  { file, format: name }: { file: string; format: string },
  rewrite: (text: string) => string,
) {
  const account = await findAccountBySubdomain(db.database.system, subdomain);
  const format = await findFormat(name);
  if (!account || !format.ok) throw new Error('The demo was not loaded.');
  const text = readFileSync(new URL(`../../demo/${file}`, import.meta.url), 'utf8');
  const bytes = Buffer.from(rewrite(moveDemoDays(text, weeks)));
  return importFile(db.database, clock, {
    tokenKeys: testTokenKeys,
    account,
    format: format.format,
    file: {
      name: moveDemoDays(file, weeks),
      size: bytes.length,
      open: () => Readable.from([bytes]),
    },
    operator: 'operator:tester',
    rejectsDirectory: folder,
  });
}

const asItIs = (text: string) => text;
const reversed = (text: string) => {
  if (text.startsWith('{')) {
    const { events, ...sending } = JSON.parse(text) as { events: object[] };
    return JSON.stringify({ ...sending, events: events.toReversed() });
  }
  const [header = '', ...rows] = text.trimEnd().split('\n');
  return `${[header, ...rows.toReversed()].join('\n')}\n`;
};
const withBlankLines = (text: string) => `${text.replace('\n', '\n\r\n')}\r\n`;

test('a second start finds the demo and loads nothing', async () => {
  const before = await Promise.all(counties.map(({ subdomain }) => readRows(subdomain)));
  expect(
    await loadDemo(db.database, clock, { dataDirectory: folder, tokenKeys: testTokenKeys }),
  ).toBe(false);
  expect(await Promise.all(counties.map(({ subdomain }) => readRows(subdomain)))).toEqual(before);
});

test('the elections are as far away as when the demo was written, and bear the year of their days', async () => {
  const { rows } = await sql<{ election: string }>`
    select e.name || ', ' || to_char(e.election_date, 'FMDay YYYY-MM-DD') || coalesce(', ' || (e.return_deadline->>'date'), '') as election
    from elections e join accounts using (account_id) where subdomain = 'demo' order by number`.execute(
    db.database.system,
  );
  expect(rows.map(({ election }) => election)).toEqual([
    '2026 Primary Election, Tuesday 2026-12-15',
    '2027 General Election, Tuesday 2027-03-02',
    'Harbor County Special Election, Tuesday 2027-04-06, 2027-04-06',
    'Gull Point Municipal Election, Tuesday 2027-04-13, 2027-04-13',
    'Saltmarsh Town Election, Tuesday 2027-03-16, 2027-03-16',
  ]);
});

test('a start that was interrupted goes on where it was, with the days of its beginning', async () => {
  for (const { subdomain, imports } of counties) {
    const { rows } = await sql<{ file: string }>`
      select file_name as file from imports join accounts using (account_id)
      where subdomain = ${subdomain} order by import_id`.execute(db.database.system);
    expect(rows.map(({ file }) => file)).toEqual(
      imports.map(({ file }) => moveDemoDays(basename(file), weeks)),
    );
  }
  const { rows } = await sql<{ note: string }>`
    select subdomain || ' ' || to_char(published_at at time zone 'UTC', 'YYYY-MM-DD') as note
    from release_notes join accounts using (account_id)`.execute(db.database.system);
  const notes = counties.flatMap(({ subdomain, release_notes: own }) =>
    own.map(({ date }) => `${subdomain} ${moveDemoDays(date, weeks)}`),
  );
  expect(rows.map(({ note }) => note).sort()).toEqual(notes.sort());
});

describe.each(counties)(
  'voters, ballots, envelopes and preferences of $subdomain',
  ({ subdomain, imports }) => {
    const newest = [...Map.groupBy(imports, ({ format }) => format).values()].flatMap((files) =>
      files.slice(-1),
    );

    beforeAll(async () => {
      await sql`
      insert into contact_preferences (account_id, voter_id, language_preference, is_confirmed)
      select account_id, voter_id, 'spanish', true
      from voters join accounts using (account_id) where subdomain = ${subdomain}`.execute(
        db.database.system,
      );
      await sql`
      insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in, hours_start, hours_end)
      select account_id, voter_id, c.* from voters join accounts using (account_id), (values
        ('email', 'own@example.com', 'proven', true, time '08:00', time '20:00'),
        ('sms', '+18505550100', 'proven', true, null, null)) c
      where subdomain = ${subdomain}`.execute(db.database.system);
      const {
        voters = [],
        contact_preferences: chosen = [],
        contact_channels: channels = [],
      } = await readRows(subdomain);
      expect(voters.length).toBeGreaterThan(500);
      expect(chosen).toHaveLength(voters.length);
      expect(channels).toHaveLength(voters.length * 2);
    });

    test('do not change when the office sends the same files again', async () => {
      const before = await readRows(subdomain);
      for (const file of newest) {
        // Another test may have sent these rows in another form since.
        expect((await importAgain(subdomain, file, asItIs)).report).toMatchObject({ events: 0 });
        const { state, report } = await importAgain(subdomain, file, asItIs);
        expect(state).toBe('nothing-new');
        expect(report).toMatchObject({ isRepeat: true, events: 0, refusals: [] });
      }
      expect(await readRows(subdomain)).toEqual(before);
    });

    test.each([
      ['in another order', reversed],
      ['with blank lines between them', withBlankLines],
    ])('stay as they are when the same rows come %s', async (_how, rewrite) => {
      const before = await readRows(subdomain);
      for (const file of newest) {
        const { report } = await importAgain(subdomain, file, rewrite);
        expect(report).toMatchObject({ isRepeat: false, events: 0, refusals: [] });
        expect(report.rows).toMatchObject({ added: 0, changed: 0 });
        // A row of the mail house's file names both envelopes, outbound and inbound.
        const things = file.format === 'beacon-mailpieces' ? 2 : 1;
        expect(report.rows.unchanged).toBe(report.rows.read * things);
        expect(report.after).toEqual(report.before);
      }
      expect(await readRows(subdomain)).toEqual(before);
    });
  },
);

test.each(members.map((member) => [member.shows, member] as const))(
  'the demo shows: %s',
  async (_shows, { account, registrationId, ballots }) => {
    const stored = await sql<{ id: number; election: string; status: string; isCurrent: boolean }>`
    select b.ballot_id as id, e.number as election, b.current_status as status, e.is_active as "isCurrent"
    from ballots b join elections e using (election_id) join voters v using (voter_id)
      join accounts a on a.account_id = b.account_id
    where a.subdomain = ${account} and v.registration_id = ${registrationId}
    order by e.election_date desc`.execute(db.database.system);
    const events = await sql<BallotEvent & { ballotId: number }>`
    select ballot_id as "ballotId", event_id as "eventId", kind, status, occurred_on as "occurredOn",
      occurred_at as "occurredAt", recorded_at::date::text as "recordedOn"
    from ballot_events join ballots using (ballot_id) join voters v using (voter_id)
    where v.registration_id = ${registrationId}`.execute(db.database.system);
    const eventsOf = Map.groupBy(events.rows, ({ ballotId }) => ballotId);

    expect(stored.rows.map(({ id: _id, ...ballot }) => ballot)).toEqual(ballots);
    const derived = stored.rows.map(({ id }) => deriveBallotStatus(eventsOf.get(id) ?? []).status);
    expect(derived).toEqual(ballots.map(({ status }) => status));
  },
);

test.each([cast.stopped, cast.stoppedNotSeen, cast.stoppedNoScan, cast.stoppedReturn])(
  'in whatever week the demo starts, among whatever holidays: $shows',
  async ({ registrationId }) => {
    const { rows } = await sql<{ direction: 'inbound' | 'outbound'; days: (string | null)[] }>`
    select p.direction, array[p.mailed_on::text, max(s.scanned_at)::date::text, b.outbound_expected_delivery_date::text,
      (select max(scanned_at)::date::text from mail_scans)] as days
    from voters v join ballots b using (voter_id) join mail_pieces p using (ballot_id)
      left join mail_scans s on s.tracking_code = p.tracking_code
    where v.registration_id = ${registrationId}
    group by p.mail_piece_id, b.ballot_id order by max(s.scanned_at) desc nulls last, p.direction desc limit 1`.execute(
      db.database.system,
    );
    const [{ direction, days } = { direction: 'outbound' as const, days: [] }] = rows;
    const mailDays = await readMailDays();
    // Ten years: holidays fall on other days of the week in each.
    const unseen = Array.from({ length: 522 }, (_, week) => {
      const [sentOn = null, lastSeenOn = null, expected = null, knownUntil = null] = days.map(
        (day) => day && Temporal.PlainDate.from(day).add({ weeks: week }).toString(),
      );
      const expectedOn = direction === 'inbound' ? null : expected;
      const facts = {
        direction,
        mailClass: 'first-class',
        sentOn,
        lastSeenOn,
        expectedOn,
      } as const;
      return findStop(facts, knownUntil ?? '', mailDays) ? [] : [knownUntil];
    });
    expect(unseen.flat()).toEqual([]);
  },
);
