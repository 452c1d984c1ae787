import { formatDay } from '../../../../platform/clock.ts';
import { daysBetween, formatCount } from '../gate-words.ts';
import {
  type BallotFacts,
  countOf,
  type DateFault,
  type ElectionNews,
  type Finding,
  type StatusChange,
  sum,
  usualLimits,
} from './election-news.ts';

/** Dates that cannot be right, also where no status changes. */
export function judgeDates({ number, changes }: ElectionNews): Finding[] {
  const total = countOf(changes);
  const count = (fault: DateFault) => sum(changes.map(({ faults }) => faults[fault]));
  const [future, season, order] = [
    count('in-future'),
    count('out-of-season'),
    count('out-of-order'),
  ];
  const findings: Finding[] = [];
  const off = future + season;
  // Of a day's few changes, half, or several of them.
  const isHalf = off > 0 && off * 2 >= total;
  // A clerk mistypes the day of a new event, and hardly ever two that were right before.
  const known = changes.filter(({ from, to }) => from === to);
  const redated = sum(known.map(({ faults }) => faults['in-future']));
  if (isMany(off, total, 0.02) || isHalf || (off > 1 && off * 5 > total) || redated > 1)
    findings.push({
      code: 'dates-off',
      detail: `Election ${number}: ${describeDates(future, season)}.`,
      rows: off,
      where: { election: number, faults: ['in-future', 'out-of-season'] },
    });
  const late = count('late-too-soon');
  if (isMany(late, total, 0.02) || (late > 0 && late * 2 >= total))
    findings.push({
      code: 'late-too-soon',
      detail: `Election ${number}: ${formatCount(late)} ${late === 1 ? 'ballot' : 'ballots'} would be rejected as late, and election day is not over. Is it the file of another election?`,
      rows: late,
      where: { election: number, faults: ['late-too-soon'] },
    });
  if (order > 10 && isMany(order, total, 0.2))
    findings.push({
      code: 'dates-out-of-order',
      detail: `Election ${number}: ${formatCount(order)} ballots would come back before the day they were sent. Did two columns change places?`,
      rows: order,
      where: { election: number, faults: ['out-of-order'] },
    });
  return findings;
}

function describeDates(future: number, season: number): string {
  const have = (rows: number, when: string) =>
    rows > 0
      ? [`${formatCount(rows)} ${rows === 1 ? 'ballot' : 'ballots'} would have a date ${when}`]
      : [];
  return [
    ...have(future, 'after today'),
    ...have(season, 'long before or after the election'),
  ].join(', and ');
}

/** An election that is long over or far away moves no ballots of its own. */
export function judgeTime(
  { number, date, isActive, before }: ElectionNews,
  moved: readonly StatusChange[],
  { today, earlier, isOneElection, isOfOpenCases }: BallotFacts,
): Finding[] {
  const days = daysBetween(today, date);
  const where = { election: number };
  const rows = countOf(moved);
  const isOver = days < -45 && rows > 0;
  const areMany = rows > 5;
  // Once an election is certified, no envelope can be fixed any more.
  if (isOver && isOfOpenCases)
    return [
      {
        code: 'election-over',
        detail: `Election ${number} was on ${formatDay(date, today)}, and ${formatCount(rows)} of its ballots would be ${rows === 1 ? 'an open case' : 'open cases'}. Is it an old list?`,
        rows,
        where,
      },
    ];
  if (isOver && areMany && isActive)
    return [
      {
        code: 'election-over',
        detail: `Election ${number} was on ${formatDay(date, today)}, and ${formatCount(rows)} of its ballots would change. It is still active.`,
        rows,
        where,
      },
    ];
  // An office that starts with its archive has no newer files.
  const hasNewer = earlier.some(({ learned }) => (learned?.newestDay ?? '') > date);
  if (
    isOver &&
    !isActive &&
    (areMany || isOneElection) &&
    sum(Object.values(before)) === 0 &&
    hasNewer
  )
    return [
      {
        code: 'election-over',
        detail: `Election ${number} was on ${formatDay(date, today)}, and ${formatCount(rows)} of its ballots would be new. It is not active.`,
        rows,
        where,
      },
    ];
  if (!isActive) return [];
  const early = moved.filter(({ to }) => usualLimits[to] !== undefined && to !== 'cancelled');
  if (days > 150 && countOf(early) > 5)
    return [
      {
        code: 'election-far',
        detail: `Election ${number} is on ${formatDay(date, today)}, ${days} days from now, and ${formatCount(countOf(early))} of its ballots would be back or decided.`,
        rows: countOf(early),
        where: { election: number, to: [...new Set(early.map(({ to }) => to))] },
      },
    ];
  return [];
}

/** More than a clerk mistypes. */
function isMany(count: number, total: number, share: number): boolean {
  return count > 3 && count > total * share;
}
