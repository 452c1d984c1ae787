import type { Database } from '../../platform/postgres.ts';
import type { ProblemError } from '../../platform/problem.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { SecurityEvents } from '../audit/index.ts';
import { countRefusal, explainWait } from '../sessions/index.ts';
import type { OfficeVisit } from './visits.ts';

export interface RefusalParts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly securityEvents: SecurityEvents;
}

/** Counts a refused attempt against its address. @returns the refusal, or that the address must wait */
export async function refuse(
  { request, account, now }: OfficeVisit,
  { database, secrets, securityEvents }: RefusalParts,
  refusal: ProblemError,
): Promise<ProblemError> {
  const { accountId } = account;
  securityEvents.record({ kind: 'console-refused', address: request.ip, accountId });
  const until = await countRefusal(database.unscoped, secrets.sign, 'console', {
    scope: String(accountId),
    address: request.ip,
    now,
  });
  return until ? explainWait(until, now) : refusal;
}
