import type { Format, HeaderMatch } from '../formats/format.ts';
import { tokenColumn } from '../kinds/voters/rows.ts';
import type { ReadRow } from '../read/row-reader.ts';
import { readSource, type SourceFile } from '../read/source-file.ts';
import type { Connection } from './import-store.ts';
import { RefusedLines, type RejectsFile } from './rejects.ts';

/**
 * Reads a file once more, which keeps memory flat however many rows are refused, and lists those for the clerk.
 *
 * @param refused what the database refused, `line` and `problem`; null when it refused nothing
 * @returns SHA-256 of what was read, which may have been changed since
 */
export async function listRefused(
  connection: Connection,
  {
    file,
    format,
    createReadRow,
    refused,
    rejectsFile,
    onProgress,
  }: {
    readonly file: SourceFile;
    readonly format: Format;
    readonly createReadRow: (match: HeaderMatch) => ReadRow;
    readonly refused: string | null;
    readonly rejectsFile: RejectsFile;
    readonly onProgress: (bytes: number) => void;
  },
): Promise<Buffer> {
  const refusedLines = new RefusedLines(connection, refused);
  let readRow: ReadRow = () => 'skip';
  let secret: number | undefined;
  let piece: { line: number; reason: string | undefined; cells: string[] }[] = [];
  const { sha256 } = await readSource(file, format, {
    onHeader: (match, header) => {
      readRow = createReadRow(match);
      const source = format.fields[tokenColumn];
      secret = typeof source === 'string' ? match.places.get(source) : undefined;
      rejectsFile.add(['line', 'reason', ...header]);
    },
    onRecord: (cells, line) => {
      const row = readRow(cells);
      const isRefused = typeof row === 'object' && !Array.isArray(row);
      piece.push({ line, reason: isRefused ? row.problem : undefined, cells: [...cells] });
    },
    onBroken: (line, reason, text) => piece.push({ line, reason, cells: [text] }),
    onPiece: async (bytes) => {
      onProgress(bytes);
      for (const { line, reason, cells } of piece) {
        const found = reason ?? (await refusedLines.problemOf(line));
        if (found === undefined) continue;
        if (secret !== undefined && cells[secret]) cells[secret] = '(not kept)';
        rejectsFile.add([String(line), found, ...cells]);
      }
      piece = [];
      await rejectsFile.flush();
    },
  });
  await rejectsFile.close();
  return sha256;
}
