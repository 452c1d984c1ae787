import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { runs, timeFor } from '../../../../../../testing/runs.ts';
import { sql } from '../../../../../../testing/sql.ts';
import {
  arrivingMark,
  type BallotEvent,
  buildStatusHistory,
  deriveBallotStatus,
} from '../../../ballots/index.ts';

vi.setConfig({ testTimeout: timeFor(180_000) });

let office: TestOffice;
const ballots = 3;
const today = '2026-11-21';

beforeAll(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-12-08');
  await importDone(
    'beacon-voters',
    [
      'registration_id,firstname,lastname,birthdate,zipcode',
      ...Array.from({ length: 9000 }, (_, id) => `${id},Ann,Lee,01/02/1950,99301`),
    ].join('\n'),
  );
});
afterAll(() => office.close());

interface Scan {
  readonly ballot: number;
  readonly stid: '716' | '777';
  readonly at: string;
  readonly phase: string;
  readonly type: string;
  readonly state: string;
  readonly expected: string;
}
const anyScan: fc.Arbitrary<Scan> = fc.record({
  ballot: fc.nat(ballots - 1),
  stid: fc.constantFrom('716', '716', '777'),
  at: fc
    .tuple(
      fc.constantFrom('16', '17', '18', '19', '20', '21'),
      fc.constantFrom('06', '09', '15', '23'),
    )
    .map(([day, hour]) => `2026-11-${day}T${hour}:20:00`),
  phase: fc.constantFrom('1a', '2a', '3c', '4c', 'PARS', 'Foreign', ''),
  type: fc.constantFrom('A', 'A', 'A', 'S', 'L', 'X'),
  // By another clock than the office's, by its own, by an unknown clock.
  state: fc.constantFrom('NC', 'WA', 'TN', 'HI'),
  expected: fc.constantFrom('', '2026-11-20', '2026-11-23'),
});

/** What an office may say of a ballot, one file after the other. */
const stories = [
  ['requested,,,2026-11-10', 'sent,2026-11-16,,'],
  ['printed,,,2026-11-12', 'sent,2026-11-17,,', 'returned,2026-11-17,2026-11-20,'],
  ['sent,2026-11-16,,', 'undeliverable,2026-11-16,,2026-11-18', 'reprinted,2026-11-19,,2026-11-19'],
  ['sent,2026-11-16,,', 'sent,2026-11-18,,', 'sent,2026-11-18,,2026-11-20'],
  [
    'sent,2026-11-16,,',
    'returned,2026-11-16,2026-11-19,',
    'accepted,2026-11-16,2026-11-19,2026-11-20',
  ],
] as const;

type Step =
  | { readonly kind: 'office'; readonly file: number }
  | { readonly kind: 'pieces'; readonly ballots: readonly number[] }
  | {
      readonly kind: 'scans';
      readonly way: 'pushed' | 'pulled' | 'delimited';
      readonly scans: readonly Scan[];
    };

const anyCase = fc
  .record({
    // Of one story, all of the office's ballots could get another day at once, and such a file waits for a person.
    records: fc
      .array(fc.constantFrom(...stories), { minLength: ballots, maxLength: ballots })
      .filter((records) => new Set(records).size > 1),
    scans: fc.uniqueArray(anyScan, {
      maxLength: 10,
      // Two of one moment are one scan.
      selector: ({ ballot, stid, at, type }) => [ballot, stid, at, type].join(),
    }),
  })
  .chain(({ records, scans }) =>
    fc.record({
      records: fc.constant(records),
      scans: fc.constant(scans),
      // Each piece and scan comes once at least, in any file, by any way; then some of them again.
      pieces: fc.array(fc.subarray([0, 1, 2]), { maxLength: 2 }),
      files: fc.array(
        fc.tuple(fc.constantFrom('pushed', 'pulled', 'delimited'), fc.subarray(scans)),
        { maxLength: 4 },
      ),
      cut: fc.nat(10),
      places: fc.array(fc.nat(1000), { minLength: 12, maxLength: 12 }),
    }),
  )
  .map(({ records, scans, pieces, files, cut, places }) => {
    const others: Step[] = [
      { kind: 'pieces', ballots: [0, 1, 2] },
      ...pieces.map((some): Step => ({ kind: 'pieces', ballots: some })),
      { kind: 'scans', way: 'pushed', scans: scans.slice(0, cut) },
      { kind: 'scans', way: 'delimited', scans: scans.slice(cut) },
      ...files.map(([way, some]): Step => ({ kind: 'scans', way, scans: some })),
    ];
    // The office's own files keep their order, and ballots come before their pieces.
    const steps: Step[] = [0, 1, 2].map((file) => ({ kind: 'office', file }));
    for (const [index, step] of others.entries()) {
      const place = (places[index] ?? 0) % (steps.length + 1);
      steps.splice(step.kind === 'pieces' ? Math.max(1, place) : place, 0, step);
    }
    const firstOffice = steps.findIndex((step) => step.kind === 'office');
    const early = steps.slice(0, firstOffice).filter((step) => step.kind === 'pieces');
    return {
      records,
      scans,
      steps: [
        ...steps.slice(0, firstOffice).filter((step) => step.kind !== 'pieces'),
        ...steps.slice(firstOffice, firstOffice + 1),
        ...early,
        ...steps.slice(firstOffice + 1),
      ],
    };
  });

test('any split of the files, any repetition and any order of pieces and scans ends in the same state', async () => {
  let nextVoter = 0;
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ records, scans, steps }) => {
      // The gate counts a week's files together: those of the other examples are older.
      await sql`update imports set started_at = started_at - interval '8 days'`.execute(
        office.db.database.system,
      );
      const base = nextVoter;
      nextVoter += 2 * ballots;
      const plain: Step[] = [
        ...[0, 1, 2].map((file): Step => ({ kind: 'office', file })),
        { kind: 'pieces', ballots: [0, 1, 2] },
        { kind: 'scans', way: 'pushed', scans },
      ];
      for (const step of plain) await take(base, records, step);
      for (const step of steps) {
        await take(base + ballots, records, step);
        await expectDerived(base + ballots);
      }
      for (let ballot = 0; ballot < ballots; ballot += 1) {
        expect(await stateOf(base + ballots + ballot)).toEqual(await stateOf(base + ballot));
      }
    }),
    { numRuns: runs(10), endOnFailure: true },
  );
});

function codeOf(base: number, { ballot, stid }: Pick<Scan, 'ballot' | 'stid'>): string {
  return `00${stid}123456${String(base + ballot).padStart(9, '0')}`;
}

async function take(
  base: number,
  records: readonly (readonly string[])[],
  step: Step,
): Promise<void> {
  if (step.kind === 'office') {
    const rows = records.map(
      (story, ballot) => `${base + ballot},7,${story[step.file] ?? story.at(-1)}`,
    );
    await importDone(
      'beacon-ballots',
      ['registration_id,election,status,sent_on,returned_on,status_on', ...rows].join('\n'),
    );
  } else if (step.kind === 'pieces') {
    if (step.ballots.length === 0) return;
    const rows = step.ballots.map((ballot) =>
      [
        base + ballot,
        7,
        codeOf(base, { ballot, stid: '716' }),
        codeOf(base, { ballot, stid: '777' }),
        // The mail house says of one when it was printed, of the others only that they are.
        ballot === 1 ? '2026-11-13' : '',
      ].join(),
    );
    await importDone(
      'beacon-mailpieces',
      ['registration_id,election,outbound_imb,inbound_imb,printed_on', ...rows].join('\n'),
    );
  } else if (step.scans.length > 0) {
    await importDone('usps-iv-mtr', write(base, step.way, step.scans));
  }
}

async function importDone(format: string, content: string): Promise<void> {
  const { state, report } = await office.import(format, content);
  expect(report.rows.refused, JSON.stringify(report.refusals)).toBe(0);
  // An office's file that comes again waits when a newer file is in: it must not undo that.
  const codes = report.gate?.map(({ code }) => code);
  if (state === 'file-held') expect(codes).toEqual(['old-file']);
  else expect(['done', 'nothing-new']).toContain(state);
}

function write(
  base: number,
  way: 'pushed' | 'pulled' | 'delimited',
  scans: readonly Scan[],
): string {
  if (way === 'delimited') {
    const rows = scans.map((scan) =>
      [
        scan.expected,
        codeOf(base, scan),
        scan.state,
        scan.at.replace('T', ' '),
        scan.type,
        scan.phase,
        '517',
      ].join('|'),
    );
    const header =
      'Expected Delivery Date|imb_tracking_code|SCAN_FACILITY_STATE|scanDatetime|handling_event_type|mailPhase|scan_event_code';
    return [header, ...rows].join('\n');
  }
  if (way === 'pushed') {
    const events = scans.map((scan) => ({
      imb: `${codeOf(base, scan)}99301`,
      scanDatetime: scan.at,
      mailPhase: scan.phase,
      handlingEventType: scan.type,
      scanEventCode: '517',
      scanFacilityState: scan.state,
      expectedDeliveryDate: scan.expected,
    }));
    return JSON.stringify({ msgGrpId: '1', events });
  }
  return scans
    .map((scan) => ({
      data: {
        imb: `${codeOf(base, scan)}99301`,
        expected_delivery_date: scan.expected,
        scans: [
          {
            scan_date_time: scan.at,
            mail_phase: scan.phase,
            handling_event_type: scan.type,
            scan_event_code: '517',
            scan_facility_state: scan.state,
          },
        ],
      },
    }))
    .map((piece) => JSON.stringify(piece))
    .join('\n');
}

interface BallotRow {
  ballot_id: number;
  current_status: string;
  current_event_id: number | null;
  outbound: string | null;
  inbound: string | null;
}

async function ballotOf(voter: number): Promise<BallotRow | undefined> {
  const { rows } = await sql<BallotRow>`
    select ballot_id, current_status, current_event_id, outbound_expected_delivery_date as outbound,
      inbound_expected_delivery_date as inbound
    from ballots b join voters v using (voter_id) where v.registration_id = ${String(voter)}`.execute(
    office.db.database.system,
  );
  return rows[0];
}

async function eventsOf(ballotId: number): Promise<BallotEvent[]> {
  const { rows } = await sql<Omit<BallotEvent, 'occurredAt'> & { occurredAt: Date | null }>`
    select event_id as "eventId", kind, status, occurred_at as "occurredAt", recorded_at::date as "recordedOn",
      coalesce((occurred_at at time zone 'America/Los_Angeles')::date, occurred_on) as "occurredOn"
    from ballot_events where ballot_id = ${ballotId}
      and not (kind = 'estimate' and raw_status = ${arrivingMark} and occurred_on >= ${today})
    order by event_id`.execute(office.db.database.system);
  return rows.map((row) => ({ ...row, occurredAt: row.occurredAt?.toISOString() ?? null }));
}

async function stateOf(voter: number) {
  const ballot = await ballotOf(voter);
  if (!ballot) throw new Error(`Voter ${voter} has no ballot.`);
  const events = await eventsOf(ballot.ballot_id);
  const { eventId: _, ...derived } = deriveBallotStatus(events);
  return {
    status: ballot.current_status,
    outbound: ballot.outbound,
    inbound: ballot.inbound,
    derived,
    history: buildStatusHistory(events),
  };
}

async function expectDerived(base: number): Promise<void> {
  for (let voter = base; voter < base + ballots; voter += 1) {
    const ballot = await ballotOf(voter);
    if (!ballot) continue;
    const { status, eventId } = deriveBallotStatus(await eventsOf(ballot.ballot_id));
    expect([ballot.current_status, ballot.current_event_id]).toEqual([status, eventId]);
  }
}
