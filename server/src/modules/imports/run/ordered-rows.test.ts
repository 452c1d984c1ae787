import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderedRows } from './ordered-rows.ts';

const together = { first: 4, rows: 8, firstBytes: 10, bytes: 2_000 };
const name = fc.oneof(
  fc.constantFrom('Lee', 'LEE', 'Núñez', "O'Brien", 'Abel', 'Zwart', ''),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);

test('every row comes out once and whole, however often rows are taken', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.boolean()), { maxLength: 100 }), (rows) => {
      const ordered = new OrderedRows(together);
      const pieces: Buffer[] = [];
      const sent = rows.map(([value], at) => `${at} ${value.replaceAll('\n', ' ')}\n`);
      for (const [at, [value, takes]] of rows.entries()) {
        ordered.add(sent[at] ?? '', value);
        if (takes && !ordered.isEmpty) pieces.push(ordered.take());
      }
      ordered.order();
      pieces.push(ordered.takeAll());
      expect(ordered.isEmpty).toBe(true);
      const came = Buffer.concat(pieces)
        .toString()
        .split(/(?<=\n)/);
      expect(came.filter((row) => row !== '').sort()).toEqual(sent.toSorted());
    }),
  );
});

test('rows that are put in order together come out by name, and those of one name as they came', () => {
  const ordered = new OrderedRows({ ...together, first: 8 });
  for (const row of ['Zwart 1', 'lee 2', 'Abel 3', 'LEE 4', 'Leeson 5', "O'Brien 6"])
    ordered.add(`${row}\n`, row.slice(0, -2));
  expect(ordered.isEmpty).toBe(true);
  ordered.order();
  const rows = ordered.takeAll().toString().trim().split('\n');
  expect(rows).toEqual(['Abel 3', 'lee 2', 'LEE 4', 'Leeson 5', "O'Brien 6", 'Zwart 1']);
});

test('what is in order lasts until the next rows are, and is gone then', () => {
  const ordered = new OrderedRows({ ...together, first: 4, rows: 4 });
  const sizes: number[] = [];
  for (let row = 0; row < 12; row += 1) {
    ordered.add(`${row}\n`.padStart(10), 'Lee');
    sizes.push(ordered.isEmpty ? 0 : ordered.take().length / 10);
  }
  expect(sizes).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
});

test('a small roll leaves little memory to be collected', () => {
  const before = process.memoryUsage().arrayBuffers;
  const ordered = new OrderedRows();
  for (let row = 0; row < 300; row += 1) ordered.add(`${row}\n`.padStart(200), 'Lee');
  ordered.order();
  expect(ordered.takeAll().length).toBe(300 * 200);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
});

test('a row that has no room is no row cut off', () => {
  expect(() => new OrderedRows(together).add('x'.repeat(2_000), 'Lee')).toThrow('longer');
});
