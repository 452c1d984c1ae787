import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';

export interface NewestFile {
  readonly accountId: number;
  readonly format: string;
  readonly lastAt: Date;
}

/** The newest file of each format that was not refused; of one account, or of all. */
export async function readNewestFiles(system: Db, accountId?: number): Promise<NewestFile[]> {
  const { rows } = await sql<NewestFile>`
    select account_id as "accountId", format, max(finished_at) as "lastAt" from imports
    where state <> 'refused' and (${accountId ?? null}::integer is null or account_id = ${accountId ?? null})
    group by account_id, format`.execute(system);
  return rows;
}
