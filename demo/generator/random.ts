/** Draws that are the same on every machine and every run: the demo's files are compared byte for byte. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from `low` to `high`, both possible. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** Picks by weight, `[choice, weight]`. */
  weigh<T>(choices: readonly (readonly [T, number])[]): T;
}

/** Starts a separate stream per purpose, so that one more draw here does not change the other streams. */
export function createRandom(purpose: string): Random {
  let state = hash(purpose);

  // mulberry32: short, and good enough for invented people.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));

  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (choices) => at(choices, between(0, choices.length - 1)),
    weigh: (choices) => {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [choice, weight] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      return at(choices, choices.length - 1)[0];
    },
  };
}

function at<T>(choices: readonly T[], index: number): T {
  const choice = choices[index];
  if (choice === undefined) throw new Error('nothing to choose from');
  return choice;
}

function hash(text: string): number {
  let value = 2166136261;
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16777619);
  }
  return value;
}
