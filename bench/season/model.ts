import { addDays, type Day, workday } from '../../demo/generator/calendar.ts';
import { createRandom, type Random } from '../../demo/generator/random.ts';

export const electionDay: Day = '2026-11-03';
/** The office's last day to fix an envelope. */
export const fixDeadline: Day = addDays(electionDay, 9);
/** An office's first file of the season, a Monday, 50 days before the election. */
const firstFile: Day = '2026-09-14';
const fileCount = 45;

export type State =
  | 'requested'
  | 'sent'
  | 'returned'
  | 'accepted'
  | 'curable'
  | 'rejected'
  | 'undeliverable'
  | 'replaced'
  | 'cancelled'
  | 'in-person';

export type Reason = 'signature' | 'late' | 'undeliverable' | 'voted' | '';

interface Happening {
  readonly on: Day;
  readonly state: State;
  readonly reason: Reason;
}

/** An envelope of a voter with everything that happens to it over the season. */
interface Ballot {
  /** Place of the voter on the roll, from 0. */
  readonly voter: number;
  /** 1 for the voter's first envelope, 2 for its replacement. */
  readonly copy: number;
  /** A vote cast at an early voting site, without an envelope. */
  readonly isEarlyVote: boolean;
  readonly happenings: readonly Happening[];
}

/** A ballot as the office knows it on the morning of a file. */
export interface BallotNow {
  readonly voter: number;
  readonly copy: number;
  readonly isEarlyVote: boolean;
  readonly state: State;
  readonly stateOn: Day;
  readonly reason: Reason;
  readonly requestedOn: Day;
  readonly sentOn: Day | '';
  readonly returnedOn: Day | '';
}

/** What differs between states' ways of voting by mail. */
export interface Customs {
  /** Days before the election on which the office mails all ballots asked for until then. */
  readonly mailsBefore: number;
  /** Part of the roll that votes by mail. */
  readonly byMail: number;
  /** Part of the roll that votes early in person and shows in the ballot files. */
  readonly earlyVotes: number;
  /** The county's board decides on Tuesdays until the last week; otherwise verdicts follow in days. */
  readonly hasBoard: boolean;
}

/** A file of an office. */
export interface DailyFile {
  /** The morning on which it was exported. */
  readonly of: Day;
  /** The morning on which it came. */
  readonly on: Day;
}

/**
 * The office's files: 45 or fewer, none on weekends, except one Saturday's in place of a lost weekday's. Some offices send the lost one
 * on the next morning, just before that day's file.
 * @param hasRows whether there is anything to export; an office without does not send a file
 */
export function listFiles(seed: string, hasRows: (day: Day) => boolean): DailyFile[] {
  const random = createRandom(`${seed} files`);
  const days: Day[] = [];
  const end = addDays(electionDay, 20);
  for (let day = firstFile; days.length < fileCount && day < end; day = workday(addDays(day, 1)))
    if (hasRows(day)) days.push(day);
  const lost = random.between(5, days.length - 5);
  const fridays = days.filter((day) => workday(addDays(day, 1)) !== addDays(day, 1)).slice(1, -1);
  const saturday = addDays(random.pick(fridays), 1);
  const isSentLater = random.chance(0.5);
  const mornings = [...days, saturday].sort();
  return mornings.flatMap((of, place) => {
    if (of !== days[lost]) return [{ of, on: of }];
    return isSentLater ? [{ of, on: mornings[place + 1] ?? of }] : [];
  });
}

/** Draws a county's season: the same for the same seed, size and customs. */
export function drawBallots(seed: string, voters: number, customs: Customs): Ballot[] {
  const random = createRandom(`${seed} ballots`);
  const ballots: Ballot[] = [];
  for (let voter = 0; voter < voters; voter += 1) {
    if (random.chance(customs.byMail)) ballots.push(...drawVoter(random, voter, customs));
    else if (random.chance(customs.earlyVotes / (1 - customs.byMail)))
      ballots.push(drawEarlyVote(random, voter));
  }
  return ballots;
}

function drawEarlyVote(random: Random, voter: number): Ballot {
  const on = addDays(electionDay, -random.between(3, 19));
  return {
    ...{ voter, copy: 1, isEarlyVote: true },
    happenings: [{ on, state: 'in-person', reason: '' }],
  };
}

function drawVoter(random: Random, voter: number, customs: Customs): Ballot[] {
  // The law lets military and overseas voters have their ballots 45 days before.
  const isAbroad = random.chance(0.04);
  const mailing = addDays(electionDay, -(isAbroad ? 45 : customs.mailsBefore));
  const isStanding = random.chance(0.8);
  const requestedOn = isStanding
    ? addDays(firstFile, -random.between(20, 200))
    : workday(addDays(electionDay, -random.between(12, 60)));
  const sentOn =
    requestedOn < mailing ? mailing : workday(addDays(requestedOn, random.between(1, 3)));
  const first: Happening[] = [
    { on: requestedOn, state: 'requested', reason: '' },
    { on: sentOn, state: 'sent', reason: '' },
  ];
  const make = (copy: number, happenings: readonly Happening[]): Ballot => ({
    ...{ voter, copy, isEarlyVote: false, happenings },
  });
  const replace = (on: Day, state: State, reason: Reason): Ballot[] => {
    const again = workday(addDays(on, random.between(1, 3)));
    const second: Happening[] = [
      { on, state: 'requested', reason: '' },
      { on: again, state: 'sent', reason: '' },
    ];
    return [
      make(1, [...first, { on, state, reason }]),
      make(2, [...second, ...drawReturn(random, again, customs)]),
    ];
  };

  if (random.chance(0.015)) {
    const on = workday(addDays(sentOn, random.between(8, 20)));
    if (random.chance(0.4) && on < addDays(electionDay, -5))
      return replace(on, 'undeliverable', 'undeliverable');
    return [make(1, [...first, { on, state: 'undeliverable', reason: 'undeliverable' }])];
  }
  if (random.chance(0.015)) {
    const on = workday(addDays(sentOn, random.between(5, 25)));
    if (on < addDays(electionDay, -4)) return replace(on, 'replaced', '');
  }
  if (random.chance(0.004)) {
    const on = workday(addDays(sentOn, random.between(1, 15)));
    return [make(1, [...first, { on, state: 'cancelled', reason: '' }])];
  }
  if (random.chance(0.06)) {
    const on = addDays(electionDay, -random.between(0, 15));
    if (on > sentOn) return [make(1, [...first, { on, state: 'in-person', reason: 'voted' }])];
  }
  return [make(1, [...first, ...drawReturn(random, sentOn, customs)])];
}

/** How an envelope comes back, if it does, and what the office then decides. */
function drawReturn(random: Random, sentOn: Day, customs: Customs): Happening[] {
  if (!random.chance(0.78)) return [];
  const soon = 5 + Math.round(-12 * Math.log(1 - random.next()));
  const atTheEnd = addDays(electionDay, random.between(-8, 1));
  const drawn = random.chance(0.3) ? atTheEnd : addDays(sentOn, soon);
  const back = drawn > addDays(sentOn, 3) ? drawn : addDays(sentOn, 4);
  // The Postal Service does not bring mail on Sundays.
  const isSunday = new Date(`${back}T12:00Z`).getUTCDay() === 0;
  const on = isSunday ? addDays(back, 1) : back;
  if (on > addDays(electionDay, 7)) return [];
  const returned: Happening = { on, state: 'returned', reason: '' };
  if (on > electionDay) {
    const decided = workday(addDays(on, random.between(0, 2)));
    return [returned, { on: decided, state: 'rejected', reason: 'late' }];
  }
  const decided = drawDecision(random, on, customs);
  if (random.chance(0.022)) return [returned, ...drawProblem(random, decided)];
  const accepted: Happening = { on: decided, state: 'accepted', reason: '' };
  // A clerk reopens a verdict, and decides again the next day.
  if (!random.chance(0.001)) return [returned, accepted];
  const reopened = workday(addDays(decided, random.between(1, 4)));
  return [
    ...[returned, accepted, { on: reopened, state: 'returned' as const, reason: '' as const }],
    { on: workday(addDays(reopened, 1)), state: 'accepted', reason: '' },
  ];
}

function drawDecision(random: Random, on: Day, { hasBoard }: Customs): Day {
  const soon = workday(
    addDays(
      on,
      random.weigh([
        [0, 5],
        [1, 3],
        [2, 1.5],
        [3, 0.5],
      ]),
    ),
  );
  if (!hasBoard || on > addDays(electionDay, -7)) return soon;
  const tuesday = 2;
  const weekday = new Date(`${on}T12:00Z`).getUTCDay();
  return addDays(on, ((tuesday - weekday + 7) % 7) + (weekday === tuesday ? 7 : 0));
}

function drawProblem(random: Random, decided: Day): Happening[] {
  if (random.chance(0.3)) return [{ on: decided, state: 'rejected', reason: 'signature' }];
  const curable: Happening = { on: decided, state: 'curable', reason: 'signature' };
  const cured = workday(addDays(decided, random.between(2, 12)));
  if (random.chance(0.55) && cured < fixDeadline)
    return [curable, { on: cured, state: 'accepted', reason: '' }];
  return [curable, { on: fixDeadline, state: 'rejected', reason: 'signature' }];
}

/** The ballots that the office knows on a morning: whatever happened on the days before. */
export function* ballotsOn(ballots: readonly Ballot[], morning: Day): Generator<BallotNow> {
  for (const { voter, copy, isEarlyVote, happenings } of ballots) {
    let [now, requestedOn, sentOn, returnedOn] = [undefined as Happening | undefined, '', '', ''];
    for (const happening of happenings) {
      if (happening.on >= morning) break;
      now = happening;
      if (happening.state === 'requested') requestedOn = happening.on;
      if (happening.state === 'sent') sentOn = happening.on;
      if (happening.state === 'returned' && returnedOn === '') returnedOn = happening.on;
    }
    if (now === undefined) continue;
    const { state, on: stateOn, reason } = now;
    yield { voter, copy, isEarlyVote, state, stateOn, reason, requestedOn, sentOn, returnedOn };
  }
}
