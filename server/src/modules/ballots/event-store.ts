import { type RawBuilder, sql } from 'kysely';
import type { AccountId, ImportId } from '../../platform/ids.ts';

/** The import that writes ballots and events. */
export interface EventSource {
  readonly accountId: AccountId;
  readonly importId: ImportId;
}

/**
 * SQL of whether an event counts: those of an import that was put back do not, and of a scan neither if its barcode was tied to
 * the ballot by such an import.
 *
 * @param event the alias of `ballot_events`
 */
export function isStanding(event: RawBuilder<unknown>) {
  return sql<boolean>`(${stands(sql`${event}.import_id`)} and ${stands(sql`${event}.piece_import_id`)})`;
}

/** SQL of whether an import was not put back; true of null. */
export function stands(importId: RawBuilder<unknown>) {
  return sql<boolean>`not exists (select from withdrawn_imports w where w.import_id = ${importId})`;
}
