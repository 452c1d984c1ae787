import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { isBallotStatus } from '@ballot-beacon/contract/statuses';
import { createTranslate } from '@ballot-beacon/contract/translate';
import { english } from './english.ts';

type Key = keyof typeof english;
/** A text with forms for one and many is named without them. */
export type WordKey = BaseOf<Key>;
type BaseOf<One extends string> = One extends `${infer Base}_${'one' | 'other'}` ? Base : One;

const translate = createTranslate('english', english);

/** The console's text of this key, its `{{names}}` filled in; `count` also chooses the form for one or many. */
export function t(key: WordKey, values: Readonly<Record<string, string | number>> = {}): string {
  const shown = Object.entries(values).map(
    ([name, value]) => [name, typeof value === 'number' ? formatNumber(value) : value] as const,
  );
  const form = `${key}_${values.count === 1 ? 'one' : 'other'}`;
  return translate(isKey(form) ? form : key, Object.fromEntries(shown));
}

/** A ballot's status in a clerk's words. */
export function statusName(status: string | null): string {
  if (status === null) return t('status.none');
  return isBallotStatus(status) ? t(`status.${status}`) : status;
}

/** What an entry of the log says was done, in a clerk's words. */
export function actionName(action: string): string {
  return nameOf('log.action', action);
}

/** A code of the server in a clerk's words; a code without words stays as it is. */
export function nameOf(
  kind:
    | 'channel'
    | 'fixes.defect'
    | 'log.action'
    | 'message.kind'
    | 'message.outcome'
    | 'message.state'
    | 'reports.column'
    | `setting.${'name' | 'help' | 'column' | 'option'}`,
  code: string,
): string {
  const key = `${kind}.${code}`;
  return isKey(key) ? t(key) : code;
}

function isKey(key: string): key is WordKey & Key {
  return Object.hasOwn(english, key);
}

/** `spanish` as `Spanish`. */
export function languageName(language: string): string {
  return language.charAt(0).toUpperCase() + language.slice(1);
}

export function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** An instant in the office's time zone: `Nov 21, 2026, 11:44 PM`. */
export function formatInstant(instant: string, { time_zone }: OfficeSession): string {
  return new Date(instant).toLocaleString('en-US', {
    timeZone: time_zone,
    dateStyle: 'medium',
    timeStyle: 'short',
  });
}

/** A day or, where the office may not give it, the year. */
export function formatBorn(born: string): string {
  return born.length === 4 ? born : formatDate(born);
}

/** A calendar date: `Nov 24, 2026`. */
export function formatDate(day: string): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    dateStyle: 'medium',
  });
}

/** `19:00` as `7:00 PM`. */
export function formatTime(time: string): string {
  return new Date(`2000-01-01T${time}:00Z`).toLocaleTimeString('en-US', {
    ...{ timeZone: 'UTC', timeStyle: 'short' },
  });
}
