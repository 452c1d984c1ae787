import { inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';

/** What a phone reads from a PNG as `drawQrPng` writes it: one bit per dot, lines unfiltered. */
export function scanPng(png: Buffer): string {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const start = png.indexOf('IDAT') + 4;
  const lines = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
  const stride = 1 + Math.ceil(width / 8);
  if (lines.length !== stride * height)
    throw new Error('The PNG has not as many lines as it says.');
  return scan(width, height, (x, y) => {
    const isWhite = ((lines[y * stride + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
    return isWhite === 0;
  });
}

const dotsPerModule = 4;

/** What a phone reads from an SVG as `drawQrSvg` writes it: one path of unit squares. */
export function scanSvg(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const dark = new Set<string>();
  let x = 0;
  let y = 0;
  for (const [, move, first, second] of svg.matchAll(/(m)(-?\d+)[ ,]?(-?\d+)h1v1/gi)) {
    x = Number(first) + (move === 'm' ? x : 0);
    y = Number(second) + (move === 'm' ? y : 0);
    dark.add(`${x} ${y}`);
  }
  return scan(size * dotsPerModule, size * dotsPerModule, (left, top) =>
    dark.has(`${Math.floor(left / dotsPerModule)} ${Math.floor(top / dotsPerModule)}`),
  );
}

/** What a phone reads from each code of a PDF as `drawCodeSheet` writes it: the dark squares of one, filled, then its label. */
export function scanPdf(pdf: Buffer): string[] {
  const streams = pdf.toString('latin1').matchAll(/stream\n(.*?)\nendstream/gs);
  return [...streams].flatMap(([, stream = '']) => {
    // The streams of fonts have none.
    const drawing = inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
    return drawing.split(/\nf\n/).flatMap((part) => {
      const squares = [...part.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) [\d.]+ re/g)].map((found) =>
        found.slice(1).map(Number),
      ) as [x: number, y: number, side: number][];
      return squares.length === 0 ? [] : [scanSquares(squares)];
    });
  });
}

function scanSquares(squares: readonly (readonly [x: number, y: number, side: number])[]): string {
  const step = squares[0]?.[2] ?? 0;
  const left = Math.min(...squares.map(([x]) => x));
  const top = Math.min(...squares.map(([, y]) => y));
  const places = squares.map(([x, y]) => [(x - left) / step, (y - top) / step].map(Math.round));
  const dark = new Set(places.map(([column, line]) => `${column} ${line}`));
  const border = 4;
  const size = Math.max(...places.map(([column = 0]) => column)) + 1 + 2 * border;
  return scan(size * dotsPerModule, size * dotsPerModule, (x, y) => {
    const [column, line] = [x, y].map((dot) => Math.floor(dot / dotsPerModule) - border);
    return dark.has(`${column} ${line}`);
  });
}

/** @throws when there is no code to be found */
function scan(width: number, height: number, isDark: (x: number, y: number) => boolean): string {
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      if (isDark(x, y)) data.fill(0, at, at + 3);
    }
  }
  return decodeQR({ width, height, data });
}
