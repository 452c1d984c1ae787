/** Work that is too heavy to do more than a few times at once. */
export interface FairQueue {
  /**
   * Runs `work` when it is its turn. Those who ask take turns by `who`: one who asks a hundred times waits behind the others,
   * not before them.
   *
   * @throws {QueueFull} when too many wait already, of this one or in all
   */
  run<T>(who: string, work: () => Promise<T>): Promise<T>;
}

export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

interface FairQueueLimits {
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly mostWaitingOfOne: number;
}

export function createFairQueue({
  atOnce,
  mostWaiting,
  mostWaitingOfOne,
}: FairQueueLimits): FairQueue {
  /** In the order of their next turns. */
  const waiting = new Map<string, (() => void)[]>();
  let waitingCount = 0;
  let running = 0;

  const startNext = () => {
    const [next] = waiting;
    if (next === undefined) return;
    const [who, turns] = next;
    const start = turns.shift();
    // To the end of the line, behind everybody else.
    waiting.delete(who);
    if (turns.length > 0) waiting.set(who, turns);
    waitingCount -= 1;
    start?.();
  };
  const waitForTurn = (who: string) => {
    const turns = waiting.get(who) ?? [];
    if (waitingCount >= mostWaiting || turns.length >= mostWaitingOfOne) throw new QueueFull();
    waitingCount += 1;
    waiting.set(who, turns);
    return new Promise<void>((resolve) => turns.push(resolve));
  };
  return {
    async run(who, work) {
      if (running >= atOnce) await waitForTurn(who);
      else running += 1;
      try {
        return await work();
      } finally {
        // The place goes to the next in line, so nobody new can take it in between.
        if (waitingCount > 0) startNext();
        else running -= 1;
      }
    },
  };
}
