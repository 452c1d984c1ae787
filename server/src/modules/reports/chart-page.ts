import {
  type ChartFacts,
  describe,
  group,
  groupByDay,
  ink,
  labelSize,
  layOutChart,
  listPresent,
  longDay,
  type Shape,
  titleOf,
} from './chart.ts';

/** Ballots by status at the end of each day, as a standalone picture. */
export function drawChart(facts: ChartFacts): string {
  const { width, height, title, description, shapes } = layOutChart(facts);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="chart-title chart-description" font-family="system-ui, 'Segoe UI', 'Noto Sans', Arial, sans-serif" font-size="${labelSize}" fill="${ink}">
<title id="chart-title">${escapeText(title)}</title>
<desc id="chart-description">${escapeText(description)}</desc>
<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="7" fill="${ink}" fill-opacity="0.55"/></pattern></defs>
<rect width="${width}" height="${height}" fill="#fff"/>
${shapes.map(writeShape).join('\n')}
</svg>
`;
}

function writeShape(shape: Shape): string {
  if (shape.is === 'group')
    return `<g><title>${escapeText(shape.title)}</title>${shape.shapes.map(writeShape).join('')}</g>`;
  if (shape.is === 'line') {
    const { x1, x2, y1, y2, stroke } = shape;
    return `<line${attributes({ x1, x2, y1, y2, stroke })}/>`;
  }
  if (shape.is === 'label') {
    const { x, y, text, size, isBold, anchor, fill } = shape;
    const look = { 'font-size': size, 'font-weight': isBold ? 700 : undefined, fill };
    return `<text${attributes({ x, y, 'text-anchor': anchor, ...look })}>${escapeText(text)}</text>`;
  }
  const { x, y, width, height, fill = 'none', stroke, strokeWidth, isHatched } = shape;
  const place = { x, y, width, height };
  const box = attributes({ ...place, fill, stroke, 'stroke-width': strokeWidth });
  return `<rect${box}/>${isHatched ? `<rect${attributes({ ...place, fill: 'url(#hatch)' })}/>` : ''}`;
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
}

/** One page with the picture and the same figures as a table. */
export function drawChartPage(facts: ChartFacts): string {
  const days = groupByDay(facts.days);
  const present = listPresent(facts);
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

function escapeText(text: string): string {
  const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (mark) => marks[mark] ?? mark);
}
