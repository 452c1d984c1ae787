import type { Format } from './format.ts';
import type { Condition, Source } from './source.ts';

/** What a format reads and what each status becomes, as Markdown tables for its page in `docs/formats/`. */
export function describeFormat(format: Format): string {
  const fields = Object.entries(format.fields).map(([field, source]) => [
    describeSource(source),
    code(field),
  ]);
  const parts = [table(['Column', 'Becomes'], fields)];
  if (format.county !== undefined) {
    parts.push(
      `Rows whose ${code(format.county)} is another county than the account's are skipped.`,
    );
  }
  if (format.file_date) {
    parts.push(
      'column' in format.file_date
        ? `The latest ${code(format.file_date.column)} is the file's own date.`
        : `The date after ${code(format.file_date.after)}, above the column names, is the file's own date.`,
    );
  }
  if (format.sheet !== undefined)
    parts.push(`Of an Excel workbook, the sheet ${code(String(format.sheet))} is read.`);
  if (format.filled_later.length > 0) {
    const later = format.filled_later.map(code).join(' or ');
    parts.push(`A ballot known while ${later} was empty is the same ballot once it is filled.`);
  }
  if (format.trailer.length > 0) {
    parts.push(
      `A line that starts with ${format.trailer.map(code).join(' or ')} ends the rows; a row below it is refused.`,
    );
  }
  if (format.status) {
    const rules = format.status.rules.map(({ when, becomes, why }) => [
      Object.entries(when)
        .map(([column, condition]) => `${code(column)} ${describeCondition(condition)}`)
        .join(', and '),
      describeBecomes(becomes),
      why,
    ]);
    parts.push(table(['When', 'The voter sees', 'Why'], rules));
    parts.push(
      'The first line that matches decides. Any other value is stored as written and named in the report, and the voter still sees the last known status.',
    );
  }
  if (format.row_means === 'printed') {
    parts.push(
      'A row means that the envelope exists: a ballot that the office reports as `requested` becomes `printed`.',
    );
  }
  if (format.missing_rows !== 'nothing') {
    const from =
      format.missing_rows === 'succeeded'
        ? ['returned', 'rejected-curable', 'rejected']
        : format.missing_rows.succeeded;
    parts.push(
      `A ballot that is ${from.map(code).join(' or ')}, and that files of this format on two days no longer list, counts as \`accepted\`.`,
    );
  }
  if (format.first_statuses.length > 0) {
    parts.push(
      `Files do not list every ballot from the start: a ballot may be ${format.first_statuses.map(code).join(', ')} when it is first listed.`,
    );
  }
  return parts.join('\n\n');
}

function describeBecomes(becomes: string): string {
  if (becomes === 'keep') return 'the last status known; the value is stored';
  return becomes === 'skip' ? 'nothing: the row is skipped' : code(becomes);
}

function describeSource(source: Source): string {
  if (typeof source === 'string') return code(source);
  if ('constant' in source) return `always ${code(source.constant)}`;
  if ('latest' in source) return `the latest of ${source.latest.map(code).join(' and ')}`;
  if ('join' in source) return source.join.map(code).join(' and ');
  if ('first' in source) return `${source.first.map(describeSource).join(', else ')}`;
  const values = Object.entries(source.values).map(([from, to]) => `${code(from)} as ${code(to)}`);
  return `${code(source.column)} (${values.join(', ')})`;
}

function describeCondition(condition: Condition): string {
  const either = (values: readonly string[]) => values.map(code).join(' or ');
  if (typeof condition === 'string') return `is ${code(condition)}`;
  if (Array.isArray(condition)) return `is ${either(condition)}`;
  if ('filled' in condition) return condition.filled ? 'is filled' : 'is empty';
  if ('later_than' in condition) return `is later than ${code(condition.later_than)}`;
  if ('starts_with' in condition) return `starts with ${code(condition.starts_with)}`;
  return `contains ${either([condition.contains].flat())}`;
}

function code(text: string): string {
  return text === '' ? 'nothing' : `\`${text.replaceAll('|', '\\|')}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
