import { sql } from 'kysely';
import { dateInWords } from '../../../../platform/clock.ts';
import { dateCorrections } from './adopt-store.ts';
import { finalStatuses } from './election-news.ts';
import { eventPlans } from './plan-store.ts';
import { milestones, partOfRecord } from './rows.ts';

/* SQL of what a known ballot `c` and its plan `p` have in common with a wrong file. */

export const now = (part: Parameters<typeof partOfRecord>[1]) => partOfRecord('p.record', part);
export const was = (part: Parameters<typeof partOfRecord>[1]) => partOfRecord('p.previous', part);
const finalList = finalStatuses.map((one) => `'${one}'`).join(', ');
const onTheWay = `('requested', 'printed', 'sent', 'returned')`;
const notBack = `('requested', 'printed', 'sent')`;
/** A row of the file of a known ballot, and not a ballot that has left a list of open cases. */
export const isKnown = 'c.old_status is not null and c.line is not null';
/** An application has a single day: of its receipt, then of its decision. */
const isApplicationRedated = `starts_with(${now('status')}, 'application-') and ${was('status')} = ${now('status')}
  and ${was('status_on')} <> ${now('status_on')}`;
export const isRedated = [
  ...milestones.map((day) => `${was(day)} <> ${now(day)}`),
  `(${isApplicationRedated})`,
].join(' or ');
/** Who applies again, as for a ballot that was lost, gets a later decision. */
const isApplicationEarlier = `${isApplicationRedated} and ${was('status_on')} > ${now('status_on')}`;
/** A ballot that is sent again, or asked for again, in the same row begins anew: its day of mailing does not stay. */
const isLater = (day: (typeof milestones)[number]) => `coalesce(${now(day)} > ${was(day)}, false)`;
const beginsAnew = `coalesce(${was('status')}, '') not in (${finalList}) and (${isLater('sent_on')}
  or ${isLater('printed_on')} and not coalesce(${was('sent_on')} = ${now('sent_on')}, false)
  or ${isLater('requested_on')} and not coalesce(${was('sent_on')} = ${now('sent_on')}, ${was('printed_on')} = ${now('printed_on')}, false))`;
export const isOtherDay = (day: (typeof milestones)[number]) =>
  `${was(day)} is not null and ${was(day)} is distinct from ${now(day)}`;
const keepsStatus = `${was('status')} = ${now('status')}`;
/** A status that changes may bring or take a day of return, and no other day of those before. */
export const isScattered = `not (${beginsAnew}) and (${keepsStatus} and (${[...milestones.map(isOtherDay), `(${isApplicationEarlier})`].join(' or ')})
  or ${was('status')} <> ${now('status')} and (${(
    ['requested_on', 'printed_on', 'sent_on'] as const
  )
    .map((day) => `${was(day)} <> ${now(day)}`)
    .join(' or ')}))`;
export const wayOf = `concat(${[
  ...milestones.map((day) => [day, isOtherDay(day)] as const),
  ['status_on', isApplicationRedated] as const,
]
  .map(
    ([day, isOther]) =>
      `case when ${isOther} then '${day} ' || ${was(day)} || ' ' || coalesce(${now(day)}, '') end`,
  )
  .join(', ')})`;
export const reasonOf = (side: typeof now) => `coalesce(${side('reason')}, ${side('reason_code')})`;
const losesReason = (one: (side: typeof now) => string) =>
  `${keepsStatus} and ${one(was)} is not null and ${one(now)} is null`;
/** A file may have words, codes or both, and what voters read may depend on either. */
export const wordsOf = (side: typeof now) => side('reason');
export const codeOf = (side: typeof now) => side('reason_code');
export const isUnexplained = losesReason(reasonOf);
export const losesWords = losesReason(wordsOf);
export const losesCode = losesReason(codeOf);
/** As a clerk reads both. */
export const bothOf = (side: typeof now) =>
  `coalesce(nullif(concat_ws(' ', ${codeOf(side)}, ${wordsOf(side)}), ''), 'no reason')`;
/** Of these an office says why. */
const needReasons = `('rejected', 'rejected-curable', 'not-counted', 'undeliverable', 'cancelled', 'application-incomplete', 'application-refused')`;
export const isMisexplained = `${keepsStatus} and ${now('status')} in ${needReasons} and ${reasonOf(was)} is not null
  and ${reasonOf(was)} is distinct from ${reasonOf(now)}`;
export const isOverexplained = `${keepsStatus} and ${now('status')} not in ${needReasons} and ${reasonOf(was)} is null and ${reasonOf(now)} is not null`;
export const isEmptied = `${was('raw')} is not null and ${now('raw')} is null`;
/** @param unknown the words that no rule of the format knows, which have a rule of their own */
export const undecided = (unknown: readonly string[]) =>
  sql<boolean>`${sql.raw(was('status'))} = any(${[...finalStatuses]}::text[])
    and ${sql.raw(now('status'))} is null and ${sql.raw(now('raw'))} is not null and ${sql.raw(now('raw'))} <> all(${[...unknown]}::text[])`;
export const isCorrected = `c.ballot_id in (select ballot_id from ${dateCorrections.name} where is_other_day)`;
const isFinal = (status: string) => `${status} in (${finalList})`;
export const isOtherReturn = `${isFinal(was('status'))} and ${was('returned_on')} <> ${now('returned_on')}`;
export const isTakenBack = `${isFinal(was('status'))} and not ${isFinal(now('status'))}`;
export const isUnsettled = `${isOtherReturn} or ${isTakenBack}`;
export const isSentOtherwise = `(${(['requested_on', 'sent_on'] as const).map((day) => `${was(day)} <> ${now(day)}`).join(' or ')})`;
export const isMixed = `${isSentOtherwise} and (${isTakenBack} or ${was('status')} in ${onTheWay} and ${was('status')} <> ${now('status')}
  and ${now('status')} in ('returned', 'accepted', 'counted', 'in-person', 'rejected', 'rejected-curable', 'not-counted'))`;
/** As an older row has it. A replacement in the same row begins anew, so one of the days before must be the same. */
export const isReverted = `not coalesce(${isSentOtherwise}, false)
  and (${was('requested_on')} = ${now('requested_on')} or ${was('sent_on')} = ${now('sent_on')})
  and (${was('status')} in ('returned', 'accepted', 'counted') and ${was('returned_on')} is not null and ${now('returned_on')} is null
      and ${now('status')} in ${notBack}
    or ${was('status')} in ('sent', 'returned', 'accepted', 'counted') and ${was('sent_on')} is not null and ${now('sent_on')} is null
      and ${now('status')} in ('requested', 'printed'))`;
/** The day of one column stands in another, and neither column has what it had. */
const movements = milestones
  .flatMap((from) => milestones.map((to) => ({ from, to })))
  .filter(({ from, to }) => from !== to)
  .map(({ from, to }) => ({
    ...{ from, to },
    is: `(${was(from)} = ${now(to)} and ${was(from)} is distinct from ${now(from)} and ${was(to)} is distinct from ${now(to)})`,
  }));
export const isMoved = `not (${beginsAnew}) and (${movements.map(({ is }) => is).join(' or ')})`;
/** The first day that is in another place: where it was, or where it is. */
export const movedDay = (end: 'from' | 'to') =>
  `case ${movements
    .map(
      (one) =>
        `when ${one.is} then '${one[end].replace('_on', '')} ' || ${dateInWords(was(one.from))}`,
    )
    .join(' ')} end`;
/** Ballots whose days are no longer theirs, and now another's of these: those that move, and not those of a tray that is corrected. */
const redatedPlans = `(select plan_id, record, previous from ${eventPlans.name} p where ${isScattered})`;
export const isRecordExchanged = `p.plan_id in (select one.plan_id from ${redatedPlans} one join ${redatedPlans} other
  on other.previous = one.record and other.plan_id <> one.plan_id)`;
/** Ballots that are back no more, and ballots that are back since the very day that one of them loses. */
export const losesReturn = `${was('returned_on')} is not null and ${now('returned_on')} is null and ${now('status')} in ${notBack}`;
export const isReturnExchanged = `${was('status')} in ${notBack} and ${now('returned_on')} in
  (select ${was('returned_on')} from ${eventPlans.name} p where ${losesReturn})`;
export const isExchanged = `(${isRecordExchanged} or ${isReturnExchanged})`;
export const isDamaged = `strpos(p.record, U&'\\FFFD') > 0 and strpos(p.previous, U&'\\FFFD') = 0`;
