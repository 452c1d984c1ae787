import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFileKeys, SealBroken } from './seal.ts';

const first = 'a first key of the tests, long enough to be one';
const second = 'another key of the tests, long enough to be one';
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));

test('what is sealed opens as it was, under its own name alone', () => {
  const keys = createFileKeys([first]);
  fc.assert(
    fc.property(bytes, fc.string(), fc.string(), (content, place, other) => {
      const seal = keys.open(keys.create());
      const sealed = seal.seal(place, content);
      expect(seal.open(place, sealed)).toEqual(content);
      if (other !== place) expect(() => seal.open(other, sealed)).toThrow(SealBroken);
    }),
  );
});

test('a changed bit anywhere is refused', () => {
  const keys = createFileKeys([first]);
  fc.assert(
    fc.property(bytes, fc.nat(), fc.integer({ min: 0, max: 7 }), (content, at, bit) => {
      const seal = keys.open(keys.create());
      const sealed = seal.seal('file 0', content);
      const place = at % sealed.length;
      sealed[place] = (sealed[place] ?? 0) ^ (1 << bit);
      expect(() => seal.open('file 0', sealed)).toThrow(SealBroken);
    }),
  );
});

test('a key is replaced in two steps: the newest seals, both open, and the old one alone does not', () => {
  const old = createFileKeys([first]).create();
  const both = createFileKeys([second, first]);
  const sealed = createFileKeys([first]).open(old).seal('file 0', Buffer.from('roll'));
  expect(both.open(old).open('file 0', sealed).toString()).toBe('roll');
  expect(() => createFileKeys([first]).open(both.create())).toThrow(SealBroken);
  expect(createFileKeys([]).isReady).toBe(false);
});

test('two files under one key do not open each other', () => {
  const keys = createFileKeys([first]);
  const sealed = keys.open(keys.create()).seal('file 0', Buffer.from('roll'));
  expect(() => keys.open(keys.create()).open('file 0', sealed)).toThrow(SealBroken);
});
