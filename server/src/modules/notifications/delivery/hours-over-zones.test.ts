import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { runs, timeFor } from '../../../../../testing/runs.ts';
import { sql } from '../../../../../testing/sql.ts';
import { createDelivery, deliverAll } from './local-delivery.ts';

vi.setConfig({ testTimeout: timeFor(120_000) });

const voters = Array.from({ length: 60 }, (_, index) => `V${String(index + 1).padStart(3, '0')}`);
let county: MessageCounty;

beforeEach(async () => {
  county = await createMessageCounty(voters);
});
afterEach(() => county.drop());

const createParts = () => createDelivery(county);

test('over zones, clock changes and any hours, nothing is ever handed over outside the hours of who gets it, and all of it in the end', async () => {
  const clock = fc
    .integer({ min: 0, max: 47 })
    .map((half) => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`);
  const window = fc.option(fc.tuple(clock, clock).filter(([start, end]) => start !== end));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        'America/New_York',
        'America/Phoenix',
        'Pacific/Honolulu',
        'America/St_Johns',
        'Australia/Lord_Howe',
      ),
      fc.constantFrom('2026-10-31', '2026-03-07', '2026-10-03', '2026-04-04'),
      fc.array(window, { minLength: 12, maxLength: 12 }),
      fc.array(fc.integer({ min: 5, max: 200 }), { minLength: 26, maxLength: 26 }),
      async (timeZone, day, windows, steps) => {
        await county.drop();
        county = await createMessageCounty(voters.slice(0, windows.length), {
          now: `${day}T14:00:00Z`,
          settings: { time_zone: timeZone },
        });
        await sql`update elections set election_date = ${day}::date + 10`.execute(
          county.database.system,
        );
        for (const [index, hours] of windows.entries())
          await county.optIn(voters[index] ?? '', {
            email: `${index}@mail.example`,
            sms: `+1352555${1000 + index}`,
            voice: `+1352555${2000 + index}`,
            ...(hours ? { hours } : {}),
          });
        await county.importBallots(
          windows.map(
            (_, index) =>
              ({ voter: voters[index] ?? '', status: 'Outbound', mailed: day }) as const,
          ),
        );
        const parts = await createParts();
        // Two days pass, however small the steps were.
        for (let passed = 0, turn = 0; passed < 2 * 1440; turn += 1) {
          await deliverAll(parts);
          const minutes = steps[turn] ?? 200;
          county.clock.advance(minutes * 60_000);
          passed += minutes;
        }
        await deliverAll(parts);
        // PostgreSQL's calendar checks what our own calendar decided.
        const { rows } = await sql<{ sent: number; outside: number }>`
          select count(*)::int as sent, count(*) filter (where not case
              when own_start is null and channel = 'email' then true
              when first < last then at >= first and at < last else at >= first or at < last end)::int as outside
          from (
            select d.channel, (d.received_at at time zone ${timeZone})::time as at, p.hours_start as own_start,
              coalesce(p.hours_start, '08:00') as first, coalesce(p.hours_end, '20:00') as last
            from local_deliveries d join messages m using (message_id) join contact_channels p on p.voter_id = m.voter_id and p.channel = m.channel
          ) received`.execute(county.database.system);
        expect(rows[0]?.outside).toBe(0);
        const openLong = windows.filter((hours) => !hours || isLong(hours)).length;
        expect(rows[0]?.sent).toBeGreaterThanOrEqual(openLong * 2);
      },
    ),
    {
      numRuns: runs(4),
      endOnFailure: true,
      // The steps are so small that only many of them bring the clock to the window.
      examples: [
        [
          'America/New_York',
          '2026-10-31',
          [['00:00', '06:00']],
          Array.from({ length: 26 }, () => 5),
        ],
      ],
    },
  );
});

/** So long that steps of at most 200 minutes over two days must fall into it. */
function isLong([start, end]: readonly [string, string]): boolean {
  const minute = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  return (minute(end) - minute(start) + 1440) % 1440 > 320;
}
