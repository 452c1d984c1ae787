import { inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { drawQrPng, drawQrSvg } from './draw-qr.ts';

const url =
  'https://adams.beacon.example.gov/voter/qr-login?guid=0b0f7c1e-52a5-4a9f-9d0c-6d6a7b1f2c3d';

/** The dots of a PNG as {@link drawQrPng} writes it. */
function readPng(png: Buffer) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const start = png.indexOf('IDAT') + 4;
  const lines = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
  const stride = 1 + Math.ceil(width / 8);
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isWhite = ((lines[y * stride + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      data.fill(isWhite ? 255 : 0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return { width, height, data };
}

test('a printed code leads a phone to the ballot', () => {
  expect(decodeQR(readPng(drawQrPng(url, 8)))).toBe(url);
});

test('the drawing is plain SVG without anything that loads', () => {
  const svg = drawQrSvg(url);
  expect(svg).toMatch(/^<svg[^>]*viewBox/);
  expect(svg).not.toMatch(/script|href/);
});
