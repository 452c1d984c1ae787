import { ballotSituations, scanSituations } from './cast/ballot-situations.ts';
import { fixSituations, lawSituations } from './cast/fix-situations.ts';
import { lakeSituations } from './cast/lake-situations.ts';
import type { CastMember } from './cast/member.ts';
import { nameSituations } from './cast/name-situations.ts';

export type { CastMember } from './cast/member.ts';

/** One named voter per situation; `demo.test.ts` proves that the files have each of them. */
export const cast = {
  ...ballotSituations,
  ...nameSituations,
  ...scanSituations,
  ...fixSituations,
  ...lawSituations,
  ...lakeSituations,
} as const satisfies Record<string, CastMember>;

export type Situation = keyof typeof cast;
export const situations = Object.keys(cast) as readonly Situation[];

/** The voters that the start line and the README name first, one per account. */
export const firstToTry = { demo: 'accepted', lake: 'token' } as const satisfies Record<
  CastMember['account'],
  Situation
>;
