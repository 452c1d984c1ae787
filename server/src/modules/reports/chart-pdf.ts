import { buffer } from 'node:stream/consumers';
import { type ChartFacts, ink, labelSize, layOutChart, type Shape } from './chart.ts';
import { chartFonts } from './chart-fonts.ts';

type Pdf = PDFKit.PDFDocument;

/** Half an inch, in points. */
const margin = 36;

/** The chart on one page of US Letter, with its texts as text and its description for screen readers. */
export async function drawChartPdf(facts: ChartFacts): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const { width, height, title, description, shapes } = layOutChart(facts);
  const pdf = new PDFDocument({
    ...{ size: 'LETTER', layout: 'landscape', margin, font: chartFonts.regular },
    ...{ pdfVersion: '1.7', tagged: true, lang: 'en-US', displayTitle: true },
    info: { Title: title, Author: facts.office, Subject: description },
  });
  pdf.registerFont('regular', chartFonts.regular).registerFont('bold', chartFonts.bold);
  const { page } = pdf;
  const scale = Math.min((page.width - 2 * margin) / width, (page.height - 2 * margin) / height);
  const figure = pdf.struct('Figure', { alt: `${title}. ${description}` }, () => {
    pdf.save().translate(margin, margin).scale(scale);
    for (const shape of shapes) drawShape(pdf, shape);
    pdf.restore();
  });
  pdf.addStructure(pdf.struct('Document', {}, [figure]));
  pdf.end();
  return buffer(pdf);
}

function drawShape(pdf: Pdf, shape: Shape): void {
  if (shape.is === 'group') {
    for (const one of shape.shapes) drawShape(pdf, one);
    return;
  }
  if (shape.is === 'line') {
    const { x1, x2, y1, y2, stroke } = shape;
    pdf.lineWidth(1).moveTo(x1, y1).lineTo(x2, y2).stroke(stroke);
    return;
  }
  if (shape.is === 'label') {
    const { x, y, text, size = labelSize, isBold = false, anchor, fill = ink } = shape;
    pdf.font(isBold ? 'bold' : 'regular', size).fillColor(fill);
    const length = anchor === undefined ? 0 : pdf.widthOfString(text);
    const left = x - (anchor === 'end' ? length : length / 2);
    pdf.text(text, left, y, { baseline: 'alphabetic', lineBreak: false });
    return;
  }
  const { x, y, width, height, fill, stroke, strokeWidth = 1, isHatched } = shape;
  if (fill) pdf.rect(x, y, width, height).fill(fill);
  if (isHatched) hatch(pdf, shape);
  if (stroke) pdf.lineWidth(strokeWidth).rect(x, y, width, height).stroke(stroke);
}

/** The distance of hatching lines along an edge, in the chart's pixels. */
const hatchStep = 7 * Math.SQRT2;

/** The diagonal lines that the SVG has as a pattern. */
function hatch(
  pdf: Pdf,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): void {
  pdf.save().rect(x, y, width, height).clip().lineWidth(2).strokeOpacity(0.55);
  // Lines that start on a common grid go on from one box to the next.
  const first = Math.floor((x + y) / hatchStep) * hatchStep;
  for (let sum = first; sum < x + y + width + height; sum += hatchStep)
    pdf.moveTo(sum - y, y).lineTo(sum - y - height, y + height);
  pdf.stroke(ink).restore();
}
