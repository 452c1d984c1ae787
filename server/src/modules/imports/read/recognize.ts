import type { Format } from '../formats/format.ts';
import { explainMissing, matchHeader } from '../formats/header.ts';
import { describeStart, explainSingleValue, hasValues, isSingleValue } from './describe-start.ts';
import { chooseDialect, isFirstRecord, readFirst } from './dialect.ts';
import { looksLikeJson } from './json-records.ts';
import { readSeparator } from './preamble.ts';
import { explainEmpty, readableStart, readStart, type SourceFile } from './source-file.ts';
import { startSize } from './text-start.ts';

export type Recognition =
  | { readonly ok: true; readonly format: Format }
  | { readonly ok: false; readonly message: string };

/** A format compared with a file's first record. */
interface Comparison {
  readonly format: Format;
  readonly first: readonly string[];
  readonly isFitting: boolean;
  /** Columns that the format needs and the file does not have. */
  readonly missing: readonly string[];
  /** Columns that the file has twice. */
  readonly repeated: readonly string[];
  /** How many columns of the file the format knows, and how many it does not know. */
  readonly known: number;
  readonly unknown: number;
}

/** Recognizes a file's format by its first line. */
export async function recognizeFormat(
  file: SourceFile,
  formats: readonly Format[],
): Promise<Recognition> {
  const start = await readStart(file, startSize);
  const text = readableStart(start);
  if (isBlank(text)) return refuse(explainEmpty(file));
  const [readsJson] = looksLikeJson(start) ? formats.filter(({ json }) => json) : [];
  if (readsJson) return { ok: true, format: readsJson };
  const compared = formats.map((format) => compare(format, text));
  const [best, second] = compared
    .filter(({ isFitting }) => isFitting)
    .sort((a, b) => a.unknown - b.unknown);
  if (!best) {
    const hint = file.hint === undefined ? '' : `\n${file.hint}`;
    return refuse(`${explainUnrecognized(file.name, { start, text }, compared)}${hint}`);
  }
  if (second && second.unknown === best.unknown) {
    const equal = compared.filter(
      ({ isFitting, unknown }) => isFitting && unknown === best.unknown,
    );
    const names = equal.map(({ format }) => format.name).join(' or ');
    return refuse(`The file could be ${names}. Say which with --format.`);
  }
  return { ok: true, format: best.format };
}

function isBlank(text: Buffer): boolean {
  return text.length < startSize && text.toString('utf8').replace('\uFEFF', '').trim() === '';
}

function refuse(message: string): Recognition {
  return { ok: false, message };
}

function compare(format: Format, start: Buffer): Comparison {
  const first = readFirst(format, start, chooseDialect(format, start));
  const { missing, unknown, repeated } = matchHeader(format, first);
  const isFitting = isFirstRecord(format, first);
  return {
    ...{ format, first, isFitting },
    missing: format.header ? missing : [],
    repeated: format.header ? repeated : [],
    known: format.header ? first.filter((name) => name.trim() !== '').length - unknown.length : 0,
    unknown: isFitting && format.header ? unknown.length : 0,
  };
}

/** So many of the nearest formats are named. */
const mostNamed = 3;

function explainUnrecognized(
  name: string,
  { start, text: readable }: { readonly start: Buffer; readonly text: Buffer },
  compared: readonly Comparison[],
): string {
  const looks = describeStart(start, readable, name);
  if (looks !== undefined) return `We do not recognize this file. ${looks}`;
  const explained = compared.find(
    ({ format, missing }) =>
      missing.length > 0 && missing.every((name) => Object.hasOwn(format.if_missing, name)),
  );
  if (explained) {
    const { format, missing } = explained;
    return `This looks like ${format.name} without the column ${missing.join(', ')}.${explainMissing(format, missing)}`;
  }
  const below = findHeaderBelow(
    readable,
    compared.map(({ format }) => format),
  );
  if (below !== undefined)
    return `The column names of ${below.format.name} are on line ${below.line}. Delete the lines above them, or list their starts in a format file ("preamble").`;
  const doubled = compared.find(
    ({ format, missing, repeated }) =>
      format.required.length > 0 && missing.length === 0 && repeated.length > 0,
  );
  if (doubled)
    return `This looks like ${doubled.format.name}, but has two columns named ${doubled.repeated.join(', ')}. Remove one, or rename it.`;
  const nearest = findNearest(compared);
  const choices =
    'Choose a format with --format (beacon format list shows them), or describe your own: docs/formats/README.md.';
  const line = findFirstLine(readable);
  if (isSingleValue(line)) return explainSingleValue;
  if (nearest.length === 0)
    return `We do not recognize this file by its first line${describeFirstLine(line)}. ${choices}`;
  const lines = nearest.map(
    ({ format, missing, repeated }) =>
      `\n  ${format.name}: missing ${missing.join(', ')}${repeated.length > 0 ? `; two columns named ${repeated.join(', ')}` : ''}`,
  );
  return `We do not recognize this file by its first line. The nearest formats:${lines.join('')}\n${choices}`;
}

function describeFirstLine(line: string): string {
  const cells = line.split(/[,;\t|]/);
  if (cells.length === 1)
    return ', which is a single value: commas, semicolons, tabs or bars must separate the columns';
  return hasValues(cells)
    ? ', which has values in place of the names of columns: export it again with the names'
    : '';
}

function findFirstLine(readable: Buffer): string {
  const lines = readable.toString('utf8').replace('\uFEFF', '').split('\n');
  const first = lines.find((line) => line.trim() !== '' && readSeparator(`${line}\n`) === null);
  return first?.trim() ?? '';
}

/** The formats that know most of the file's columns; among equals, first the format with the fewest missing columns. */
function findNearest(compared: readonly Comparison[]): readonly Comparison[] {
  const possible = compared.filter(({ format, first, missing, known }) => {
    const shared = format.required.length - missing.length;
    const isNear = shared > 0 && shared >= missing.length;
    return missing.length > 0 && (isNear || (known > 1 && known * 2 > first.length));
  });
  const most = Math.max(0, ...possible.map(({ known }) => known));
  return possible
    .filter(({ known }) => known * 2 > most)
    .sort((a, b) => b.known - a.known || a.missing.length - b.missing.length)
    .slice(0, mostNamed);
}

/** In so many lines a title, a date and empty lines end. */
const longestTitle = 12;

/** Column names under a title, as people export tables from Excel. */
function findHeaderBelow(
  start: Buffer,
  formats: readonly Format[],
): { readonly format: Format; readonly line: number } | undefined {
  const named = formats.filter(({ header }) => header);
  let at = 0;
  for (let line = 2; line <= longestTitle; line += 1) {
    const end = start.indexOf('\n', at);
    if (end < 0) return undefined;
    at = end + 1;
    const rest = start.subarray(at);
    const found = named
      .map((format) => compare(format, rest))
      .filter(({ isFitting }) => isFitting)
      .sort((a, b) => a.unknown - b.unknown)[0];
    if (found) {
      // Empty lines between are passed over.
      const skipped = /^(\s*\n)*/.exec(rest.toString('latin1'))?.[0].split('\n').length ?? 1;
      return { format: found.format, line: line + skipped - 1 };
    }
  }
  return undefined;
}
