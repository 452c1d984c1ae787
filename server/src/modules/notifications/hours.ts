import type { Channel, MessageKind } from '@ballot-beacon/contract/messages';
import { Temporal } from 'temporal-polyfill';

/** `HH:mm` on the account's clock; a start after the end is a window across midnight. */
export interface ContactHours {
  readonly start: string;
  readonly end: string;
}

/** Hours when neither voter nor office chose any (decisions, Preferences and consent). */
const defaultHours: ContactHours = { start: '08:00', end: '20:00' };

/**
 * Whether the clock in `timeZone` reads a time from `start` up to, not including, `end` at `instant` (ms since the
 * epoch). Null hours allow any time.
 */
export function isWithinHours(
  instant: number,
  hours: ContactHours | null,
  timeZone: string,
): boolean {
  if (!hours) return true;
  const start = minuteOf(hours.start);
  const end = minuteOf(hours.end);
  const minute = localMinute(instant, timeZone);
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}

/**
 * The first instant (ms since the epoch) not before `instant` that lies within the hours.
 *
 * A window opens when the clock reads its start, which on the day the clocks go back it may do twice, or when the
 * clock jumps into it on the day they go forward. A window that the jump leaps over does not open that day.
 */
export function nextWithinHours(
  instant: number,
  hours: ContactHours | null,
  timeZone: string,
): number {
  if (!hours || isWithinHours(instant, hours, timeZone)) return instant;
  const now = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
  const openings: number[] = [];
  const jump = now.getTimeZoneTransition('next');
  if (jump) openings.push(jump.epochMilliseconds);
  for (const days of [0, 1, 2]) {
    const clock = now.toPlainDate().add({ days }).toPlainDateTime(hours.start);
    for (const disambiguation of ['earlier', 'later'] as const)
      openings.push(clock.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds);
  }
  const next = openings
    .filter((opening) => opening >= instant && isWithinHours(opening, hours, timeZone))
    .sort((a, b) => a - b)[0];
  if (next === undefined)
    throw new Error(`Contact hours ${hours.start}–${hours.end} never open in ${timeZone}.`);
  return next;
}

/** Hours that a voter chose for a channel; null for none. */
interface ChosenHours {
  readonly start: string | null;
  readonly end: string | null;
}

/** The voter's choice, as far as it binds a message: the roll's own addresses are notified of a sign-up whatever hours it chose. */
export function chosenHours(kind: MessageKind, own: ChosenHours): ChosenHours {
  return kind === 'registered' ? { start: null, end: null } : own;
}

/**
 * The hours that bind a channel: the voter's own when set, else the account's quiet hours for texts and calls,
 * which wake people, and none for email. Equal ends, which no form accepts, count as not set.
 */
export function bindingHours(
  channel: Channel,
  own: ChosenHours,
  accountHours: ContactHours,
): ContactHours | null {
  if (own.start !== null || own.end !== null) {
    const hours = {
      start: own.start?.slice(0, 5) ?? defaultHours.start,
      end: own.end?.slice(0, 5) ?? defaultHours.end,
    };
    if (hours.start !== hours.end) return hours;
  }
  return channel === 'email' ? null : accountHours;
}

function minuteOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
}

const minuteMs = 60_000;
/** The last minute computed per zone: a batch asks for the same minute again and again. */
const lastAsked = new Map<string, { minute: number; local: number }>();

function localMinute(instant: number, timeZone: string): number {
  const minute = Math.floor(instant / minuteMs);
  const last = lastAsked.get(timeZone);
  if (last?.minute === minute) return last.local;
  const { hour, minute: minutes } = Temporal.Instant.fromEpochMilliseconds(
    minute * minuteMs,
  ).toZonedDateTimeISO(timeZone);
  const local = hour * 60 + minutes;
  lastAsked.set(timeZone, { minute, local });
  return local;
}
