import { expect, test } from 'vitest';
import { scanPng, scanSvg } from '../../../../testing/scan-qr.ts';
import { drawQrPng, drawQrSvg } from './draw-qr.ts';

const url =
  'https://adams.beacon.example.gov/voter/qr-login?guid=0b0f7c1e-52a5-4a9f-9d0c-6d6a7b1f2c3d';

test('a printed code leads to the ballot', () => {
  expect(scanPng(drawQrPng(url, 8))).toBe(url);
  expect(scanSvg(drawQrSvg(url))).toBe(url);
});

test('the drawing is plain SVG that loads nothing', () => {
  const svg = drawQrSvg(url);
  expect(svg).toMatch(/^<svg[^>]*viewBox/);
  expect(svg).not.toMatch(/script|href/);
});
