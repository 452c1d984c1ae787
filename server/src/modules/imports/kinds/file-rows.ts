import type { Account, Election } from '../../accounts/index.ts';
import type { Format, HeaderMatch } from '../formats/format.ts';
import { type Cells, type ReadRow, RowReader, remember } from '../read/row-reader.ts';
import { ballotColumnsOf, createBallotReader } from './ballots/rows.ts';
import { indexElections } from './elections.ts';
import { createMailPieceReader, mailPieceColumns } from './mail-pieces/rows.ts';
import { createScanReader, scanColumns } from './scans/rows.ts';
import { createVoterReader, type StagedColumn, type Warn } from './voters/rows.ts';

export interface RowsTask {
  readonly account: Account;
  readonly format: Format;
  /** Number of the election that the file is of where its rows do not say. */
  readonly election: string | null;
  readonly elections: readonly Election[];
  /** In the account's calendar. */
  readonly today: string;
}

/** What a file's rows become. */
export interface FileRows {
  /** The office's own name for the registration ID. */
  readonly idLabel: string;
  /** Of the staging table after `line`. */
  readonly columns: readonly StagedColumn[];
  readonly readRow: ReadRow;
}

/** @param told what is noticed of rows that are taken all the same */
export function createFileRows(
  task: RowsTask,
  match: HeaderMatch,
  told: { readonly onWarning: Warn; readonly onUnknownStatus: (raw: string) => void },
): FileRows {
  const reader = new RowReader(task.format, match);
  const { columns, readRow } = createRows(task, reader, told);
  const isOther = createCountyFilter(task, reader);
  return {
    idLabel: reader.label('registration_id'),
    columns,
    readRow: (cells) => (isOther(cells) ? 'skip' : readRow(cells)),
  };
}

function createRows(
  { account, format, today, election, elections }: RowsTask,
  reader: RowReader,
  { onWarning, onUnknownStatus }: Parameters<typeof createFileRows>[2],
): Omit<FileRows, 'idLabel'> {
  if (format.holds === 'voters') {
    const { columns, readRow } = createVoterReader(reader, today, onWarning);
    return { columns: [{ name: 'registration_id', type: 'text' }, ...columns], readRow };
  }
  if (format.holds === 'scans')
    return { columns: scanColumns, readRow: createScanReader(reader, today, onWarning) };
  const reading = { reader, today, election, elections: indexElections(elections) };
  if (format.holds === 'mailpieces') {
    const { mail: settings } = account.settings;
    const readRow = createMailPieceReader({ ...reading, settings, warn: onWarning });
    return { columns: mailPieceColumns, readRow };
  }
  const readRow = createBallotReader({ ...reading, onUnknown: onUnknownStatus });
  return { columns: ballotColumnsOf(format), readRow };
}

/** In files of a whole state, the rows of other counties. */
export function createCountyFilter(
  { account, format }: Pick<RowsTask, 'account' | 'format'>,
  reader: RowReader,
): (cells: Cells) => boolean {
  if (format.county === undefined || !reader.match.places.has(format.county)) return () => false;
  const own = plainCounty(account.county);
  return remember(
    reader.column(format.county),
    (county) => county !== '' && plainCounty(county) !== own,
  );
}

/** "Adams County", "ADAMS" and "adams" are one. */
function plainCounty(name: string): string {
  return name.toLowerCase().replace(/\bcounty\b|[^a-z]/g, '');
}
