import { buffer } from 'node:stream/consumers';
import { layOutQr } from '../ballots/index.ts';
import { chartFonts } from '../reports/index.ts';
import type { QrSheet } from './sheets.ts';

/** In points: half an inch. */
const margin = 36;
const columns = 3;
const rows = 4;
/** 45 mm, which phones read from a letter. */
const side = 127;
const labelSize = 9;

/** Codes to print and cut, twelve on a page of US Letter, each with the voter ID below it. */
export async function drawCodeSheet<Code>(
  title: string,
  codes: readonly Code[],
  { urlOf, nameOf }: QrSheet<Code>,
): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({
    ...{ size: 'LETTER', margin, autoFirstPage: false, font: chartFonts.regular },
    ...{ lang: 'en-US', displayTitle: true, info: { Title: title } },
  });
  for (const [index, code] of codes.entries()) {
    const place = index % (columns * rows);
    if (place === 0) pdf.addPage();
    const { width, height } = pdf.page;
    const cell = { x: (width - 2 * margin) / columns, y: (height - 2 * margin) / rows };
    const left = margin + (place % columns) * cell.x + (cell.x - side) / 2;
    const top = margin + Math.floor(place / columns) * cell.y;
    const modules = layOutQr(urlOf(code));
    const step = side / modules.length;
    for (const [line, row] of modules.entries())
      for (const [at, isDark] of row.entries())
        if (isDark) pdf.rect(left + at * step, top + line * step, step, step);
    pdf.fill('black');
    const label = nameOf(code).slice(0, 2).filter(Boolean).join(' · ');
    pdf.fontSize(labelSize).text(label, left - margin / 2, top + side, {
      ...{ width: side + margin, align: 'center', height: labelSize * 2, ellipsis: true },
    });
  }
  pdf.end();
  return buffer(pdf);
}
