import { countFrom, createMailCalendar } from '../deadlines/index.ts';
import type { MailDays } from './rules.ts';

let known: Promise<MailDays> | undefined;

/** The business days of the mail. Each count is worked out once: many thousand envelopes share a few days. */
export function readMailDays(): Promise<MailDays> {
  known ??= createMailDays();
  return known;
}

async function createMailDays(): Promise<MailDays> {
  const calendar = await createMailCalendar();
  const counted = new Map<string, string>();
  return {
    add(from, businessDays) {
      const key = `${from}+${businessDays}`;
      const day =
        counted.get(key) ?? countFrom(from, { n: businessDays, unit: 'business' }, calendar);
      counted.set(key, day);
      return day;
    },
  };
}
