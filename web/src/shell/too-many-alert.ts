import { formatsFor } from '@ballot-beacon/contract/formats';
import { defaultLanguage, languageOfLocale } from '@ballot-beacon/contract/languages';
import type { Alert } from './alerts.ts';

/**
 * Asks a visitor whose network made too many attempts to wait.
 *
 * @param locale BCP 47
 * @param seconds until the next attempt; null: an hour
 */
export function tooManyAlert(locale: string, seconds: number | null): Alert {
  const language = languageOfLocale(locale.replace('-', '_')) ?? defaultLanguage;
  // On the visitor's own clock, by which the wait is measured.
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const formats = formatsFor(language, timeZone);
  const now = new Date();
  const end = new Date(now.getTime() + (seconds ?? 60 * 60) * 1000);
  const isToday = formats.dayOf(end) === formats.dayOf(now);
  const when = end.toISOString();
  return {
    type: 'error',
    messages: [
      { key: 'login.tooMany.title', important: true },
      {
        key: 'login.tooMany.text',
        values: { time: isToday ? formats.time(when) : formats.wordsAndTime(when) },
      },
    ],
  };
}
