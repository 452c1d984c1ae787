/**
 * `npm run pictures`: makes the pictures that the clerks' page names out of those that `npm run screens` took on a desktop in
 * light colors, in the size in which the page shows them.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumFlags, ensureHeadlessChromium } from '../../testing/browser.ts';
import { listPictures, picturesFolder } from './pictures.ts';
import { folder } from './write-index.ts';

/** In pixels. Taller screens are cut: what matters is at the top. */
const width = 960;
const mostHeight = 1_200;
/** Of WebP, from 0 to 1. */
const quality = 0.8;

const shown = path.join(folder, 'console');
const screens = readdirSync(shown);
const browser = await chromium.launch({
  executablePath: ensureHeadlessChromium(),
  args: [...chromiumFlags],
});
try {
  const page = await browser.newPage();
  rmSync(picturesFolder, { recursive: true, force: true });
  mkdirSync(picturesFolder, { recursive: true });
  for (const { file, screen } of listPictures()) {
    const source = screens.find((one) => one === screen);
    if (!source) throw new Error(`npm run screens takes no picture of "${screen}".`);
    const png = readFileSync(path.join(shown, source, 'desktop.png')).toString('base64');
    const webp = await page.evaluate(shrink, { png, width, mostHeight, quality });
    writeFileSync(path.join(picturesFolder, file), Buffer.from(webp, 'base64'));
  }
} finally {
  await browser.close();
}

/** Runs in the browser, which draws and compresses without another library. @returns WebP in base64 */
async function shrink(of: {
  readonly png: string;
  readonly width: number;
  readonly mostHeight: number;
  readonly quality: number;
}): Promise<string> {
  const image = new Image();
  image.src = `data:image/png;base64,${of.png}`;
  await image.decode();
  const scale = of.width / image.naturalWidth;
  const canvas = document.createElement('canvas');
  canvas.width = of.width;
  canvas.height = Math.min(of.mostHeight, Math.round(image.naturalHeight * scale));
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser cannot draw.');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(image, 0, 0, of.width, image.naturalHeight * scale);
  return canvas.toDataURL('image/webp', of.quality).split(',')[1] ?? '';
}
