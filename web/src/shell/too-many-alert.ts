import type { Alert } from './alerts.ts';

/**
 * Asks a visitor whose network made too many attempts to wait.
 *
 * @param locale BCP 47
 * @param seconds until the next attempt; null: an hour
 */
export function tooManyAlert(locale: string, seconds: number | null): Alert {
  const now = new Date();
  const end = new Date(now.getTime() + (seconds ?? 60 * 60) * 1000);
  const isToday = end.toDateString() === now.toDateString();
  const time = new Intl.DateTimeFormat(locale, {
    ...(!isToday && { month: 'short', day: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  })
    .format(end)
    .replace(/\s(?=\S+$)/, '\u00a0');
  return {
    type: 'error',
    messages: [
      { key: 'login.tooMany.title', important: true },
      { key: 'login.tooMany.text', values: { time } },
    ],
  };
}
