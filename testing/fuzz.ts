import process from 'node:process';
import { runs } from './runs.ts';

/** What a fuzz test makes in one go: its limit of time is for that many, however many are asked for. */
const mostAtOnce = 10_000;

/**
 * The parts of a fuzz test, by their seeds. `npm run long` makes twenty times as many requests, `npm run fuzz -- N` that many. A part that
 * failed is run again by FUZZ_SEED.
 *
 * @param usual how many requests `npm test` makes
 */
export function planFuzz(usual: number): {
  readonly parts: number[];
  readonly partRequests: number;
} {
  const requests = Number(process.env.FUZZ_REQUESTS ?? runs(usual));
  const seed = Number(process.env.FUZZ_SEED ?? Math.trunc(Math.random() * 2 ** 31));
  const count = Math.ceil(requests / mostAtOnce);
  return {
    parts: Array.from({ length: count }, (_, part) => seed + part),
    partRequests: Math.ceil(requests / count),
  };
}
