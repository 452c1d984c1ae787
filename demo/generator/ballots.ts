import { addDays, type Day, daysBetween, workday } from './calendar.ts';
import { createRandom, type Random } from './random.ts';
import type { Voter } from './voters.ts';

/** What the office's system says about a ballot from some day on; '' for missing dates and reasons. */
export interface Standing {
  readonly status: string;
  readonly mailed: Day;
  readonly returned: Day;
  readonly reason: Reason | null;
  readonly isReinstated: boolean;
}

export interface Reason {
  readonly code: string;
  readonly description: string;
  readonly isSignatureRelated: boolean;
}

export const reasons = {
  noSignature: {
    code: 'N',
    description: "No signature, voter's certificate not signed",
    isSignatureRelated: true,
  },
  signatureDiffers: {
    code: 'S',
    description: 'Signature differs from signature on file',
    isSignatureRelated: true,
  },
  noId: {
    code: 'X',
    description: 'ID number missing on the envelope',
    isSignatureRelated: false,
  },
  incomplete: {
    code: 'C',
    description: "Voter's certificate incomplete, no date",
    isSignatureRelated: false,
  },
  wrongEnvelope: {
    code: 'E',
    description: 'Ballot in the wrong envelope',
    isSignatureRelated: false,
  },
  other: {
    code: 'O',
    description: 'Referred to the canvassing board',
    isSignatureRelated: false,
  },
  late: {
    code: 'L',
    description: 'Received late, after 7 p.m. on election day',
    isSignatureRelated: false,
  },
  moved: {
    code: 'M',
    description: 'Voter moved to another county',
    isSignatureRelated: false,
  },
  undeliverable: {
    code: 'Z',
    description: 'Returned undeliverable by the post office',
    isSignatureRelated: false,
  },
} as const satisfies Record<string, Reason>;

/** `standing` null: the system leaves the ballot out of its files from that day on. */
export interface Chapter {
  readonly on: Day;
  readonly standing: Standing | null;
}

/** One ballot's life, oldest chapter first. */
export interface Story {
  readonly election: string;
  readonly voter: Voter;
  readonly chapters: readonly Chapter[];
}

const nothing = { mailed: '', returned: '', reason: null, isReinstated: false } as const;

// The chapters of a story. `on` is the day on which the office records it.
export const requested = (on: Day): Chapter => ({
  on,
  standing: { ...nothing, status: 'Requested' },
});
export const sent = (mailed: Day): Chapter => ({
  on: mailed,
  standing: { ...nothing, status: 'Outbound', mailed },
});
export const returned = (mailed: Day, on: Day): Chapter => ({
  on,
  standing: { ...nothing, status: 'Outbound', mailed, returned: on },
});
export const accepted = (mailed: Day, received: Day, on: Day, isReinstated = false): Chapter => ({
  on,
  standing: { ...nothing, status: 'Accepted', mailed, returned: received, isReinstated },
});
export const refused = (
  status: 'Rejected' | 'RejectedCurable' | 'Undeliverable',
  mailed: Day,
  received: Day,
  on: Day,
  reason: Reason,
): Chapter => ({ on, standing: { ...nothing, status, mailed, returned: received, reason } });

/** How one election's ballots go out and come back. */
export interface MailSeason {
  readonly election: string;
  readonly electionDay: Day;
  /** Share of the given voters who asked for a ballot. */
  readonly requestShare: number;
  readonly overseasMailing: Day;
  readonly mailings: readonly (readonly [Day, number])[];
  /** Requests after the mailings come in until this day. */
  readonly lastRequest: Day;
  readonly returnShare: number;
  /** Days in the mail and on the kitchen table. */
  readonly daysOut: readonly [number, number];
}

/** Invents the lives of an election's ballots for those voters who asked for one. */
export function inventBallots(voters: readonly Voter[], season: MailSeason): readonly Story[] {
  const random = createRandom(`ballots of ${season.election} on ${season.electionDay}`);
  const asking = voters.filter(() => random.chance(season.requestShare));
  return asking.map((voter) => ({
    election: season.election,
    voter,
    chapters: inventLife(random, season),
  }));
}

function inventLife(random: Random, season: MailSeason): readonly Chapter[] {
  const chapters: Chapter[] = [];
  let mailed = inventMailing(random, season);
  chapters.push(requested(addDays(mailed, -random.between(1, 3))), sent(mailed));

  if (random.chance(0.035)) {
    const back = workday(addDays(mailed, random.between(6, 15)));
    chapters.push(refused('Undeliverable', mailed, back, back, reasons.undeliverable));
    if (!random.chance(0.4)) return chapters;
    mailed = workday(addDays(back, random.between(1, 4)));
    chapters.push(sent(mailed));
  }

  if (!random.chance(season.returnShare)) return chapters;
  const [soonest, latest] = season.daysOut;
  // Voters who get a ballot late hurry, and still some ballots come back too late.
  const daysLeft = daysBetween(mailed, season.electionDay) + (random.chance(0.02) ? 3 : 0);
  const daysOut = random.between(soonest, Math.max(soonest, Math.min(latest, daysLeft)));
  const back = workday(addDays(mailed, daysOut));
  chapters.push(returned(mailed, back));
  chapters.push(...inventVerdict(random, season, mailed, back));
  return chapters;
}

function inventMailing(random: Random, season: MailSeason): Day {
  if (random.chance(0.04)) return season.overseasMailing;
  const scheduled = random.weigh(season.mailings);
  if (!random.chance(0.2)) return scheduled;
  const span = daysBetween(scheduled, season.lastRequest);
  return workday(addDays(scheduled, random.between(2, Math.max(2, span))));
}

function inventVerdict(random: Random, season: MailSeason, mailed: Day, back: Day) {
  const decided = workday(addDays(back, random.between(0, 3)));
  if (back > season.electionDay) {
    return [refused('Rejected', mailed, back, decided, reasons.late)];
  }
  const course = random.weigh([
    ['accepted', 955],
    ['curable', 38],
    ['rejected', 7],
  ]);
  if (course === 'accepted') return [accepted(mailed, back, decided)];
  if (course === 'rejected') return [refused('Rejected', mailed, back, decided, reasons.moved)];

  const reason = random.pick([reasons.noSignature, reasons.signatureDiffers]);
  const referred = refused('RejectedCurable', mailed, back, decided, reason);
  const lastDayToCure = addDays(season.electionDay, 2);
  const cured = workday(addDays(decided, random.between(2, 8)));
  return random.chance(0.55) && cured <= lastDayToCure
    ? [referred, accepted(mailed, back, cured, true)]
    : [referred, refused('Rejected', mailed, back, addDays(lastDayToCure, 1), reason)];
}

/** The rows the office's system would write at the end of `day`. */
export function standingsAt(stories: readonly Story[], day: Day) {
  return stories.flatMap(({ election, voter, chapters }) => {
    const standing = chapters.findLast((chapter) => chapter.on <= day)?.standing;
    return standing ? [{ election, voter, standing }] : [];
  });
}
export type StandingRow = ReturnType<typeof standingsAt>[number];
