import type { BallotStatus } from '@ballot-beacon/contract/statuses';
import type { StatusDay } from './rules.ts';

export interface ChartFacts {
  readonly office: string;
  readonly election: string;
  /** Never empty. */
  readonly days: readonly StatusDay[];
  readonly nameOf: (status: BallotStatus) => string;
}

interface Look {
  readonly fill: string;
  /** Hatching marks a detail of the status before it, so that it can be seen without colors. */
  readonly isHatched?: true;
}

/**
 * From the bottom of a bar to its top: finished ballots first, then back through a ballot's way, then what went wrong.
 * The way is one hue from light to dark. The others are Okabe and Ito's colors, which
 * color-blind people can distinguish (https://jfly.uni-koeln.de/color/).
 */
const looks: Readonly<Record<BallotStatus, Look>> = {
  accepted: { fill: '#08306b' },
  'in-person': { fill: '#009e73' },
  returned: { fill: '#2f7ab8' },
  'return-in-transit': { fill: '#2f7ab8', isHatched: true },
  delivered: { fill: '#7fb8dd', isHatched: true },
  'in-transit': { fill: '#c3ddee', isHatched: true },
  sent: { fill: '#7fb8dd' },
  reprinted: { fill: '#dfe3e8', isHatched: true },
  printed: { fill: '#c3ddee' },
  requested: { fill: '#e9ecef' },
  cancelled: { fill: '#767676' },
  undeliverable: { fill: '#cc79a7' },
  rejected: { fill: '#d55e00' },
  'rejected-curable': { fill: '#e69f00' },
};
const stack = Object.keys(looks) as readonly BallotStatus[];

const width = 960;
const plot = { left: 84, top: 92, width: 620, height: 380 };
const legendLeft = plot.left + plot.width + 28;
const widestBar = 64;

/** Ballots by status at the end of each day, as a standalone picture. */
export function drawChart(facts: ChartFacts): string {
  const days = groupByDay(facts.days);
  const present = stack.filter((status) => facts.days.some((one) => one.status === status));
  const most = Math.max(1, ...days.map(({ total }) => total));
  const step = niceStep(most / 5);
  const top = Math.ceil(most / step) * step;
  const yOf = (count: number) => plot.top + plot.height * (1 - count / top);
  const slot = plot.width / days.length;
  const barWidth = Math.min(widestBar, slot > 6 ? slot * 0.86 : slot);
  const middleOf = (index: number) => plot.left + slot * (index + 0.5);
  const last = days.at(-1);
  const height = Math.max(plot.top + plot.height + 44, plot.top + 40 + present.length * 30);

  const bars = days.map(({ day, counts, total }, index) => {
    let below = 0;
    const parts = stack.flatMap((status) => {
      const count = counts.get(status) ?? 0;
      if (count === 0) return [];
      const [bottom, end] = [yOf(below), yOf(below + count)];
      below += count;
      const box = `x="${round(middleOf(index) - barWidth / 2)}" y="${round(end)}" width="${round(barWidth)}" height="${round(bottom - end)}"`;
      const edge = barWidth > 4 ? ' stroke="#fff" stroke-width="0.75"' : '';
      return [
        `<rect ${box} fill="${looks[status].fill}"${edge}/>`,
        ...(looks[status].isHatched ? [`<rect ${box} fill="url(#hatch)"/>`] : []),
      ];
    });
    const said = present
      .filter((status) => counts.get(status))
      .map((status) => `${facts.nameOf(status)} ${group(counts.get(status) ?? 0)}`);
    return `<g><title>${escapeText(`${longDay(day)}: ${said.join(', ') || 'none'}; total ${group(total)}`)}</title>${parts.join('')}</g>`;
  });

  const lines = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step).map(
    (
      count,
    ) => `<line x1="${plot.left}" x2="${plot.left + plot.width}" y1="${round(yOf(count))}" y2="${round(yOf(count))}" stroke="${count === 0 ? '#1f2933' : '#d5dae0'}"/>
<text x="${plot.left - 10}" y="${round(yOf(count) + 5)}" text-anchor="end">${group(count)}</text>`,
  );
  const every = Math.max(1, Math.ceil((days.length * 62) / plot.width));
  const dayLabels = days.flatMap(({ day }, index) => {
    // Counted from the last day, which readers want to see.
    if ((days.length - 1 - index) % every !== 0) return [];
    const x = round(middleOf(index));
    const y = plot.top + plot.height;
    return `<line x1="${x}" x2="${x}" y1="${y}" y2="${y + 6}" stroke="#1f2933"/>
<text x="${x}" y="${y + 24}" text-anchor="middle">${shortDay(day)}</text>`;
  });
  const legend = present.toReversed().map((status, index) => {
    const y = plot.top + 18 + index * 30;
    const box = `x="${legendLeft}" y="${y}" width="20" height="20"`;
    return `<rect ${box} fill="${looks[status].fill}"/>${looks[status].isHatched ? `<rect ${box} fill="url(#hatch)"/>` : ''}<rect ${box} fill="none" stroke="#52606d"/>
<text x="${legendLeft + 30}" y="${y + 15}">${escapeText(facts.nameOf(status))}</text>
<text x="${width - 16}" y="${y + 15}" text-anchor="end" font-weight="600">${group(last?.counts.get(status) ?? 0)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="chart-title chart-description" font-family="system-ui, 'Segoe UI', 'Noto Sans', Arial, sans-serif" font-size="15" fill="#1f2933">
<title id="chart-title">${escapeText(titleOf(facts))}</title>
<desc id="chart-description">${escapeText(describe(facts))}</desc>
<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="7" fill="#1f2933" fill-opacity="0.55"/></pattern></defs>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="16" y="36" font-size="22" font-weight="700">${escapeText(clip(titleOf(facts), 80))}</text>
<text x="16" y="62" fill="#3e4c59">${escapeText(`${clip(facts.office, 42)}, ${periodOf(days)}. Ballots in each status when the day ended.`)}</text>
${lines.join('\n')}
${bars.join('\n')}
${dayLabels.join('\n')}
<text x="${legendLeft}" y="${plot.top + 2}" fill="#3e4c59">On ${last ? shortDay(last.day) : ''}</text>
${legend.join('\n')}
</svg>
`;
}

/** One page with the picture and the same figures as a table. */
export function drawChartPage(facts: ChartFacts): string {
  const days = groupByDay(facts.days);
  const present = stack.filter((status) => facts.days.some((one) => one.status === status));
  const head = present.map((status) => `<th scope="col">${escapeText(facts.nameOf(status))}</th>`);
  const rows = days.map(({ day, counts, total }) => {
    const cells = present.map((status) => `<td>${group(counts.get(status) ?? 0)}</td>`);
    return `<tr><th scope="row"><time datetime="${day}">${longDay(day)}</time></th>${cells.join('')}<td>${group(total)}</td></tr>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(`${titleOf(facts)}, ${facts.office}`)}</title>
<style>
:root { color-scheme: light; }
body { margin: 1.5rem auto; max-width: 62rem; padding: 0 1rem; background: #fff; color: #1f2933; font: 1rem/1.5 system-ui, "Segoe UI", "Noto Sans", Arial, sans-serif; }
svg { max-width: 100%; height: auto; }
figure { margin: 0; overflow-x: auto; }
.table { overflow-x: auto; }
.table:focus-visible, figure:focus-visible { outline: 3px solid #08306b; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: start; font-weight: 700; padding: .5rem 0; }
th, td { border: 1px solid #9aa5b1; padding: .25rem .6rem; text-align: end; white-space: nowrap; }
thead th { background: #eef1f4; }
th[scope="row"] { text-align: start; font-weight: 600; }
@media print { .table { overflow: visible; } table { font-size: .7rem; } }
</style>
</head>
<body>
<main>
<h1>${escapeText(titleOf(facts))}</h1>
<p>${escapeText(`${facts.office}. ${describe(facts)}`)}</p>
<figure tabindex="0" role="group" aria-label="Chart">${drawChart(facts)}</figure>
<div class="table" tabindex="0" role="region" aria-labelledby="figures">
<table>
<caption id="figures">The figures of the chart: ballots in each status when the day ended</caption>
<thead><tr><th scope="col">Day</th>${head.join('')}<th scope="col">Together</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</div>
</main>
</body>
</html>
`;
}

interface Day {
  readonly day: string;
  readonly counts: ReadonlyMap<BallotStatus, number>;
  readonly total: number;
}

function groupByDay(rows: readonly StatusDay[]): Day[] {
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

function titleOf({ election }: ChartFacts): string {
  return `Ballots by status and day: ${election}`;
}

/** A text description of the picture. */
function describe({ days: rows, nameOf }: ChartFacts): string {
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

function longDay(day: string): string {
  return longDays.format(new Date(`${day}T00:00:00Z`));
}

function group(count: number): string {
  return count.toLocaleString('en-US');
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}

/** Text that does not fit in the picture is complete in its title and on its page. */
function clip(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text;
}

function escapeText(text: string): string {
  const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (mark) => marks[mark] ?? mark);
}
