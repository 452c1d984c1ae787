import type { Format } from '../formats/format.ts';
import { explainMissing, matchHeader } from '../formats/header.ts';
import { looksLikeJson } from './json-records.ts';
import { RecordReader } from './records.ts';
import { readStart, type SourceFile } from './source-file.ts';

export type Recognition =
  | { readonly ok: true; readonly format: Format }
  | { readonly ok: false; readonly message: string };

/** Recognizes a file's format by its first line. */
export async function recognizeFormat(
  file: SourceFile,
  formats: readonly Format[],
): Promise<Recognition> {
  const start = await readStart(file, 64 * 1024);
  const [readsJson] = looksLikeJson(start) ? formats.filter(({ json }) => json) : [];
  if (readsJson) return { ok: true, format: readsJson };
  const fitting = formats
    .map((format) => ({ format, unknown: countUnknown(format, start) }))
    .filter((one): one is { format: Format; unknown: number } => one.unknown !== null)
    .sort((a, b) => a.unknown - b.unknown);
  const [best, second] = fitting;
  if (!best) {
    const almost = formats
      .map((format) => ({ format, missing: findExplained(format, start) }))
      .find(({ missing }) => missing !== null);
    if (almost?.missing) {
      const { format, missing } = almost;
      const message = `The first line is that of ${format.name} without ${missing.join(', ')}.${explainMissing(format, missing)}`;
      return { ok: false, message };
    }
    const names = formats.map(({ name }) => name).join(', ');
    const message = `The first line is of none of the formats ${names}. Say which it is with --format, or describe it in a format file.`;
    return { ok: false, message };
  }
  if (second && second.unknown === best.unknown) {
    const names = fitting.map(({ format }) => format.name).join(' or ');
    return { ok: false, message: `The first line could be of ${names}. Say which with --format.` };
  }
  return { ok: true, format: best.format };
}

/** @returns how many columns of the file the format does not know, null when it is not of this format */
function countUnknown(format: Format, start: Buffer): number | null {
  const counts = [format.delimiter].flat().map((delimiter) => {
    const [first] = readFirst(start, { ...format, delimiter });
    if (!first) return null;
    if (!format.header) return isRecognized(format, first) ? 0 : null;
    if (format.required.length === 0) return null;
    const match = matchHeader(format, first);
    return match.missing.length === 0 ? match.unknown.length : null;
  });
  const found = counts.filter((count) => count !== null);
  return found.length > 0 ? Math.min(...found) : null;
}

/** @returns the columns that the file lacks, when the format explains each of them; else null */
function findExplained(format: Format, start: Buffer): readonly string[] | null {
  for (const delimiter of [format.delimiter].flat()) {
    const [first] = readFirst(start, { ...format, delimiter });
    if (!first || !format.header) continue;
    const { missing } = matchHeader(format, first);
    if (missing.length > 0 && missing.every((name) => name in format.if_missing)) return missing;
  }
  return null;
}

function isRecognized({ recognized_by, columns = [] }: Format, first: readonly string[]): boolean {
  if (!recognized_by || first.length !== columns.length) return false;
  return Object.entries(recognized_by).every(
    ([column, value]) => first[columns.indexOf(column)]?.trim() === value,
  );
}

function readFirst(
  start: Buffer,
  { delimiter, quote, encoding }: Format & { delimiter: string },
): string[][] {
  const records: string[][] = [];
  const reader = new RecordReader(
    { delimiter, quote, encoding },
    {
      onRecord: (cells) => {
        if (records.length === 0) records.push([...cells]);
      },
      onBroken: () => {},
    },
  );
  reader.push(start);
  if (records.length === 0) reader.end();
  return records;
}
