import type { ChartFacts } from './chart.ts';
import { chartFonts } from './chart-fonts.ts';
import { drawChart } from './chart-page.ts';

/** Two pixels of the picture for each of the drawing: sharp on a slide and in print. */
const pixelRatio = 2;

/** The chart as a PNG, twice as large as the SVG. */
export async function drawChartPng(facts: ChartFacts): Promise<Buffer> {
  const { Resvg } = await import('@resvg/resvg-js');
  const picture = new Resvg(drawChart(facts), {
    fitTo: { mode: 'zoom', value: pixelRatio },
    // The machine's own fonts would make the picture another one on each machine.
    font: {
      ...{ loadSystemFonts: false, defaultFontFamily: 'Noto Sans' },
      fontFiles: [chartFonts.regular, chartFonts.bold],
    },
  });
  return picture.render().asPng();
}
