import type { BallotStatus } from '@ballot-beacon/contract/statuses';
import { looks } from './chart-looks.ts';
import type { StatusDay } from './rules.ts';

export interface ChartFacts {
  readonly office: string;
  readonly election: string;
  /** Never empty. */
  readonly days: readonly StatusDay[];
  readonly nameOf: (status: BallotStatus) => string;
}

/** A chart before it is written as a picture of some kind. Lengths are in CSS pixels, from the top left. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** The same in words. */
  readonly description: string;
  /** The later ones cover the earlier. */
  readonly shapes: readonly Shape[];
}

export type Shape = Box | Line | Label | Group;

interface Box {
  readonly is: 'box';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill?: string;
  readonly stroke?: string;
  readonly strokeWidth?: number;
  /** Diagonal lines over the fill. */
  readonly isHatched?: boolean;
}

interface Line {
  readonly is: 'line';
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
  readonly stroke: string;
}

interface Label {
  readonly is: 'label';
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  readonly isBold?: boolean;
  /** Which end of the text is at x; its start if left out. */
  readonly anchor?: 'middle' | 'end';
  readonly fill?: string;
}

/** Shapes that stand for one thing, with its figures in words. */
interface Group {
  readonly is: 'group';
  readonly title: string;
  readonly shapes: readonly Box[];
}

/** What labels have that say nothing else. */
export const labelSize = 15;
export const ink = '#1f2933';

const stack = Object.keys(looks) as readonly BallotStatus[];

const quietInk = '#3e4c59';
const width = 1040;
const plot = { left: 84, top: 92, width: 580, height: 380 };
const legendLeft = plot.left + plot.width + 28;
const widestBar = 64;

/** Ballots by status at the end of each day: a bar per day, and what its colors mean. */
export function layOutChart(facts: ChartFacts): Drawing {
  const days = groupByDay(facts.days);
  const present = listPresent(facts);
  const most = Math.max(1, ...days.map(({ total }) => total));
  const step = niceStep(most / 5);
  const scale = { step, top: Math.ceil(most / step) * step };
  return {
    width,
    height: Math.max(plot.top + plot.height + 44, plot.top + 40 + present.length * 30),
    title: titleOf(facts),
    description: describe(facts),
    shapes: [
      label(16, 36, clip(titleOf(facts), 80), { size: 22, isBold: true }),
      label(
        16,
        62,
        `${clip(facts.office, 42)}, ${periodOf(days)}. Ballots in each status when the day ended.`,
        { fill: quietInk },
      ),
      ...drawScale(scale),
      ...drawBars(facts, days, scale),
      ...drawDayLabels(days),
      ...drawLegend(facts, days.at(-1)),
    ],
  };
}

/** Up to which count the bars reach, and after how many ballots each line is. */
interface Scale {
  readonly top: number;
  readonly step: number;
}

function heightOf(count: number, { top }: Scale): number {
  return round(plot.top + plot.height * (1 - count / top));
}

function drawScale(scale: Scale): Shape[] {
  const { top, step } = scale;
  return Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step).flatMap(
    (count): Shape[] => {
      const y = heightOf(count, scale);
      const ends = { x1: plot.left, x2: plot.left + plot.width, y1: y, y2: y };
      return [
        { is: 'line', ...ends, stroke: count === 0 ? ink : '#d5dae0' },
        label(plot.left - 10, round(y + 5), group(count), { anchor: 'end' }),
      ];
    },
  );
}

function drawBars(facts: ChartFacts, days: readonly Day[], scale: Scale): Shape[] {
  const slot = plot.width / days.length;
  const barWidth = Math.min(widestBar, slot > 6 ? slot * 0.86 : slot);
  const edge = barWidth > 4 ? { stroke: '#fff', strokeWidth: 0.75 } : {};
  return days.map(({ day, counts, total }, index) => {
    let below = 0;
    const shapes = stack.flatMap((status): Box[] => {
      const count = counts.get(status) ?? 0;
      if (count === 0) return [];
      const [bottom, end] = [heightOf(below, scale), heightOf(below + count, scale)];
      below += count;
      const place = {
        ...{ x: round(middleOf(index, days) - barWidth / 2), y: end },
        ...{ width: round(barWidth), height: round(bottom - end) },
      };
      return [{ is: 'box', ...place, ...looks[status], ...edge }];
    });
    const said = listPresent(facts)
      .filter((status) => counts.get(status))
      .map((status) => `${facts.nameOf(status)} ${group(counts.get(status) ?? 0)}`);
    const title = `${longDay(day)}: ${said.join(', ') || 'none'}; total ${group(total)}`;
    return { is: 'group', title, shapes };
  });
}

function middleOf(index: number, days: readonly Day[]): number {
  return plot.left + (plot.width / days.length) * (index + 0.5);
}

function drawDayLabels(days: readonly Day[]): Shape[] {
  const every = Math.max(1, Math.ceil((days.length * 62) / plot.width));
  return days.flatMap(({ day }, index): Shape[] => {
    // Counted from the last day, which readers want to see.
    if ((days.length - 1 - index) % every !== 0) return [];
    const x = round(middleOf(index, days));
    const y = plot.top + plot.height;
    return [
      { is: 'line', x1: x, x2: x, y1: y, y2: y + 6, stroke: ink },
      label(x, y + 24, shortDay(day), { anchor: 'middle' }),
    ];
  });
}

function drawLegend(facts: ChartFacts, last: Day | undefined): Shape[] {
  const rows = listPresent(facts)
    .toReversed()
    .flatMap((status, index): Shape[] => {
      const y = plot.top + 18 + index * 30;
      const place = { x: legendLeft, y, width: 20, height: 20 };
      return [
        { is: 'box', ...place, ...looks[status] },
        { is: 'box', ...place, stroke: '#52606d' },
        label(legendLeft + 30, y + 15, facts.nameOf(status)),
        label(width - 16, y + 15, group(last?.counts.get(status) ?? 0), {
          ...{ anchor: 'end', isBold: true },
        }),
      ];
    });
  const day = `On ${last ? shortDay(last.day) : ''}`;
  return [label(legendLeft, plot.top + 2, day, { fill: quietInk }), ...rows];
}

function label(
  x: number,
  y: number,
  text: string,
  more: Omit<Partial<Label>, 'is' | 'x' | 'y' | 'text'> = {},
): Label {
  return { is: 'label', x, y, text, ...more };
}

/** The statuses that occur, in the order of the bars. */
export function listPresent({ days }: ChartFacts): BallotStatus[] {
  return stack.filter((status) => days.some((one) => one.status === status));
}

export interface Day {
  readonly day: string;
  readonly counts: ReadonlyMap<BallotStatus, number>;
  readonly total: number;
}

export function groupByDay(rows: readonly StatusDay[]): Day[] {
  const days = new Map<string, Map<BallotStatus, number>>();
  for (const { day, status, total } of rows) {
    const counts = days.get(day) ?? new Map();
    days.set(day, counts.set(status, total));
  }
  return [...days].map(([day, counts]) => ({
    day,
    counts,
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
  }));
}

export function titleOf({ election }: ChartFacts): string {
  return `Ballots by status and day: ${election}`;
}

/** A text description of the picture. */
export function describe({ days: rows, nameOf }: ChartFacts): string {
  const days = groupByDay(rows);
  const last = days.at(-1);
  if (!last) return 'There are no ballots.';
  const said = [...last.counts]
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([status, count]) => `${nameOf(status)} ${group(count)}`);
  return `${days.length === 1 ? 'A bar' : `${days.length} bars, one per day`}. At the end of ${longDay(last.day)} there were ${group(last.total)} ballots: ${said.join(', ')}.`;
}

function periodOf(days: readonly Day[]): string {
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  return first === last ? longDay(first) : `${longDay(first)} to ${longDay(last)}`;
}

/** 1, 2 or 5 times a power of ten, and never less than one ballot. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
}

const shortDays = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const longDays = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

function shortDay(day: string): string {
  return shortDays.format(new Date(`${day}T00:00:00Z`));
}

export function longDay(day: string): string {
  return longDays.format(new Date(`${day}T00:00:00Z`));
}

export function group(count: number): string {
  return count.toLocaleString('en-US');
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}

/** Text that does not fit in the picture is complete in its title and on its page. */
function clip(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text;
}
