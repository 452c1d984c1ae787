import { hashSlowly, isSlowHashOf } from '../../platform/slow-hash.ts';
import { statusKey } from './ballots-sql.ts';
import { type DayRange, readDay } from './dates.ts';
import { fieldText, hasField, type StagedFile } from './staged-sql.ts';
import { judgeStatus } from './status-rules.ts';
import { type Connection, readInBatches } from './store.ts';

// A file has few different days and statuses, however many rows. Each is judged once, here, by rules that are plain
// functions; the rows then take the judgement by a join.

/** Table `days`: what each date written in these fields means, or what is wrong with it. */
export async function judgeDays(
  connection: Connection,
  file: StagedFile,
  fields: readonly string[],
  range: DayRange,
): Promise<void> {
  await connection.query(`create temp table days (written text primary key, day date, problem text)
    on commit drop`);
  const present = fields.filter((field) => hasField(file, field));
  if (present.length === 0) return;
  const { dates, no_dates } = file.format;
  const distinct = present
    .map((field) => `select distinct ${fieldText(file, field)} as written from staged s`)
    .join(' union ');
  for await (const batch of readInBatches<{ written: string }>(
    connection,
    `select written from (${distinct}) w where written <> ''`,
  )) {
    const read = batch.map(({ written }) =>
      no_dates.includes(written) ? { day: null } : readDay(written, dates, range),
    );
    await connection.query(
      `insert into days select * from unnest($1::text[], $2::date[], $3::text[])`,
      [
        batch.map(({ written }) => written),
        read.map((one) => ('day' in one ? one.day : null)),
        read.map((one) => ('problem' in one ? one.problem : null)),
      ],
    );
  }
  await connection.query('analyze days');
}

const mostStatuses = 100_000;

export interface JudgedStatuses {
  readonly unknown: readonly { readonly value: string; readonly count: number }[];
  readonly skippedRows: number;
}

/**
 * Table `statuses`: what each combination of the status columns' values becomes.
 * @returns null when there are so many that the column cannot be one of statuses
 */
export async function judgeStatuses(
  connection: Connection,
  file: StagedFile,
): Promise<JudgedStatuses | null> {
  await connection.query(`create temp table statuses (key text[], status text, raw text not null,
    is_unknown boolean not null, is_skipped boolean not null) on commit drop`);
  const key = statusKey(file);
  const values = key.length > 0 ? key.map(({ text }) => text).join(', ') : "''";
  const unknown = new Map<string, number>();
  let skippedRows = 0;
  let found = 0;
  for await (const batch of readInBatches<{ key: string[]; count: number }>(
    connection,
    `select array[${values}] as key, count(*) as count from staged s group by 1`,
  )) {
    found += batch.length;
    if (found > mostStatuses) return null;
    const judged = batch.map((row) => {
      const named = Object.fromEntries(
        key.map(({ column }, place) => [column, row.key[place] ?? '']),
      );
      const judgement = judgeStatus(file.format, named);
      if (judgement.isSkipped) skippedRows += row.count;
      if (judgement.isUnknown) {
        unknown.set(judgement.raw, (unknown.get(judgement.raw) ?? 0) + row.count);
      }
      return { key: row.key, ...judgement };
    });
    await connection.query(
      `insert into statuses select array(select json_array_elements_text(j.key)), j.status, j.raw, j."isUnknown", j."isSkipped"
      from json_to_recordset($1::json) as j (key json, status text, raw text, "isUnknown" boolean, "isSkipped" boolean)`,
      [JSON.stringify(judged)],
    );
  }
  await connection.query('analyze statuses');
  return {
    unknown: [...unknown].map(([value, count]) => ({ value, count })),
    skippedRows,
  };
}

/**
 * Table `tokens`: the hash of each row's security token. A token that its voter already has keeps its hash, so that
 * the row counts as unchanged; an empty one leaves the voter's as it is.
 */
export async function hashTokens(
  connection: Connection,
  file: StagedFile,
  accountId: number,
): Promise<void> {
  await connection.query(
    'create temp table tokens (row_no bigint primary key, hash text) on commit drop',
  );
  if (!hasField(file, 'security_token')) return;
  const id = fieldText(file, 'registration_id');
  const token = fieldText(file, 'security_token');
  for await (const batch of readInBatches<{ row_no: number; token: string; hash: string | null }>(
    connection,
    `select s.row_no, ${token} as token, v.token_hash as hash from staged s
      left join voters v on v.account_id = ${Number(accountId)} and v.registration_id = ${id}
      where ${token} <> '' or v.token_hash is not null`,
  )) {
    const hashes: (string | null)[] = [];
    // As many at once as libuv hashes in parallel.
    for (let start = 0; start < batch.length; start += 64) {
      const part = batch.slice(start, start + 64);
      hashes.push(...(await Promise.all(part.map((row) => hashOf(row.token, row.hash)))));
    }
    await connection.query('insert into tokens select * from unnest($1::bigint[], $2::text[])', [
      batch.map((row) => row.row_no),
      hashes,
    ]);
  }
  await connection.query('analyze tokens');
}

async function hashOf(token: string, stored: string | null): Promise<string | null> {
  if (token === '') return stored;
  if (stored !== null && (await isSlowHashOf(token, stored))) return stored;
  return hashSlowly(token);
}
