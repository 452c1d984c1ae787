import type { HeaderMatch } from '../formats/header.ts';
import { indexElections } from '../kinds/elections.ts';
import type { FileReader, Kind, KindTask, Reading } from '../kinds/kind.ts';
import { type Cells, RowReader, remember } from '../read/row-reader.ts';

interface Notices extends Pick<Reading, 'warn' | 'noteUnknownStatus'> {
  /** Called for each row of another county. */
  noteOtherCounty(county: string): void;
}

/** How the rows of a file with this header become rows of its kind's staging table. */
export function createFileReader(
  kind: Pick<Kind, 'createReader'>,
  task: KindTask,
  match: HeaderMatch,
  notices: Notices = noticesOf(task),
): FileReader & { readonly idLabel: string } {
  const { account, format, today, election, elections } = task;
  const reader = new RowReader(format, match);
  const { columns, readRow } = kind.createReader({
    ...{ reader, today, election, mail: account.settings.mail },
    elections: indexElections(elections),
    ...notices,
  });
  const findOther = createCountyFilter(task, reader);
  return {
    columns,
    readRow: (cells) => {
      const other = findOther(cells);
      if (other === null) return readRow(cells);
      notices.noteOtherCounty(other);
      return 'skip';
    },
    idLabel: reader.label('registration_id'),
  };
}

function noticesOf({ findings }: KindTask): Notices {
  return {
    warn: (message) => findings.warnings.add(message),
    noteUnknownStatus: (raw) => findings.unknownStatuses.add(raw),
    noteOtherCounty: (county) => findings.otherCounties.add(county),
  };
}

/** In files of a whole state, which other county a row is of; null for the account's own rows. */
export function createCountyFilter(
  { account, format }: Pick<KindTask, 'account' | 'format'>,
  reader: RowReader,
): (cells: Cells) => string | null {
  if (format.county === undefined || !reader.match.places.has(format.county)) return () => null;
  const own = plainCounty(account.county);
  return remember(reader.column(format.county), (county) =>
    county !== '' && plainCounty(county) !== own ? county : null,
  );
}

/** "Adams County", "ADAMS CO." and "adams" are one, and so are "Doña Ana" and "DONA ANA". */
function plainCounty(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/\bcounty\b|\bco\b|[^a-z]/g, '');
}
