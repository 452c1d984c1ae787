import type { Ballot } from '@ballot-beacon/contract/ballot-status-progress';
import { formatsFor } from '@ballot-beacon/contract/formats';
import type { Language } from '@ballot-beacon/contract/languages';
import type { Translate } from '@ballot-beacon/contract/translate';
import { Temporal } from 'temporal-polyfill';

const hourMs = 3_600_000;
const daySeconds = 86_400;

/** A deadline as an entry for the voter's calendar, with nothing about the voter in it. */
export interface CalendarEntry {
  /** The same for the same deadline of a ballot, so that a later download replaces an earlier one. */
  readonly id: string;
  readonly start: Date;
  readonly end: Date;
  /** Start and end are the midnights, in UTC, of the days they name. */
  readonly isWholeDay: boolean;
  readonly title: string;
  readonly text: string;
  /** Empty where there is none. */
  readonly place: string;
  /** How long before the start the calendar reminds. */
  readonly alarmSeconds: number;
}

export interface CalendarReader {
  readonly translate: Translate;
  readonly language: Language;
  /** The office's zone. */
  readonly timeZone: string;
  /** The office's subdomain. */
  readonly office: string;
  readonly now: Date;
}

/** Until when the envelope can be fixed: the hour that ends then, with a reminder a day ahead. Null when it has ended, or is not known. */
export function findFixEntry(
  { ballot_id: id, fix }: Pick<Ballot, 'ballot_id' | 'fix'>,
  { translate, language, office, now }: CalendarReader,
): CalendarEntry | null {
  if (fix?.state !== 'open' || fix.deadline === null) return null;
  const end = new Date(fix.deadline);
  if (end <= now) return null;
  const when = formatsFor(language, fix.time_zone).deadline(fix.deadline);
  return {
    id: `fix-${id}@${office}.ballot-beacon`,
    start: new Date(end.getTime() - hourMs),
    end,
    isWholeDay: false,
    title: translate('fix.event'),
    text: translate('fix.by', { when }),
    place: '',
    alarmSeconds: daySeconds,
  };
}

/** By when the ballot must be back: that whole day, with a reminder two days ahead. Null when it has passed, or was not announced. */
export function findReturnEntry(
  { ballot_id: id, election }: Pick<Ballot, 'ballot_id' | 'election'>,
  { translate, language, timeZone, office, now }: CalendarReader,
): CalendarEntry | null {
  const deadline = election.return_deadline;
  const formats = formatsFor(language, timeZone);
  if (deadline === null || deadline.date < formats.dayOf(now)) return null;
  const when = formats.weekday(deadline.date, deadline.time);
  const nextDay = Temporal.PlainDate.from(deadline.date).add({ days: 1 }).toString();
  return {
    id: `return-${id}@${office}.ballot-beacon`,
    start: new Date(deadline.date),
    end: new Date(nextDay),
    isWholeDay: true,
    title: translate('dashboard.return.event'),
    text: translate(`dashboard.return.${deadline.rule}`, { when }),
    place: deadline.place,
    alarmSeconds: 2 * daySeconds,
  };
}

/** The entry as a file that every calendar reads (RFC 5545). */
export async function writeCalendar(entry: CalendarEntry, now: Date): Promise<string> {
  // Loaded late: few voters ask for it, and every start of a process would wait for it.
  const {
    default: createCalendar,
    ICalAlarmType,
    ICalEventTransparency,
  } = await import('ical-generator');
  const { id, start, end, isWholeDay, title, text, place, alarmSeconds } = entry;
  const calendar = createCalendar({ prodId: '//Ballot Beacon//Deadlines//EN' });
  calendar.createEvent({
    ...{ id, stamp: now, start, end, allDay: isWholeDay, summary: title, description: text },
    location: place || null,
    // The voter is not busy then.
    transparency: ICalEventTransparency.TRANSPARENT,
    alarms: [{ type: ICalAlarmType.display, trigger: alarmSeconds, description: title }],
  });
  return calendar.toString();
}
