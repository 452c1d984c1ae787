import * as z from 'zod/mini';

/** A variable of the environment. */
export const wholeNumber = (least: number, most: number) =>
  z.coerce
    .number(`must be a whole number from ${least} to ${most}`)
    .check(
      z.int(`must be a whole number from ${least} to ${most}`),
      z.minimum(least, `must be ${least} or more`),
      z.maximum(most, `must be ${most} or less`),
    );
