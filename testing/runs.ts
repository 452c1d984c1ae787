import process from 'node:process';

/**
 * How many examples a property test tries. `npm run long` raises all of them by one setting, for the night and before
 * a release; `npm test` keeps to what finds a mistake within days of it being made.
 *
 * @param usual the number in `npm test`
 */
export function runs(usual: number): number {
  return Math.ceil(usual * factor);
}

const factor = Number(process.env.TEST_RUNS ?? 1);

/** A test's time, for as many more examples. In milliseconds. */
export function timeFor(usual: number): number {
  return usual * Math.max(1, factor);
}
