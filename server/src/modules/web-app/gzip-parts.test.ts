import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gzipInParts } from './gzip-parts.ts';

/** Which checks sum and length too. */
const unpack = (packed: Buffer) => gunzipSync(packed).toString();

test('a page in parts arrives as it is, whatever is in it and whichever parts are shared', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.string({ unit: 'grapheme', maxLength: 200 })), {
        maxLength: 8,
      }),
      (pieces) => {
        const text = pieces.map(([, piece]) => piece).join('');
        const shared = pieces.filter(([isShared]) => isShared).map(([, piece]) => piece);
        expect(unpack(gzipInParts(text, shared))).toBe(text);
      },
    ),
  );
});

test('a part that is not in the page changes nothing', () => {
  expect(unpack(gzipInParts('<p>ours</p>', ['theirs', '<p>']))).toBe('<p>ours</p>');
});

test('parts cost a page hardly any bytes', () => {
  const words = (from: number) =>
    Array.from({ length: 3_000 }, (_, at) => `.rule-${(at * from) % 977}{order:${at}}`).join('\n');
  const [style, texts, own] = [words(7), words(11), words(13)];
  const text = `<style>${style}</style>${own}${texts}`;
  const packed = gzipInParts(text, [style, texts]);
  expect(packed.length).toBeLessThan(1.1 * gzipSync(text).length);
});
