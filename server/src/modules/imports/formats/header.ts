import type { Format } from './format.ts';
import { columnsOf, comparedColumns } from './source.ts';

/** What the format says of columns that a file lacks, each after a space. */
export function explainMissing({ if_missing }: Format, missing: readonly string[]): string {
  return missing
    .map((name) => (Object.hasOwn(if_missing, name) ? ` ${if_missing[name]}` : ''))
    .join('');
}

/** How a column may be written, its own name first. An office's column may be called as what every object has, such as `constructor`. */
export function spellingsOf({ aliases }: Format, name: string): readonly string[] {
  return [name, ...((Object.hasOwn(aliases, name) && aliases[name]) || [])];
}

/** Headers match without regard to case, spaces, underscores and what nobody sees, such as a byte-order mark. */
export function normalizeHeader(header: string): string {
  return header.replace(/[\s_\p{Cf}]+/gu, '').toLowerCase();
}

/** A file's header compared with a format. */
export interface HeaderMatch {
  /** Of each column the format names, its place in the file, from 0. */
  readonly places: ReadonlyMap<string, number>;
  readonly missing: readonly string[];
  /** Columns of the file that the format does not know. */
  readonly unknown: readonly string[];
  readonly repeated: readonly string[];
}

export function matchHeader(format: Format, header: readonly string[]): HeaderMatch {
  const byName = new Map<string, number>();
  const repeated: string[] = [];
  header.forEach((name, place) => {
    const normalized = normalizeHeader(name);
    if (normalized === '') return;
    if (byName.has(normalized)) repeated.push(name.trim());
    else byName.set(normalized, place);
  });
  const places = new Map<string, number>();
  const used = new Set<number>();
  for (const name of [...namedColumns(format), ...format.ignored]) {
    for (const spelling of spellingsOf(format, name)) {
      const place = byName.get(normalizeHeader(spelling));
      if (place === undefined) continue;
      places.set(name, place);
      used.add(place);
      break;
    }
  }
  const { required, required_one_of: either } = format;
  const missing = required.filter((name) => !places.has(name));
  if (either.length > 0 && !either.some((name) => places.has(name)))
    missing.push(either.join(' or '));
  return {
    places,
    missing,
    unknown: header.filter((name, place) => name.trim() !== '' && !used.has(place)),
    repeated,
  };
}

/** Every column the format reads. */
export function namedColumns(format: Format): readonly string[] {
  const names = [
    ...format.required,
    ...format.required_one_of,
    ...(format.county === undefined ? [] : [format.county]),
    ...(format.file_date && 'column' in format.file_date ? [format.file_date.column] : []),
    ...Object.values(format.fields).flatMap(columnsOf),
    ...(format.status?.columns ?? []),
    ...(format.status?.rules ?? []).flatMap(({ when }) =>
      Object.entries(when).flatMap(([name, condition]) => [name, ...comparedColumns(condition)]),
    ),
  ];
  return [...new Set(names)];
}

/** Whether the name of a column that nobody reads says that it may decide a status. */
export function looksLikeStatus(column: string): boolean {
  const name = normalizeHeader(column);
  return /status|verdict|disposition|accept|reject|challenge|cured?$|^cure|returncode|reason|spoil|void/.test(
    name,
  );
}
