import type { Tx } from '../../../platform/postgres.ts';
import type { TempTable } from '../../../platform/temp-tables.ts';
import { columnsOf } from '../formats/source.ts';
import type { Kind, KindTask } from '../kinds/kind.ts';
import { tokenColumn } from '../kinds/voters/rows.ts';
import type { ReadRow } from '../read/row-reader.ts';
import { changedMeanwhile, FileRefused, readSource } from '../read/source-file.ts';
import { createFileReader } from './file-reader.ts';
import type { Findings } from './findings.ts';
import { RefusedLines } from './refused-store.ts';
import type { RejectsList } from './rejects.ts';

/** In place of a security token. */
const notKept = '(not kept)';

/**
 * Reads a file once more, which keeps memory flat however many rows are refused, and lists those for the clerk.
 *
 * @param refusedRows what the merge refused; null when it refused nothing
 * @throws {FileRefused} when the file was changed since it was read
 */
export async function listRefused(
  tx: Tx,
  kind: Kind,
  task: KindTask,
  refusedRows: TempTable | null,
  rejectsFile: RejectsList,
): Promise<void> {
  const { file, format, findings } = task;
  const refusedLines = new RefusedLines(tx, refusedRows);
  // What a second reading notices was counted by the first.
  const unheard = { warn: () => {}, noteUnknownStatus: () => {}, noteOtherCounty: () => {} };
  let readRow: ReadRow = () => 'skip';
  let secrets: readonly number[] = [];
  let piece: { line: number; reason: string | undefined; cells: string[] }[] = [];
  const { sha256 } = await readSource(file, format, {
    onHeader: (match, header) => {
      readRow = createFileReader(kind, task, match, unheard).readRow;
      const source = format.fields[tokenColumn];
      secrets = (source === undefined ? [] : columnsOf(source)).flatMap(
        (column) => match.places.get(column) ?? [],
      );
      rejectsFile.add(['line', 'reason', ...header]);
    },
    onRecord: (cells, line) => {
      const row = readRow(cells);
      const isRefused = typeof row === 'object' && !Array.isArray(row);
      piece.push({ line, reason: isRefused ? row.problem : undefined, cells: [...cells] });
    },
    // Where the token is in a line that cannot be cut, nobody knows.
    onBroken: (line, reason, text) =>
      piece.push({ line, reason, cells: [secrets.length > 0 ? notKept : text] }),
    onPiece: async (bytes) => {
      task.onProgress?.({ step: 'listing refused rows', bytes });
      for (const { line, reason, cells } of piece) {
        const found = reason ?? (await refusedLines.findProblem(line));
        if (found === undefined) continue;
        for (const place of secrets) if (cells[place]) cells[place] = notKept;
        rejectsFile.add([String(line), found, ...cells]);
      }
      piece = [];
      await rejectsFile.flush();
    },
  });
  await rejectsFile.close();
  if (!findings.sha256.equals(sha256)) throw new FileRefused(changedMeanwhile);
}

/**
 * @param limitPercent null: each row stands for itself
 * @throws {FileRefused} when more rows are refused than the account allows, or all of them: it is the wrong file
 */
export function refuseIfMany({ refusals, read }: Findings, limitPercent: number | null): void {
  const [all, rows] = [refusals.total, read].map((count) => count.toLocaleString('en-US'));
  if (limitPercent === null) {
    if (refusals.total < read) return;
    throw new FileRefused(`None of the ${rows} rows can be read. The whole file was rejected.`);
  }
  if (refusals.total <= (read * limitPercent) / 100) return;
  throw new FileRefused(
    `Too many rows have errors (${all} of ${rows}; limit ${limitPercent}%). The whole file was rejected.`,
  );
}
