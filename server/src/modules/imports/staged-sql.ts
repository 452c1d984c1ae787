import type { Format, HeaderMatch, Source } from './format.ts';

/**
 * SQL over the staging table `staged`, which holds a file's records as text: `row_no` and `c0`, `c1`, … for its
 * columns. Every value that comes from a format file goes in quoted.
 */
export interface StagedFile {
  readonly format: Format;
  readonly match: HeaderMatch;
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The trimmed text of a column, '' when the file has no such column. */
export function columnText({ match }: StagedFile, column: string): string {
  const place = match.places.get(column);
  return place === undefined ? "''" : `btrim(s.c${place}, E' \\t')`;
}

/** Whether any column that the field draws on is in the file. */
export function hasField(file: StagedFile, field: string): boolean {
  const source = file.format.fields[field];
  if (source === undefined) return false;
  const columns =
    typeof source === 'object' && 'constant' in source ? undefined : sourceColumns(source);
  return columns === undefined || columns.some((column) => file.match.places.has(column));
}

/**
 * A field's text.
 * @param usable makes SQL that turns a candidate into what can be used of it, '' when nothing can; of several sources
 * the first with something usable counts
 */
export function fieldText(
  file: StagedFile,
  field: string,
  usable: (text: string) => string = (text) => text,
): string {
  const source = file.format.fields[field];
  if (source === undefined) return "''";
  if (typeof source === 'object' && 'first' in source) {
    const candidates = source.first
      .filter((one) => sourceColumns(one).some((column) => file.match.places.has(column)))
      .map((one) => `nullif(${usable(plainText(file, one))}, '')`);
    return candidates.length > 0 ? `coalesce(${candidates.join(', ')}, '')` : "''";
  }
  return usable(plainText(file, source));
}

/** Everything the office wrote for a field, usable or not. */
export function fieldWritten(file: StagedFile, field: string): string {
  const source = file.format.fields[field];
  if (source === undefined) return "''";
  const columns = sourceColumns(source).map((column) => columnText(file, column));
  return columns.length > 0 ? columns.join(' || ') : "''";
}

function plainText(file: StagedFile, source: Source): string {
  if (typeof source === 'string') return columnText(file, source);
  if ('constant' in source) return quoteText(source.constant);
  if ('first' in source) throw new Error('A source of several is not read as one text.');
  const columns = source.join.map((column) => columnText(file, column));
  if (source.with === '') return columns.join(' || ');
  const filled = columns.map((text) => `nullif(${text}, '')`);
  return `concat_ws(${quoteText(source.with)}, ${filled.join(', ')})`;
}

function sourceColumns(source: Source): readonly string[] {
  if (typeof source === 'string') return [source];
  if ('join' in source) return source.join;
  if ('first' in source) return source.first.flatMap(sourceColumns);
  return [];
}

/** The name by which the report speaks of a field: the office's own column. */
export function fieldLabel({ format }: StagedFile, field: string): string {
  const source = format.fields[field];
  return (source === undefined ? undefined : sourceColumns(source)[0]) ?? field;
}

/** A telephone number as E.164, '' when it is none of ten digits. */
export function usablePhone(text: string): string {
  const digits = `translate(${text}, ' ()-.+/_*#,:;', '')`;
  return `case when ${text} = '' then '' when ${digits} ~ '^1?[0-9]{10}$' then '+1' || right(${digits}, 10) else '' end`;
}

export function usableEmail(text: string): string {
  return `case when ${text} like '_%@_%' and ${text} not like '% %' and length(${text}) <= 254 then ${text} else '' end`;
}
