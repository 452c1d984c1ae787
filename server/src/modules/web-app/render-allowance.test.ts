import { beforeEach, expect, test } from 'vitest';
import { ProblemError } from '../../platform/problem.ts';
import type { Visit } from '../sessions/index.ts';
import { createRenderAllowance } from './render-allowance.ts';

let count: (visit: Visit) => void;
beforeEach(() => {
  count = createRenderAllowance();
});

const start = Date.parse('2026-10-05T15:00:00Z');
const visit = (ip: string, milliseconds = 0, voterId?: number) =>
  ({
    request: { ip },
    session: voterId === undefined ? undefined : { voterId },
    now: new Date(start + milliseconds),
  }) as unknown as Visit;

/** How many of these may be rendered, and how the next one is refused. */
function countAllowed(visits: Iterable<Visit>): {
  allowed: number;
  status: unknown;
  wait: unknown;
} {
  let allowed = 0;
  for (const one of visits) {
    try {
      count(one);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { problem, headers } = error;
      return { allowed, status: problem.status, wait: headers['retry-after'] };
    }
    allowed += 1;
  }
  return { allowed, status: undefined, wait: undefined };
}

function* repeat(make: (time: number) => Visit, most = 3_000): Generator<Visit> {
  for (let time = 0; time < most; time += 1) yield make(time);
}

const inNetwork = (network: number, time: number) =>
  `2001:db8:0:${(network * 256 + time).toString(16)}::1`;

test.each<readonly [string, number, (time: number) => Visit]>([
  ['an address', 60, () => visit('192.0.2.7')],
  ['a home’s network', 60, (time) => visit(`2001:db8:0:1::${(time + 1).toString(16)}`)],
  ['a /56', 120, (time) => visit(inNetwork(0, time % 200))],
  ['a /48', 240, (time) => visit(inNetwork(time % 100, Math.floor(time / 100)))],
  ['a voter', 120, (time) => visit(`192.0.2.${time % 250}`, 0, 7)],
])('%s has its share of a minute, and is asked to wait for the rest of it', (_, most, make) => {
  expect(countAllowed(repeat(make))).toEqual({ allowed: most, status: 429, wait: '60' });
});

test('strangers together have theirs, and voters who are signed in are not kept waiting by it', () => {
  const stranger = (time: number) => visit(`10.${Math.floor(time / 250)}.${time % 250}.1`);
  expect(countAllowed(repeat(stranger))).toEqual({ allowed: 1_200, status: 503, wait: '60' });
  expect(countAllowed(repeat(() => visit('192.0.2.7', 0, 7), 120)).allowed).toBe(120);
});

test('voters do not use up what strangers have', () => {
  for (let voter = 0; voter < 20; voter += 1)
    expect(countAllowed(repeat(() => visit('192.0.2.7', 0, voter), 120)).allowed).toBe(120);
  expect(countAllowed(repeat(() => visit('192.0.2.7'))).allowed).toBe(60);
});

test('the next minute begins anew, for one and for all', () => {
  expect(countAllowed(repeat(() => visit('192.0.2.7'))).allowed).toBe(60);
  expect(countAllowed([visit('192.0.2.7', 59_999)])).toEqual({
    ...{ allowed: 0, status: 429, wait: '1' },
  });
  expect(countAllowed(repeat(() => visit('192.0.2.7', 60_000))).allowed).toBe(60);
});
