import { addDays } from '../../demo/generator/calendar.ts';
import type { Random } from '../../demo/generator/random.ts';
import type { Direction } from '../../server/src/modules/mail-pieces/index.ts';
import type { MailClass, MailDays } from '../../server/src/modules/stopped-mail/index.ts';

/** A scan, by the day on which the machine made it and the day of the office's file that has it. */
export interface Sight {
  readonly on: string;
  readonly reportedOn: string;
  readonly facility: string;
  /** The carrier has it: the voter's page expects the delivery that day. */
  readonly isLast: boolean;
}

/** One envelope on one way. Days are `YYYY-MM-DD`. */
export interface Envelope {
  readonly direction: Direction;
  readonly mailClass: MailClass;
  readonly sentOn: string;
  readonly expectedOn: string | null;
  /** By the machines that scanned it, in order. */
  readonly sights: readonly Sight[];
  /** By all machines that it passed, whether they scanned it or not. */
  readonly passes: readonly Sight[];
  /** It stays at the facility of its last pass. */
  readonly isStuck: boolean;
  /** The first day on which the office's own record ends the matter; null when it never does. */
  readonly recordedOn: string | null;
}

const plants = ['NORTH', 'SOUTH', 'EAST', 'WEST', 'RIVER', 'HARBOR'] as const;

/** A facility from which nothing leaves that comes in on one of the days. */
export interface Jam {
  readonly facility: string;
  readonly from: string;
  readonly to: string;
}

const electionDay = '2026-11-03';
/** Until which day the season is watched: so long an office goes on recording. */
export const seasonEnd = '2026-11-20';
const mailings = ['2026-10-05', '2026-10-06', '2026-10-08', '2026-10-09', '2026-10-13'] as const;

/** A share of envelopes that no machine ever scans; of the others each machine misses some. */
const neverScanned = 0.1;
const missedScans = 0.05;
const stuckAlone = 0.002;
const reportedLater = 0.05;

/** Days of delivery by class, as USPS has published them for ballots and for Marketing Mail. */
const journey: Readonly<Record<MailClass, readonly (readonly [number, number])[]>> = {
  'first-class': [
    ...([
      [1, 20],
      [2, 45],
      [3, 32],
      [4, 1.6],
      [5, 0.7],
      [6, 0.35],
      [7, 0.23],
    ] as const),
    ...([
      [8, 0.06],
      [9, 0.04],
      [10, 0.02],
    ] as const),
  ],
  marketing: [
    ...([
      [3, 14],
      [4, 20],
      [5, 20],
      [6, 16],
      [7, 12],
      [8, 9],
      [9, 5],
      [10, 3],
    ] as const),
    ...([
      [11, 0.5],
      [12, 0.3],
      [13, 0.2],
    ] as const),
  ],
  other: [[5, 1]],
};

export function drawJams(random: Random): readonly Jam[] {
  return Array.from({ length: 3 }, () => {
    const from = addDays('2026-10-06', random.between(0, 10));
    return { facility: random.pick(plants), from, to: addDays(from, random.between(0, 1)) };
  });
}

/** One voter's envelopes: to the voter, and back if the voter returns it and nothing stops it. */
export function drawEnvelopes(random: Random, jams: readonly Jam[], days: MailDays): Envelope[] {
  const mailClass = random.chance(0.5) ? 'first-class' : 'marketing';
  const sentOn = random.pick(mailings);
  const expectedOn = days.add(sentOn, mailClass === 'first-class' ? 3 : 8);
  const out = travel(random, jams, { direction: 'outbound', mailClass, sentOn });
  const arrivedOn = out.passes.at(-1)?.on ?? sentOn;
  const returnedOn = addDays(arrivedOn, random.between(2, 18));
  const isReturned = !out.isStuck && returnedOn <= electionDay && random.chance(0.8);
  if (!isReturned) return [{ ...out, expectedOn, recordedOn: null }];
  const back = travel(random, jams, {
    direction: 'inbound',
    mailClass: 'first-class',
    sentOn: returnedOn,
  });
  // The office opens and records what came a business day later, in busy weeks two.
  const recordedOn = back.isStuck
    ? null
    : days.add(
        back.passes.at(-1)?.on ?? returnedOn,
        random.weigh([
          [1, 7],
          [2, 3],
        ]),
      );
  const seenBackOn = back.sights[0]?.reportedOn ?? recordedOn;
  return [
    { ...out, expectedOn, recordedOn: seenBackOn },
    { ...back, expectedOn: null, recordedOn },
  ];
}

function travel(
  random: Random,
  jams: readonly Jam[],
  leg: Pick<Envelope, 'direction' | 'mailClass' | 'sentOn'>,
): Omit<Envelope, 'expectedOn' | 'recordedOn'> {
  const transit = random.weigh(journey[leg.mailClass]);
  const [origin, destination] = [random.pick(plants), random.pick(plants)];
  const arrival = workingDays(leg.sentOn, transit);
  const halfway = workingDays(leg.sentOn, Math.ceil(transit / 2));
  const route: readonly (readonly [string, string, boolean])[] = [
    [leg.sentOn, origin, false],
    [halfway, destination, false],
    // Letters are sorted for the carrier's route in two passes (operations 918 and 919).
    [arrival, `CARRIERS ${destination}`, leg.direction === 'outbound'],
    [arrival, `CARRIERS ${destination}`, leg.direction === 'outbound'],
  ];
  const passes: Sight[] = [];
  let isStuck = false;
  const stopsAlone = random.chance(stuckAlone) ? random.between(0, 1) : null;
  for (const [place, [on, facility, isLast]] of route.entries()) {
    const reportedOn = addDays(on, random.chance(reportedLater) ? 2 : 1);
    passes.push({ on, reportedOn, facility, isLast });
    isStuck =
      place === stopsAlone ||
      jams.some((jam) => jam.facility === facility && jam.from <= on && on <= jam.to);
    if (isStuck) break;
  }
  const isNeverScanned = random.chance(neverScanned);
  const sights = passes.filter(() => !random.chance(missedScans) && !isNeverScanned);
  return { ...leg, sights, passes, isStuck };
}

const holidays = ['2026-10-12', '2026-11-11'];

/** Mail moves from Monday to Saturday, and not on holidays. */
function workingDays(from: string, count: number): string {
  let day = from;
  for (let left = count; left > 0; ) {
    day = addDays(day, 1);
    const isSunday = new Date(`${day}T12:00Z`).getUTCDay() === 0;
    if (!isSunday && !holidays.includes(day)) left -= 1;
  }
  return day;
}
