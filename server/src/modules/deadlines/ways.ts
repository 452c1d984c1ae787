import { type FixWay, fixWays } from '@ballot-beacon/contract/ballot-status-progress';
import { Temporal } from 'temporal-polyfill';
import type { CureRule } from './rule.ts';

/** What an office says in its account file about ways to fix an envelope. Empty or null: nothing. */
export interface OfficeWays {
  readonly online_form: string | null;
  readonly text_service: { readonly keyword: string; readonly number: string } | null;
  readonly email: string;
  readonly fax: string;
  readonly mail_address: string;
  readonly drop_boxes: string;
  readonly visit_address: string;
}

/** When a way is used, as far as that decides whether it is still in time. */
export interface WaysCase {
  readonly now: Date;
  /** ISO 8601; null when nobody knows it. */
  readonly deadline: string | null;
  /** `YYYY-MM-DD` */
  readonly electionDate: string;
  readonly timeZone: string;
  readonly hours: FixWay['hours'];
}

/**
 * How long before the deadline a way stops being sure. First-Class Mail takes up to five days and a weekend; a drop box may be
 * emptied only every other day.
 */
const marginHours: Partial<Record<FixWay['way'], number>> = { mail: 7 * 24, 'drop-box': 2 * 24 };

/** A new ballot has to come and go back by mail before election day. */
const newBallotDays = 7;

/** Polls close nowhere before 6 PM. */
const pollsClose = '18:00';

/**
 * The ways that are still in time, the surest first: what arrives at once before what is carried. A way that needs an address
 * of the office is offered where the office gave one; what the voter can only do at the office or the polls where the law names it.
 */
export function listWays(rule: CureRule | null, office: OfficeWays, of: WaysCase): FixWay[] {
  const { electionDate, deadline, timeZone } = of;
  const lawful = new Set(rule?.ways ?? []);
  const details: Record<FixWay['way'], Partial<Pick<FixWay, 'url' | 'place' | 'hours'>> | null> = {
    online: office.online_form ? { url: office.online_form } : null,
    text: office.text_service
      ? { place: `${office.text_service.keyword} → ${office.text_service.number}` }
      : null,
    'in-person':
      lawful.has('in-person') || office.visit_address
        ? { place: office.visit_address, hours: of.hours }
        : null,
    email: office.email ? { url: `mailto:${office.email}`, place: office.email } : null,
    fax: office.fax ? { place: office.fax } : null,
    'drop-box': office.drop_boxes ? { place: office.drop_boxes } : null,
    mail: office.mail_address ? { place: office.mail_address } : null,
    provisional: lawful.has('provisional') ? {} : null,
    'new-ballot': lawful.has('new-ballot') ? {} : null,
  };
  const atThePolls = momentOf(electionDate, pollsClose, timeZone);
  const until = (way: FixWay['way']) => {
    if (way === 'provisional') return write(atThePolls);
    if (way === 'new-ballot') return write(atThePolls.subtract({ days: newBallotDays }));
    if (deadline === null) return null;
    const zoned = Temporal.Instant.from(deadline).toZonedDateTimeISO(timeZone);
    return write(zoned.subtract({ hours: marginHours[way] ?? 0 }));
  };
  return fixWays.flatMap((way) => {
    const given = details[way];
    const last = until(way);
    if (!given || (last !== null && Date.parse(last) <= of.now.getTime())) return [];
    // Whether a letter arrives in time cannot be said without knowing the deadline.
    if (last === null && marginHours[way] !== undefined) return [];
    return [{ way, url: null, place: '', hours: [], ...given, until: last }];
  });
}

/** The moment at which a clock in the zone shows the time. @param time `HH:mm` */
export function momentOf(day: string, time: string, timeZone: string): Temporal.ZonedDateTime {
  const plainTime = Temporal.PlainTime.from(time);
  return Temporal.PlainDate.from(day).toZonedDateTime({ timeZone, plainTime });
}

function write(moment: Temporal.ZonedDateTime): string {
  return moment.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}
