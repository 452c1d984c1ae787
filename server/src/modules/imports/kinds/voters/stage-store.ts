import { sql } from 'kysely';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import { analyzeTempTable, defineTempTable } from '../../../../platform/temp-tables.ts';
import { openRollCopy } from '../../../voters/index.ts';
import type { HeaderMatch } from '../../formats/header.ts';
import type { Dialect } from '../../read/records.ts';
import type { Cells } from '../../read/row-reader.ts';
import { changedMeanwhile, FileRefused } from '../../read/source-file.ts';
import { createFileReader } from '../../run/file-reader.ts';
import { openStaging, reportWriting, stageRows, type Target } from '../../run/stage-store.ts';
import type { FileReader, KindTask, Staged } from '../kind.ts';
import { createRowHash, findNews, type RowHash } from './news-store.ts';
import { createVoterReader, tokenColumn, voterColumns } from './rows.ts';

export const stagedVoters = defineTempTable('staged_voters', {
  line: 'bigint',
  registration_id: 'text',
  ...voterColumns,
  [tokenColumn]: 'text',
  row_hash: 'text',
});

/**
 * Stages the rows that say something new. Where the account has no voters yet, all rows go straight onto the roll instead, unless
 * there are tokens to hash.
 */
export async function stageVoters(tx: Tx, task: KindTask): Promise<Staged> {
  const isFirst = task.mayLoadDirectly && (await hasNoVoters(tx, task.account.accountId));
  const staged = isFirst ? await stageAll(tx, task, true) : await stageNews(tx, task);
  reportWriting(task);
  if (!staged.isLoaded) await analyzeTempTable(tx, stagedVoters, ['registration_id']);
  return staged;
}

async function stageNews(tx: Tx, task: KindTask): Promise<Staged> {
  const { findings } = task;
  const news = await findNews(tx, task);
  const staged = await stageAll(tx, task, false, news);
  if (!findings.sha256.equals(news.sha256)) throw new FileRefused(changedMeanwhile);
  findings.redecodedLines = news.redecoded;
  return staged;
}

async function stageAll(
  tx: Tx,
  task: KindTask,
  isFirst: boolean,
  news?: Awaited<ReturnType<typeof findNews>>,
): Promise<Staged> {
  let isLoaded = false;
  let idLabel = '';
  const choose = (match: HeaderMatch, dialect: Dialect | null): Target => {
    const reader = createFileReader({ createReader: createVoterReader }, task, match);
    idLabel = reader.idLabel;
    const hasTokens = reader.columns.includes(tokenColumn);
    isLoaded = isFirst && !hasTokens;
    const hashRow = createRowHash(task.format, match, dialect, task.today);
    const { columns, readRow } = hasTokens ? reader : addRowHash(reader, hashRow);
    return {
      ...{ columns, readRow },
      constants: isLoaded ? [task.account.accountId, task.importId] : null,
      // The index on names costs the most: its entries are the longest, and in no file's order.
      orderBy: isLoaded ? 'lastname' : null,
      open: async () =>
        isLoaded ? openRollCopy(tx, columns) : openStaging(tx, stagedVoters, columns),
    };
  };
  const { rows, columns } = await stageRows(task, choose, news);
  return { rows, columns, idLabel, isLoaded };
}

/** The next import knows the row again by its hash; a row with a token has none. */
function addRowHash(
  { columns, readRow }: FileReader,
  hashRow: RowHash,
): Pick<Target, 'columns' | 'readRow'> {
  return {
    columns: [...columns, 'row_hash'],
    readRow: (cells: Cells, text: string) => {
      const row = readRow(cells);
      if (Array.isArray(row)) row.push(hashRow(cells, text));
      return row;
    },
  };
}

async function hasNoVoters(tx: Tx, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql`select from voters where account_id = ${accountId} limit 1
      -- sequential scan: once per import, and it ends at the account's first row`.execute(tx);
  return rows.length === 0;
}
