/** Who asks: under load a voter whose session this process knows is served before a stranger. */
export type Visitor = 'voter' | 'stranger';

export interface AdmissionLimits {
  /** Requests worked on at the same time; the others wait in line. */
  readonly requestsAtOnce: number;
  /**
   * Milliseconds. Newcomers are refused while somebody has waited longer, and who has waited twice as long is refused as
   * well; 0: nobody is refused.
   */
  readonly voterWaitMs: number;
  readonly strangerWaitMs: number;
}

/** Decides who is worked on, who waits and who is asked to come back. */
export interface Admission {
  /** Whether a newcomer is to be refused at once, before anything is read of the request. */
  isFull(visitor: Visitor): boolean;
  /** Calls back when it is this visitor's turn, or with false when the wait became too long. */
  enter(visitor: Visitor, onTurn: (isAdmitted: boolean) => void): Place;
  close(): void;
}

export interface Place {
  /** Gives the place back, or leaves the line; more than once does nothing. */
  leave(): void;
}

interface Waiting {
  readonly since: number;
  readonly onTurn: (isAdmitted: boolean) => void;
}

/** Of each so many turns, one is a stranger's while any waits: nobody is kept from signing in altogether. */
const turnsForOneStranger = 4;
/** A place counts for no longer than this, whatever a request waits for: as long as a visitor's statement may take. */
const longestPlaceMs = 10_000;
const lookMs = 50;
/** Against memory that grows without end where nobody is refused for waiting. */
const mostWaiting = 10_000;

/**
 * @param poolWaitMs how long the oldest request for a connection to the database has waited
 * @param now milliseconds that only grow
 */
export function createAdmission(
  { requestsAtOnce, voterWaitMs, strangerWaitMs }: AdmissionLimits,
  poolWaitMs: () => number = () => 0,
  now: () => number = () => performance.now(),
): Admission {
  const limits: Record<Visitor, number> = {
    voter: voterWaitMs || Number.POSITIVE_INFINITY,
    stranger: strangerWaitMs || Number.POSITIVE_INFINITY,
  };
  /** Both in the order of coming, so that the first is the oldest. */
  const lines: Record<Visitor, Set<Waiting>> = { voter: new Set(), stranger: new Set() };
  const working = new Map<object, number>();
  let votersInARow = 0;
  let timer: NodeJS.Timeout | undefined;

  const countWaiting = () => lines.voter.size + lines.stranger.size;
  const ageOf = (visitor: Visitor) => {
    const [oldest] = lines[visitor];
    return oldest === undefined ? 0 : now() - oldest.since;
  };

  function refuseLate(visitor: Visitor, at: number): void {
    for (const waiting of lines[visitor]) {
      if (at - waiting.since <= 2 * limits[visitor]) return;
      lines[visitor].delete(waiting);
      waiting.onTurn(false);
    }
  }

  function freeOldPlaces(at: number): void {
    for (const [place, since] of working) {
      if (at - since <= longestPlaceMs) return;
      working.delete(place);
    }
  }

  function chooseNext(): Visitor {
    if (lines.voter.size === 0) return 'stranger';
    if (lines.stranger.size === 0) return 'voter';
    return votersInARow >= turnsForOneStranger - 1 ? 'stranger' : 'voter';
  }

  function look(at: number): void {
    freeOldPlaces(at);
    refuseLate('voter', at);
    refuseLate('stranger', at);
    while (working.size < requestsAtOnce && countWaiting() > 0) {
      const visitor = chooseNext();
      const [next] = lines[visitor];
      if (next === undefined) return;
      lines[visitor].delete(next);
      votersInARow = visitor === 'voter' ? votersInARow + 1 : 0;
      working.set(next, at);
      next.onTurn(true);
    }
    if (countWaiting() === 0) {
      clearInterval(timer);
      timer = undefined;
    } else if (timer === undefined) {
      // Also while nobody comes or goes.
      timer = setInterval(() => look(now()), lookMs);
      timer.unref();
    }
  }

  return {
    isFull(visitor) {
      if (countWaiting() >= mostWaiting) return true;
      const strangers = visitor === 'stranger' ? ageOf('stranger') : 0;
      return Math.max(ageOf('voter'), strangers, poolWaitMs()) > limits[visitor];
    },
    enter(visitor, onTurn) {
      // One moment: a pause of the machine between two would refuse whom a place is free for.
      const at = now();
      const waiting: Waiting = { since: at, onTurn };
      lines[visitor].add(waiting);
      look(at);
      return {
        leave() {
          const wasWorking = working.delete(waiting);
          if (wasWorking || lines[visitor].delete(waiting)) look(now());
        },
      };
    },
    close: () => clearInterval(timer),
  };
}
