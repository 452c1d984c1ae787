import { FileAction } from '@ballot-beacon/contract/office/files';
import { sql } from 'kysely';
import type { ImportId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';

export interface RecordedDecision {
  readonly at: Date;
  readonly actor: string;
  readonly action: FileAction;
  readonly reason: string | null;
}

/** The decisions on an import, oldest first. @param db bound to the account */
export async function readDecisions(db: Db, importId: ImportId): Promise<RecordedDecision[]> {
  const { rows } = await sql<RecordedDecision>`
    select at, actor, action, details->>'reason' as reason from audit_log
    where account_id = current_account_id() and target = ${String(importId)}
      and action = any (${[...FileAction.options]}::text[])
    order by audit_id`.execute(db);
  return rows;
}

/** The messages of an import by whether they left. @param db bound to the account */
export async function countMessages(
  db: Db,
  importId: ImportId,
): Promise<{ unsent: number; sent: number }> {
  const { rows } = await sql<{ unsent: number; sent: number }>`
    select count(*) filter (where state in ('created', 'held')) as unsent,
      count(*) filter (where state in ('sending', 'sent', 'delivered', 'outcome-unknown')) as sent
    from messages where account_id = current_account_id() and import_id = ${importId}`.execute(db);
  return rows[0] ?? { unsent: 0, sent: 0 };
}
