import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { scanPdf } from '../../../../testing/scan-qr.ts';
import { drawCodeSheet } from './draw-sheet.ts';

const sheet = {
  columns: [],
  cellsOf: () => [],
  urlOf: (code: string) => `https://adams.example/voter/qr-login?guid=${code}`,
  nameOf: (code: string) => [code, 'B7', 'not shown'],
};
const draw = (count: number) =>
  drawCodeSheet(
    'Codes',
    Array.from({ length: count }, (_, n) => `V${n + 1}`),
    sheet,
  );

test.each([
  [1, 1],
  [11, 1],
  [12, 1],
  [13, 2],
  [24, 2],
  [25, 3],
])('%i codes fill %i pages, each with the voter below it', async (count, pages) => {
  const pdf = await getDocumentProxy(new Uint8Array(await draw(count)));
  expect(pdf.numPages).toBe(pages);
  const { text } = await extractText(pdf);
  const names = text.flatMap((page) =>
    [...page.matchAll(/V(\d+) · B7/g)].map(([, n]) => Number(n)),
  );
  expect(names).toEqual(Array.from({ length: count }, (_, n) => n + 1));
  expect(text.join()).not.toContain('not shown');
});

test('a phone reads from each code the link of the voter below it, over all pages', async () => {
  const links = Array.from({ length: 13 }, (_, n) => sheet.urlOf(`V${n + 1}`));
  expect(scanPdf(await draw(13))).toEqual(links);
});
