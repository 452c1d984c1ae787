import { type RawBuilder, sql } from 'kysely';
import type { AccountId, ImportId } from '../../platform/ids.ts';

/** The import that writes ballots and events. */
export interface EventSource {
  readonly accountId: AccountId;
  readonly importId: ImportId;
}

/**
 * SQL of whether an event counts: those of an import that was put back do not.
 *
 * @param event the alias of `ballot_events`
 */
export function isStanding(event: RawBuilder<unknown>) {
  return sql<boolean>`not exists (select from withdrawn_imports w where w.import_id = ${event}.import_id)`;
}
