import type { BallotStatus } from '@ballot-beacon/contract/statuses';
import type { Condition, Format } from '../../formats/format.ts';

export interface Judgement {
  /** Null: shown as the last status known. */
  readonly status: BallotStatus | null;
  /** The office's own word, as written. */
  readonly raw: string;
  /** No rule knows this value: the office must tell us what it means. */
  readonly isUnknown: boolean;
  readonly isSkipped: boolean;
}

export type Values = Readonly<Record<string, string>>;

/** What a row with these values becomes. A column the file lacks counts as empty. */
export function judgeStatus(format: Format, values: Values): Judgement {
  const raw = (format.status?.columns ?? [])
    .map((name) => tidy(values[name] ?? ''))
    .filter((value) => value !== '')
    .join(' / ');
  const rule = format.status?.rules.find(({ when }) => isMet(when, values));
  if (!rule) return { status: null, raw, isUnknown: true, isSkipped: false };
  const { becomes } = rule;
  if (becomes === 'skip') return { status: null, raw, isUnknown: false, isSkipped: true };
  const status = becomes === 'keep' ? null : becomes;
  return { status, raw, isUnknown: false, isSkipped: false };
}

function isMet(when: Readonly<Record<string, Condition>>, values: Values): boolean {
  return Object.entries(when).every(([name, condition]) => fits(condition, values[name] ?? ''));
}

/** Columns of which the rules ask only whether anything stands in them: their values need not be told apart. */
export function presenceOnlyColumns(format: Format): ReadonlySet<string> {
  const asked = new Map<string, boolean>();
  for (const { when } of format.status?.rules ?? []) {
    for (const [name, condition] of Object.entries(when)) {
      const isPresence = typeof condition === 'object' && 'filled' in condition;
      asked.set(name, (asked.get(name) ?? true) && isPresence);
    }
  }
  const kept = new Set(format.status?.columns);
  return new Set([...asked].flatMap(([name, only]) => (only && !kept.has(name) ? [name] : [])));
}

function fits(condition: Condition, value: string): boolean {
  const actual = fold(value);
  if (typeof condition === 'string') return actual === fold(condition);
  if (Array.isArray(condition)) return condition.some((wanted) => actual === fold(wanted));
  if ('filled' in condition) return (actual !== '') === condition.filled;
  if ('starts_with' in condition) return actual.startsWith(fold(condition.starts_with));
  const wanted = Array.isArray(condition.contains) ? condition.contains : [condition.contains];
  return wanted.some((part) => actual.includes(fold(part)));
}

/** Dashes come out of word processors in three lengths. */
function fold(value: string): string {
  return tidy(value)
    .replace(/[‐‑–—]/g, '-')
    .toUpperCase();
}

function tidy(value: string): string {
  return value.replace(/\s+/g, ' ').trim();
}
