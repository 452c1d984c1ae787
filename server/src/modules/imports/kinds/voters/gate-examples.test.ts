import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';

/** Of a roll that waits, the person who decides sees the first voters whom each reason is about. */
let office: TestOffice;

const header =
  'registration_id,firstname,lastname,birthdate,zipcode,address,phone,is_active,is_confidential';
type Row = Readonly<Record<'first' | 'last' | 'birth' | 'zip' | 'address' | 'phone', string>> & {
  readonly isActive: string;
  readonly isHidden: string;
};
const roll = Array.from(
  { length: 100 },
  (_, n): Row => ({
    ...{ first: `José${n}`, last: `Lee${n}`, birth: '1950-01-02', zip: '99301' },
    ...{ address: `${n} Heron Way`, phone: `509555${String(n).padStart(4, '0')}` },
    // The first forty are inactive, the next ones protected.
    isActive: n < 40 ? 'no' : 'yes',
    isHidden: n >= 40 && n < 45 ? 'yes' : 'no',
  }),
);
const linesOf = (rows: readonly Row[]) =>
  rows.map((row, n) => [100_000 + n, ...Object.values(row)].join());
function importLines(lines: readonly string[], name = 'roll.csv') {
  const bytes = Buffer.from([header, ...lines, ''].join('\n'));
  const file = { name, size: bytes.length, open: () => Readable.from([bytes]) };
  return office.import('beacon-voters', bytes, { file });
}

beforeEach(async () => {
  office = await createTestOffice();
  expect((await importLines(linesOf(roll))).state).toBe('done');
});
afterEach(() => office.close());

test.each<[string, (row: Row, n: number) => Partial<Row>, string, string]>([
  [
    'names-swapped',
    ({ first, last }) => ({ first: last, last: first }),
    'first, last',
    'last, first',
  ],
  ['other-people', () => ({ first: 'Bo', last: 'Ek' }), 'known name', 'another name'],
  ['names-changed', () => ({ last: 'Ek' }), 'known name', 'another name'],
  ['names-damaged', (_, n) => ({ first: `Jos?${n}` }), 'known name', 'name without its letters'],
  ['birthdates-changed', () => ({ birth: '1950-02-01' }), 'known birth date', 'another or none'],
  ['zipcodes-changed', () => ({ zip: '99302' }), 'known ZIP code', 'another or none'],
  ['addresses-changed', () => ({ address: '7 Elm St' }), 'known address', 'another address'],
  ['contacts-changed', () => ({ phone: '5095559999' }), 'known contact', 'another contact'],
  ['made-active', () => ({ isActive: 'yes' }), 'inactive', 'active'],
  ['made-inactive', () => ({ isActive: 'no' }), 'active', 'inactive'],
  ['protection-lost', () => ({ isHidden: 'no' }), 'protected', 'not protected'],
  ['protection-added', () => ({ isHidden: 'yes' }), 'not protected', 'protected'],
])('a roll that waits shows the first voters of %s', async (code, change, from, to) => {
  const first = { 'made-inactive': 40, 'protection-lost': 40 }[code] ?? 0;
  const [line = '', ...lines] = linesOf(roll.map((row, n) => ({ ...row, ...change(row, n) })));
  // The row that comes twice is refused, and no example.
  const { state, report } = await importLines([line, line, ...lines]);
  const reason = report.gate?.find((one) => one.code === code);
  expect([state, reason?.examples]).toEqual([
    'file-held',
    [first, first + 1, first + 2, first + 3, first + 4].map((n) => ({
      ...{ voter: String(100_000 + n), from, to, line: n === 0 ? 2 : n + 3 },
    })),
  ]);
});

test.each<[string, Partial<Row>, string, string]>([
  ['100001', { isActive: 'yes' }, 'inactive', 'active'],
  ['100050', { isActive: 'no' }, 'active', 'inactive'],
  ['100050', { last: 'Ek' }, 'known name', 'another name'],
  ['100050', { first: 'Lee50', last: 'José50' }, 'known name', 'another name'],
  ['100050', { birth: '1950-02-01' }, 'known birth date', 'another or none'],
  ['100050', { zip: '99302' }, 'known ZIP code', 'another or none'],
  ['100001', { address: '7 Elm St' }, 'known record', 'another record'],
  ['100200', {}, 'not on the roll', 'new'],
])(
  'the roll of an earlier day shows what it would change of %s: %j',
  async (voter, change, from, to) => {
    office.clock.set('2026-10-20T15:00:00Z');
    expect((await importLines(linesOf(roll.slice(0, 90)), 'roll-2026-10-19.csv')).state).toBe(
      'done',
    );
    const lines = linesOf(roll);
    const [old] = linesOf([{ ...(roll[Number(voter) - 100_000] ?? (roll[0] as Row)), ...change }]);
    const row = (old ?? '').replace('100000', voter);
    // One row is refused, and another differs in spaces alone.
    const same = lines.slice(5, 20).map((line) => line.replace('Lee7,', ' Lee7 ,'));
    const { state, report } = await importLines([row, row, ...same], 'roll-2026-10-18.csv');
    expect([state, report.gate?.map(({ code, examples }) => [code, examples])]).toEqual([
      'file-held',
      [['old-file', [{ voter, from, to, line: 2 }]]],
    ]);
  },
);
