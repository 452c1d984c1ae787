import { type ProblemError, problem } from '../../platform/problem.ts';
import { networksOf, type Visit } from '../sessions/index.ts';

const windowMs = 60_000;
/** Of a network, narrowest first: an address or /64, a /56, a /48. */
const mostOfNetwork = [60, 120, 240];
const mostOfVoter = 120;
/** Of all who are not signed in: at some ten milliseconds a render, a fifth of a core. */
const mostOfAll = 1_200;

/**
 * Bounds what pages that visitors do not share cost this process. A render takes some milliseconds of its only
 * thread, so that a visitor who repeats such an address would fill a core.
 *
 * @returns counts a render. It throws a 429 when this visitor had enough within a minute, and a 503 when all visitors together had
 */
export function createRenderAllowance(): (visit: Visit) => void {
  let endsAt = 0;
  let ofAll = 0;
  const counts = new Map<string, number>();
  return ({ request, session, now }) => {
    const at = now.getTime();
    if (at >= endsAt) {
      endsAt = at + windowMs;
      ofAll = 0;
      counts.clear();
    }
    const limits: [string, number][] = session
      ? [[`voter ${session.voterId}`, mostOfVoter]]
      : networksOf(request.ip).map((network, width) => [network, mostOfNetwork[width] ?? 0]);
    if (limits.some(([who, most]) => (counts.get(who) ?? 0) >= most)) throw refuse(429);
    if (!session && ofAll >= mostOfAll) throw refuse(503);
    if (!session) ofAll += 1;
    for (const [who] of limits) counts.set(who, (counts.get(who) ?? 0) + 1);

    function refuse(status: 429 | 503): ProblemError {
      const headers = { 'retry-after': String(Math.ceil((endsAt - at) / 1000)) };
      return problem(status, 'Too many requests. Please try again in a minute.', { headers });
    }
  };
}
