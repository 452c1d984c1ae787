import type { BallotStatus } from '@ballot-beacon/contract/statuses';
import { foldValue, tidyValue } from '../../formats/fold.ts';
import type { Format } from '../../formats/format.ts';
import { type Condition, comparedColumns } from '../../formats/source.ts';
import { readOfficeDay } from '../../read/row-reader.ts';
import { refusals } from './election-news.ts';

export interface Judgement {
  /** Null: shown as the last status known. */
  readonly status: BallotStatus | null;
  /** The office's own word, as written. */
  readonly raw: string;
  /** No rule knows this value: ask the office what it means. */
  readonly isUnknown: boolean;
  readonly isSkipped: boolean;
}

/** Whether files of the format list applications, and no ballots. */
export function listsApplications({ status }: Format): boolean {
  return (status?.rules ?? []).some(({ becomes }) => becomes.startsWith('application-'));
}

/** Whether files of the format can say that an envelope is refused for good. */
export function canRefuse({ status }: Format): boolean {
  return (status?.rules ?? []).some(({ becomes }) => refusals.includes(becomes));
}

export type Values = Readonly<Record<string, string>>;

/** What a row with these values becomes. A column the file lacks counts as empty. */
export function judgeStatus(format: Format, values: Values): Judgement {
  const raw = (format.status?.columns ?? [])
    .map((name) => tidyValue(values[name] ?? ''))
    .filter((value) => value !== '')
    .join(' / ');
  const rule = format.status?.rules.find(({ when }) => isMet(when, values, format));
  if (!rule) return { status: null, raw, isUnknown: true, isSkipped: false };
  const { becomes } = rule;
  if (becomes === 'skip') return { status: null, raw, isUnknown: false, isSkipped: true };
  const status = becomes === 'keep' ? null : becomes;
  return { status, raw, isUnknown: false, isSkipped: false };
}

/** Whether a cell says anything: a text that stands for no date says nothing. */
export function isFilled({ no_dates }: Format, value: string): boolean {
  return value !== '' && !no_dates.includes(value);
}

function isMet(when: Readonly<Record<string, Condition>>, values: Values, format: Format): boolean {
  return Object.entries(when).every(([name, condition]) =>
    fits(condition, values[name] ?? '', values, format),
  );
}

/** Columns of which the rules ask only whether they are filled: their values need not be told apart. */
export function presenceOnlyColumns(format: Format): ReadonlySet<string> {
  const asked = new Map<string, boolean>();
  for (const { when } of format.status?.rules ?? []) {
    for (const [name, condition] of Object.entries(when)) {
      const isPresence = typeof condition === 'object' && 'filled' in condition;
      asked.set(name, (asked.get(name) ?? true) && isPresence);
      for (const compared of comparedColumns(condition)) asked.set(compared, false);
    }
  }
  const kept = new Set(format.status?.columns);
  return new Set([...asked].flatMap(([name, only]) => (only && !kept.has(name) ? [name] : [])));
}

/** Every column that decides a status. */
export function statusColumns({ status }: Format): readonly string[] {
  const { columns = [], rules = [] } = status ?? {};
  const conditions = rules.flatMap(({ when }) => Object.entries(when));
  return [
    ...new Set([
      ...columns,
      ...conditions.flatMap(([name, one]) => [name, ...comparedColumns(one)]),
    ]),
  ];
}

function fits(condition: Condition, value: string, values: Values, format: Format) {
  const actual = foldValue(value);
  if (typeof condition === 'string') return actual === foldValue(condition);
  if (Array.isArray(condition)) return condition.some((wanted) => actual === foldValue(wanted));
  if ('filled' in condition) return isFilled(format, tidyValue(value)) === condition.filled;
  if ('starts_with' in condition) return actual.startsWith(foldValue(condition.starts_with));
  if ('later_than' in condition) return isLater(format, value, values[condition.later_than] ?? '');
  const wanted = Array.isArray(condition.contains) ? condition.contains : [condition.contains];
  return wanted.some((part) => actual.includes(foldValue(part)));
}

const anyDay = { first: '0001-01-01', last: '9999-12-31' };

/** Whether the first is a day and the second is an earlier day or none. */
function isLater(format: Format, one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => readOfficeDay(format, text, anyDay));
  if (!first || !second || 'problem' in first || 'problem' in second) return false;
  return first.day !== null && (second.day === null || first.day > second.day);
}
