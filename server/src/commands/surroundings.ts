import { type Clock, systemClock } from '../platform/clock.ts';

/** What the command line reaches outside itself: the process of its own, or what a test gives instead. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  writeOutput(text: string): void;
  writeError(text: string): void;
  /** Where progress can be drawn; undefined where nobody watches. */
  readonly terminal: NodeJS.WriteStream | undefined;
  /** Calls `stop` when the user asks the command to end. @returns how to stop listening */
  onInterrupt(stop: () => void): () => void;
}

export const processSurroundings: Surroundings = {
  environment: process.env,
  clock: systemClock,
  writeOutput: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  terminal: process.stderr.isTTY ? process.stderr : undefined,
  onInterrupt(stop) {
    const signals = ['SIGTERM', 'SIGINT'] as const;
    // Once: asking twice ends the process at once.
    for (const signal of signals) process.once(signal, stop);
    return () => {
      for (const signal of signals) process.off(signal, stop);
    };
  },
};

/** 0 done, 1 refused or failed with nothing changed, 2 wrong usage, 3 a file waits for approval with nothing changed. */
export const exitCodes = { done: 0, failed: 1, usage: 2, waiting: 3 } as const;
