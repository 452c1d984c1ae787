import { possibleFirstNames, type TypedNames } from '../voters/index.ts';
import { networksOf } from './networks.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
export const throttleWindows = { hourMs, dayMs } as const;

/** Failures in a row after which a voter's details alone no longer sign in (NIST SP 800-63B-4, 3.2.2). */
export const lifetimeLimit = 100;
/** Failures of the same network that a sign-in from there cancels: the voter's own typing errors. */
export const mostTakenBack = 3;

/** How much harder than usual the proof of work must be; see `workFactors` of captcha.ts. */
export type WorkLevel = 0 | 1 | 2 | 3;

interface KindRules {
  /** The row is deleted this long after its last failure. */
  readonly keptMs: number;
  /** Failures from which the next attempt needs level 1, 2 and 3. */
  readonly work?: {
    readonly hour?: readonly [number, number, number];
    readonly day?: readonly [number, number, number];
    readonly total?: readonly [number, number, number];
  };
  /** Failures after which the next attempt waits for the end of the hour or the day. */
  readonly wait?: { readonly hour: number; readonly day: number };
  readonly isLocking?: true;
  /** Failures in an hour of which the office must know; reported once, when they are reached. */
  readonly alarm?: number;
}

/** The counter of one voter asks for more work but never for waiting: an attacker who fails on purpose must not lock a voter out. */
const ofOneVoter: KindRules = {
  keptMs: 400 * dayMs,
  work: { hour: [5, 10, 20], day: [15, 30, 50], total: [30, 50, 70] },
  isLocking: true,
};

const kinds = {
  /** One first name, last name and ZIP, from everywhere. */
  person: ofOneVoter,
  /** One QR code, of a ballot or of a letter. */
  code: ofOneVoter,
  /** Tokens that were tried for one person. */
  token: ofOneVoter,
  /** A browser that signed this person in before: its own allowance, whatever others did. */
  device: ofOneVoter,
  /** One person from one network, to cancel the voter's own failures. */
  own: { keptMs: dayMs },
  /** Sign-ins of one voter: typing errors are canceled once a day. */
  welcome: { keptMs: dayMs },
  /** One IPv4 address, or the IPv6 /64 that a household or a phone has. */
  address: {
    keptMs: 60 * dayMs,
    work: { total: [200, 500, 1_000] },
    wait: { hour: 20, day: 100 },
  },
  /** An IPv6 /56. */
  site: {
    keptMs: 60 * dayMs,
    work: { total: [400, 1_000, 2_000] },
    wait: { hour: 40, day: 200 },
  },
  /** An IPv6 /48. */
  organization: {
    keptMs: 60 * dayMs,
    work: { total: [800, 2_000, 4_000] },
    wait: { hour: 80, day: 400 },
  },
  /**
   * Different voters who signed in from one address or /64. A nursing home or a library with two a minute meets no
   * limit but harder work.
   */
  visitors: {
    keptMs: dayMs,
    work: { hour: [40, 60, 90] },
    wait: { hour: 120, day: 1_000 },
  },
  /** The same from a /56 and a /48, where a mobile carrier may have thousands of phones. */
  visitorsOfSite: {
    keptMs: dayMs,
    work: { hour: [80, 120, 180] },
    wait: { hour: 240, day: 2_000 },
  },
  visitorsOfOrganization: {
    keptMs: dayMs,
    work: { hour: [400, 600, 900] },
    wait: { hour: 1_200, day: 10_000 },
  },
  /** Saves of one voter from one network. */
  saves: { keptMs: dayMs, wait: { hour: 30, day: 100 } },
  /** Messages that one address of an office gets once more, whichever of its voters asked. */
  resends: { keptMs: dayMs, wait: { hour: 20, day: 20 } },
  /** Contact codes that one network typed for one voter. */
  contactCodes: { keptMs: dayMs, wait: { hour: 15, day: 40 } },
  /**
   * Different voters whose messages one address or /64 sent elsewhere. A nursing home or a help desk does that for some;
   * nobody waits.
   */
  changers: { keptMs: dayMs, alarm: 20 },
  changersOfSite: { keptMs: dayMs, alarm: 40 },
  changersOfOrganization: { keptMs: dayMs, alarm: 150 },
  /**
   * Codes of messages, ballots and letters that were not found, from one address or /64, a /56 and a /48: nobody can
   * try codes in numbers.
   */
  codes: { keptMs: dayMs, wait: { hour: 20, day: 60 } },
  codesOfSite: { keptMs: dayMs, wait: { hour: 40, day: 120 } },
  codesOfOrganization: { keptMs: dayMs, wait: { hour: 200, day: 600 } },
  /** One address that pushes scans to one office with a wrong password. */
  push: { keptMs: dayMs, wait: { hour: 20, day: 200 } },
  /** One address that tries passkeys, invitations or providers' answers at one office's console. */
  console: { keptMs: dayMs, wait: { hour: 20, day: 200 } },
} as const satisfies Record<string, KindRules>;
export type ThrottleKind = keyof typeof kinds;

export interface Throttle {
  readonly kind: ThrottleKind;
  readonly key: Buffer;
}

/** The failures counted for a key before this attempt. */
export interface Counted extends Throttle {
  readonly hour: number;
  readonly hourEndsAt: Date;
  readonly day: number;
  readonly dayEndsAt: Date;
  readonly total: number;
}

/** HMAC with the installation's secret: the same text gives the same bytes, and nobody else can try texts. */
export type Sign = (purpose: string, text: string) => Buffer;

/** What was typed to sign in, read as the roll is. */
export interface TypedPerson {
  readonly names: TypedNames;
  readonly zipcode: string;
  /** `YYYY-MM-DD` */
  readonly birthdate: string;
}

/** One of the voters that a typed name can stand for. */
export interface PossiblePerson {
  readonly firstname: string;
  /** The same for every spelling of this name, in every account. */
  readonly identity: string;
}

/** A voter as the roll has one; names as match_name() writes them. */
export interface NamedVoter {
  readonly firstname: string;
  readonly lastname: string;
  readonly zipcode: string;
}

export function identityOf({ firstname, lastname, zipcode }: NamedVoter): string {
  return [lastname, firstname, zipcode].join('|');
}

/** Sign-in accepts no voter but these, and a failure counts for each of them. */
export function possiblePeople({
  names,
  zipcode,
}: Omit<TypedPerson, 'birthdate'>): PossiblePerson[] {
  return possibleFirstNames(names.firstWords).map((firstname) => ({
    firstname,
    identity: identityOf({ firstname, lastname: names.lastname, zipcode }),
  }));
}

/** Stands for exactly what was typed, so that a solved CAPTCHA goes on with this person only. */
export function keyOfAttempt(sign: Sign, { names, zipcode, birthdate }: TypedPerson): Buffer {
  const typed = [names.lastname, names.firstWords.join(''), zipcode, birthdate];
  return sign('attempt', typed.join('|'));
}

export function createThrottle(sign: Sign, kind: ThrottleKind, what: string): Throttle {
  return { kind, key: sign(`throttle.${kind}`, what) };
}

/** What failures with a letter's code count against. */
export function codeKeyOfLetter(letterCodeId: number): string {
  return `letter|${letterCodeId}`;
}

export function throttlesOfNetwork(sign: Sign, address: string): Throttle[] {
  const widths = ['address', 'site', 'organization'] as const;
  return networksOf(address).map((network, index) =>
    createThrottle(sign, widths[index] ?? 'organization', network),
  );
}

/** Counts the different voters of each of an address's networks. */
export function throttlesOfVisitors(sign: Sign, address: string): Throttle[] {
  const widths = ['visitors', 'visitorsOfSite', 'visitorsOfOrganization'] as const;
  return networksOf(address).map((network, index) =>
    createThrottle(sign, widths[index] ?? 'visitorsOfOrganization', network),
  );
}

/** Counts the different voters whose messages each of an address's networks sent elsewhere. */
export function throttlesOfChangers(sign: Sign, address: string): Throttle[] {
  const widths = ['changers', 'changersOfSite', 'changersOfOrganization'] as const;
  return networksOf(address).map((network, index) =>
    createThrottle(sign, widths[index] ?? 'changersOfOrganization', network),
  );
}

/** Counts the codes that each of an address's networks tried and that are not ours. */
export function throttlesOfCodes(sign: Sign, address: string): Throttle[] {
  const widths = ['codes', 'codesOfSite', 'codesOfOrganization'] as const;
  return networksOf(address).map((network, index) =>
    createThrottle(sign, widths[index] ?? 'codesOfOrganization', network),
  );
}

/** Whether one of these counters has just reached its alarm. */
export function isAlarming(counted: readonly Counted[]): boolean {
  return counted.some(({ kind, hour }) => {
    const { alarm }: KindRules = kinds[kind];
    return alarm !== undefined && hour + 1 === alarm;
  });
}

/** Whether these counters show that one network tries many voters: true once, when a limit is reached. */
export function isSpraying(counted: readonly Counted[]): boolean {
  return counted.some((one) => {
    const { wait, isLocking }: KindRules = kinds[one.kind];
    return (
      wait !== undefined && isLocking !== true && one.kind !== 'push' && one.hour === wait.hour
    );
  });
}

/** How long after a failure its row is of use. */
export function keptMsOf(kind: ThrottleKind): number {
  return kinds[kind].keptMs;
}

/** Until when an attempt with these counters must wait; undefined when it need not. */
export function waitOf(counted: readonly Counted[]): Date | undefined {
  const ends = counted.flatMap(({ kind, hour, hourEndsAt, day, dayEndsAt }) => {
    const { wait }: KindRules = kinds[kind];
    if (!wait) return [];
    return [...(hour >= wait.hour ? [hourEndsAt] : []), ...(day >= wait.day ? [dayEndsAt] : [])];
  });
  if (ends.length === 0) return undefined;
  return new Date(Math.max(...ends.map((end) => end.getTime())));
}

/** The work that an attempt with these counters must prove. */
export function workOf(counted: readonly Counted[]): WorkLevel {
  const levels = counted.flatMap((one) => {
    const { work = {} }: KindRules = kinds[one.kind];
    return (['hour', 'day', 'total'] as const).map(
      (span) => work[span]?.filter((least) => one[span] >= least).length ?? 0,
    );
  });
  return Math.max(0, ...levels) as WorkLevel;
}

/** Whether the lifetime limit of a voter's counter is reached. */
export function isLocked({ kind, total }: Counted): boolean {
  const { isLocking }: KindRules = kinds[kind];
  return isLocking === true && total >= lifetimeLimit;
}
