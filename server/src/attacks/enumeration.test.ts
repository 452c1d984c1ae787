import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi, typed } from '../../../testing/api.ts';
import { runs, timeFor } from '../../../testing/runs.ts';

/**
 * Enumeration: learning from the answers to failed sign-ins who is on the roll.
 *
 * Timing is compared by rank: of two kinds of failure, how often is one slower than the other? Where time reveals
 * nothing that is one half. Requests of all kinds take turns, so that a busy machine slows all alike. With 120 of
 * each kind, chance strays from one half by 0.037 (one standard deviation); 0.5 ± 0.2 is more than five of them,
 * while one hash worked out for one kind alone would give 0 or 1.
 */
const isLong = runs(1) > 1;
const perKind = isLong ? 2_000 : 120;
/**
 * How far from one half: with 2,000 of each kind, chance strays by 0.009, and a difference of a twentieth of what the
 * answers vary among themselves is seen.
 */
const tolerance = isLong ? 0.05 : 0.2;
const kinds = ['nobody', 'other', 'inactive', 'confidential'] as const;
let api: TestApi;

beforeAll(async () => {
  api = await createTestApi();
  const adams = await addOffice(api.test, { subdomain: 'adams' });
  // One voter for each attempt, so that no throttle comes into it.
  await api.query(
    `insert into voters (account_id, registration_id, firstname, lastname, zipcode, birthdate, is_active, is_confidential)
     select $1, kind || n, 'Ann', kind || n, '34811', '1970-02-03', kind <> 'inactive', kind = 'confidential'
     from unnest(array['other', 'inactive', 'confidential']) as kind, generate_series(1, $2::integer) as n`,
    [adams, perKind],
  );
  await api.query('analyze voters');
});
afterAll(() => api.close());

async function attempt(kind: (typeof kinds)[number], n: number) {
  const firstname = kind === 'other' ? 'Bea' : 'Ann';
  const startedAt = performance.now();
  const answer = await api.app.inject({
    method: 'POST',
    url: '/api/voter/session',
    headers: { host: 'adams.localhost' },
    remoteAddress: `10.${kinds.indexOf(kind)}.${n % 250}.${Math.floor(n / 250)}`,
    payload: typed({ firstname, lastname: `${kind}${n}` }),
  });
  return { answer, milliseconds: performance.now() - startedAt };
}

/** The chance that one of `a` is larger than one of `b`. */
function chanceOfLarger(a: readonly number[], b: readonly number[]): number {
  let wins = 0;
  for (const one of a) for (const other of b) wins += one > other ? 1 : one === other ? 0.5 : 0;
  return wins / (a.length * b.length);
}

test(
  'a wrong person, nobody, an inactive and a confidential voter: same body, same headers, same time',
  async () => {
    for (let n = 1; n <= 30; n += 1) await attempt('nobody', n + 1000); // warm up
    const times = new Map(kinds.map((kind) => [kind, [] as number[]]));
    const seen = new Set<string>();
    for (let n = 1; n <= perKind; n += 1) {
      const turn = [...kinds.slice(n % kinds.length), ...kinds.slice(0, n % kinds.length)];
      for (const kind of turn) {
        const { answer, milliseconds } = await attempt(kind, n);
        times.get(kind)?.push(milliseconds);
        const { date: _date, ...headers } = answer.headers;
        seen.add(JSON.stringify([answer.statusCode, headers, answer.body]));
      }
    }
    expect([...seen]).toHaveLength(1);
    expect([...seen][0]).toContain('Invalid credentials');
    const unknown = times.get('nobody') ?? [];
    for (const kind of kinds.slice(1)) {
      const chance = chanceOfLarger(times.get(kind) ?? [], unknown);
      expect(chance, `${kind} against nobody`).toBeGreaterThan(0.5 - tolerance);
      expect(chance, `${kind} against nobody`).toBeLessThan(0.5 + tolerance);
      if (!isLong) continue;
      const ratio = medianOf(times.get(kind) ?? []) / medianOf(unknown);
      expect(Math.abs(ratio - 1), `${kind} against nobody, by the median`).toBeLessThan(0.05);
    }
  },
  timeFor(60_000),
);

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
