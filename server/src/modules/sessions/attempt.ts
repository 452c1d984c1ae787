import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { findDevice } from './device.ts';
import { networksOf } from './networks.ts';
import {
  createThrottle,
  isLocked,
  isSpraying,
  keyOfAttempt,
  lifetimeLimit,
  mostTakenBack,
  possiblePeople,
  type Throttle,
  type TypedPerson,
  throttlesOfNetwork,
  throttlesOfVisitors,
  type WorkLevel,
  waitOf,
  workOf,
} from './throttle-rules.ts';
import {
  countAttempt,
  forgiveAttempt,
  leaveNetworks,
  type Refusal,
  type Welcome,
  type WelcomeCredit,
  welcomeVoter,
} from './throttle-store.ts';

/** The first names that may still sign in by what was typed, and what more each must show. */
export type AllowedPeople = ReadonlyMap<string, { readonly needsToken: boolean }>;

/** An attempt that is already counted as a failure, so that a hundred attempts at once cannot pass the limits. */
export interface OpenedAttempt {
  /** Set where the network made too many attempts. */
  readonly waitUntil: Date | undefined;
  readonly work: WorkLevel;
  readonly allowed: AllowedPeople;
  /** Somebody whom the typed name can stand for has reached the lifetime limit. */
  readonly isPartlyLocked: boolean;
  /** This attempt reaches the lifetime limit if it fails. */
  readonly locksNow: boolean;
  /** One network is trying many voters; true once for each limit reached. */
  readonly isSpraying: boolean;
  /** Nobody was signed in: this person does not count as a voter of the network. @param refusal to be recorded */
  fail(refusal?: Refusal): Promise<void>;
  /** It was no failure after all, and no sign-in either. */
  forgive(): Promise<void>;
  /** For the session of this person: it was no failure, and the voter's own typing errors from here are taken back. */
  succeed(firstname: string, voterId: VoterId): Welcome;
}

export interface AttemptFacts {
  readonly typed: TypedPerson;
  readonly hasToken: boolean;
  readonly address: string;
  /** The device's cookie. */
  readonly device: string | undefined;
  readonly now: Date;
}

/**
 * Counts an attempt to sign in by details and decides what it needs. A browser that signed the person in before has
 * an allowance of its own: neither strangers who guess for this person nor neighbors in the same network use it up. It
 * counts for that person’s birth date alone, and a failure counts for the name too: otherwise the browser of a namesake
 * would have guesses without end.
 */
export async function openAttempt(
  db: Db,
  secrets: Secrets,
  { typed, hasToken, address, device, now }: AttemptFacts,
): Promise<OpenedAttempt> {
  const { sign } = secrets;
  const network = networksOf(address)[0];
  const people = possiblePeople(typed).map((one) => {
    const { identity } = one;
    const known = findDevice(secrets, device, { identity, birthdate: typed.birthdate });
    const person = createThrottle(sign, 'person', identity);
    return {
      ...one,
      isKnownHere: known !== undefined,
      /** Decides what the attempt needs. */
      main: known ? createThrottle(sign, 'device', known.nonce) : person,
      /** Of the name, where the browser’s allowance decides first. */
      beside: known && person,
      isSameDetails: known?.isSameDetails === true,
      own: createThrottle(sign, 'own', `${one.identity}|${network}`),
      token: createThrottle(sign, 'token', one.identity),
    };
  });
  const isKnownHere = people.some((one) => one.isKnownHere);
  const networks = isKnownHere ? [] : throttlesOfNetwork(sign, address);
  const person = keyOfAttempt(sign, typed);
  const visited = isKnownHere ? [] : throttlesOfVisitors(sign, address);
  const tokens = hasToken ? people.map((one) => one.token) : [];
  const beside = people.flatMap((one) => one.beside ?? []);
  const throttles = [
    ...people.map((one) => one.main),
    ...beside,
    ...people.map((one) => one.own),
    ...tokens,
    ...networks,
  ];
  const visitor = { networks: visited, person };
  const counted = await countAttempt(db, throttles, now, isKnownHere ? undefined : visitor);
  const isCounted = ({ key }: Throttle) => counted.some((one) => one.key.equals(key));
  const joined = { networks: visited.filter(isCounted), person };
  const countOf = ({ key }: Throttle) => {
    const found = counted.find((one) => one.key.equals(key));
    if (!found) throw new Error('A counted key is gone.');
    return found;
  };

  const allowed = new Map<string, { needsToken: boolean }>();
  let isPartlyLocked = false;
  for (const { firstname, main, beside, isSameDetails, token } of people) {
    const isNameLocked = isLocked(countOf(beside ?? main));
    // Where the browser's own allowance is used up, it is as any other.
    const isDone = isNameLocked && isLocked(countOf(main));
    const needsToken = isSameDetails ? isDone : isNameLocked;
    const isTokenUsable = hasToken && !isLocked(countOf(token));
    if (!isDone || isTokenUsable) allowed.set(firstname, { needsToken });
    isPartlyLocked ||= isDone;
  }
  const isBeside = ({ key }: Throttle) => beside.some((one) => one.key.equals(key));
  const fail = (refusal?: Refusal) => leaveNetworks(db, joined, refusal);
  const forgive = async () => {
    await fail();
    await forgiveAttempt(db, throttles);
  };
  return {
    waitUntil: waitOf(counted),
    work: workOf(counted.filter((one) => !isBeside(one))),
    isSpraying: isSpraying(counted),
    fail,
    allowed,
    isPartlyLocked,
    locksNow: [...people.map(({ main }) => main), ...beside].some(
      (one) => countOf(one).total === lifetimeLimit - 1,
    ),
    forgive,
    succeed(firstname, voterId) {
      const credits = people.flatMap((one): WelcomeCredit[] => {
        const before = one.firstname === firstname ? countOf(one.own).day : 0;
        const typos = 1 + Math.min(mostTakenBack, before);
        const counters = one.beside ? [one.main, one.beside] : [one.main];
        return [
          ...counters.map((counter) => credit(counter, 1, { failures: typos, total: typos })),
          credit(one.own, 1, { failures: 1 + before, total: 1 + before }),
        ];
      });
      const all = [
        ...credits,
        ...tokens.map((one) => credit(one)),
        // A network's total shows which share of its attempts fails.
        ...networks.map((one) => credit(one, 10)),
      ];
      // Once a day, so that a namesake cannot gain new guesses by signing in again and again.
      return welcomeVoter(createThrottle(sign, 'welcome', `${voterId}`), all, now);
    },
  };
}

function credit(
  throttle: Throttle,
  total = 1,
  first: WelcomeCredit['first'] = { failures: 1, total },
): WelcomeCredit {
  return { ...throttle, failures: 1, total, first };
}
