import process from 'node:process';
import type { Call } from '@ballot-beacon/contract/calls';
import { Problem, problemContentType } from '@ballot-beacon/contract/problem';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { runs } from './runs.ts';
import { strangeTexts, strangeValues } from './strange-values.ts';

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

/** Of another office's voter: no answer may contain it, unless it was typed. */
export const foreignMark = 'FOREIGN-MARK';

export interface FuzzRun<Asked> {
  readonly seed: number;
  readonly requests: number;
  readonly anyRequest: fc.Arbitrary<Asked>;
  /** Made before all others, so that an answer that chance seldom brings is met in a run of any size. */
  readonly first?: readonly Asked[];
  /** Requests log out and remove people: without new sessions most of them would have none. */
  renewSessions(): Promise<void>;
  inject(asked: Asked): Promise<LightMyRequestResponse>;
  /** The contract's call that is asked; left out where requests are for none. */
  callOf?(asked: Asked): Call<string>;
}

/**
 * Makes requests of any shape. Each answer is below 500, carries the protective headers, has nothing of another office,
 * and is as the contract says: the call's own status and form, or a problem.
 *
 * @returns how often each status was met
 */
export async function fuzz<Asked>(run: FuzzRun<Asked>): Promise<ReadonlyMap<number, number>> {
  const { seed, requests, anyRequest, first = [], callOf } = run;
  const statuses = new Map<number, number>();
  let made = 0;
  await fc.assert(
    fc.asyncProperty(anyRequest, async (asked) => {
      made += 1;
      if (made % 200 === 0) await run.renewSessions();
      const answer = await run.inject(asked);
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
      expect(answer.statusCode, answer.body).toBeLessThan(500);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      if (!JSON.stringify(asked).includes(foreignMark))
        expect(answer.body).not.toContain(foreignMark);
      if (callOf) expectContract(answer, callOf(asked));
    }),
    {
      numRuns: requests,
      seed,
      examples: first.map((asked) => [asked]),
      endOnFailure: requests > 5_000,
    },
  );
  return statuses;
}

const notModified = 304;

function expectContract(answer: LightMyRequestResponse, call: Call<string>): void {
  const [type] = String(answer.headers['content-type'] ?? '').split(';');
  if (answer.statusCode >= 400) {
    expect(type).toBe(problemContentType);
    expect(Problem.parse(answer.json()).status).toBe(answer.statusCode);
    return;
  }
  if (answer.statusCode === notModified) return;
  expect(answer.statusCode).toBe(call.success);
  if (call.answer) expect(call.answer.safeParse(answer.json()).error).toBeUndefined();
  else if (call.answerFile) expect(type).toBe(call.answerFile);
  else expect(answer.body).toBe('');
}

/** A right body with some members replaced by anything at all, or something else altogether. */
export function bodiesOf(
  good: fc.Arbitrary<Record<string, unknown>> = fc.constant({}),
): fc.Arbitrary<unknown> {
  const spoiled = fc
    .tuple(good, fc.array(fc.tuple(fc.nat(9), strangeValues), { minLength: 1, maxLength: 3 }))
    .map(([body, changes]) => {
      const keys = [...Object.keys(body), 'extra'];
      return {
        ...body,
        ...Object.fromEntries(changes.map(([at, value]) => [keys[at % keys.length], value])),
      };
    });
  return fc.oneof(
    { weight: 3, arbitrary: good },
    { weight: 4, arbitrary: spoiled },
    fc.jsonValue(),
    strangeTexts,
  );
}

/** Parameters that the call has and some that none has, with these values or anything at all. */
export function queriesOf(
  call: Call<string>,
  values: fc.Arbitrary<string>,
): fc.Arbitrary<[string, string][]> {
  const { shape = {} } = (call.query ?? {}) as { readonly shape?: object };
  return fc.array(
    fc.tuple(
      fc.constantFrom(...Object.keys(shape), 'language', '__proto__', 'x[]'),
      fc.oneof(values, strangeTexts),
    ),
    { maxLength: 4 },
  );
}

/** The address of a call, with one text for each of its parameters. */
export function urlOf(
  call: Call<string>,
  parameter: string,
  query: readonly (readonly [string, string])[],
): string {
  const path = call.path.replaceAll(/:\w+/g, () => encode(parameter));
  const search = query.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&');
  return `${path}${search && `?${search}`}`;
}

/** What belongs into an address, of any text. */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** One of 65,536 addresses of visitors. */
export function visitorAddress(number: number): string {
  return `10.9.${number >> 8}.${number & 255}`;
}
