import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { runs } from '../../../../testing/runs.ts';
import { isFirstNameAsRegistered, splitWords } from '../voters/index.ts';
import { networksOf } from './networks.ts';
import { possiblePeople } from './throttle-rules.ts';

/** What counts against a person must be found under every spelling that signs that person in. */
const pairs = 10_000;
let data: TestDatabase;

beforeAll(async () => {
  data = await createTestDatabase();
});
afterAll(() => data.drop());

const letters = [...'aabcdeeghiiklmnoorstuvyzñéüößøłđæœçåÉÑŁĐØʻжпя'];
const marks = [..."'’‘`´ʻʼ‛′-‐‑–—−. \u00a0\u00ad\u200b\u200d\u2060\ufeff"];
const chunk = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 7 });
const name = fc
  .tuple(chunk, fc.option(fc.tuple(fc.constantFrom(...marks), chunk)))
  .map(([head, tail]) => head + (tail ? tail.join('') : ''));
const middle = fc.oneof(fc.constant(''), chunk, fc.constantFrom('L', 'a'));

/** Spellings of the same name, and now and then a different name. */
const respelling = fc.record({
  seeds: fc.array(fc.nat(1_000), { minLength: 12, maxLength: 12 }),
  insert: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...marks)), { maxLength: 3 }),
  form: fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'),
  extra: fc.constantFrom('', '', 'middle', 'initial', 'any'),
});
type Respelling = typeof respelling extends fc.Arbitrary<infer Value> ? Value : never;

const strokes: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  Ł: 'L',
  Đ: 'D',
  Ø: 'O',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ʻ: '',
};

function respell(text: string, { seeds, insert, form }: Respelling): string {
  let spelled = [...text]
    .map((letter, index) => {
      const choice = (seeds[index % seeds.length] ?? 0) % 4;
      if (choice === 0) return letter.toUpperCase();
      if (choice === 1) return strokes[letter] ?? letter;
      if (choice === 2) return letter.normalize('NFD').replaceAll(/\p{M}/gu, '');
      return letter;
    })
    .join('');
  for (const [at, mark] of insert) {
    const place = at % (spelled.length + 1);
    spelled = spelled.slice(0, place) + mark + spelled.slice(place);
  }
  return spelled.normalize(form);
}

async function matchNames(words: readonly string[]): Promise<Map<string, string>> {
  const unique = [...new Set(words)];
  const { rows } = await data.database.systemPool.query<{ word: string; match: string }>(
    'select word, match_name(word) as match from unnest($1::text[]) as typed(word)',
    [unique],
  );
  return new Map(rows.map(({ word, match }) => [word, match]));
}

describe('a person', () => {
  test(`has one counter under all spellings that sign in, of ${pairs} generated ones`, async () => {
    const samples = fc
      .sample(fc.tuple(name, middle, name, respelling, respelling), {
        numRuns: pairs,
        seed: 20_261_122,
      })
      .map(([firstname, middlename, lastname, one, other]) => {
        const extra = {
          '': '',
          middle: ` ${middlename}`,
          initial: ` ${[...middlename][0] ?? ''}`,
          any: ' Zed',
        };
        const typedFirst = respell(firstname, one) + extra[one.extra as keyof typeof extra];
        return { firstname, middlename, lastname, typedFirst, typedLast: respell(lastname, other) };
      });
    const read = await matchNames(
      samples.flatMap(({ firstname, middlename, lastname, typedFirst, typedLast }) => [
        firstname,
        middlename,
        lastname,
        typedLast,
        ...splitWords(typedFirst),
      ]),
    );
    const match = (text: string) => read.get(text) ?? '';
    const identitiesOf = (lastname: string, firstWords: readonly string[]) =>
      possiblePeople({ names: { lastname, firstWords }, zipcode: '34811' }).map(
        (one) => one.identity,
      );

    let matches = 0;
    const strays: unknown[] = [];
    for (const sample of samples) {
      const registered = {
        firstname: match(sample.firstname),
        middlename: match(sample.middlename),
      };
      const words = splitWords(sample.typedFirst).map(match).filter(Boolean);
      const isMatch =
        match(sample.typedLast) === match(sample.lastname) &&
        isFirstNameAsRegistered(words, registered);
      if (!isMatch) continue;
      matches += 1;
      const own = identitiesOf(
        match(sample.lastname),
        registered.firstname ? [registered.firstname] : [],
      );
      const typed = identitiesOf(match(sample.typedLast), words);
      if (own.length !== 1 || !typed.includes(own[0] ?? '')) strays.push(sample);
    }
    expect(strays).toEqual([]);
    expect(matches).toBeGreaterThan(pairs * 0.7);
  });

  test('is read the same whether a name is ASCII or not', async () => {
    const plain = fc.sample(fc.string({ unit: 'binary-ascii', maxLength: 20 }), {
      numRuns: runs(2_000),
      seed: 7,
    });
    const texts = plain.map((text) => text.replaceAll(/[^ -~]/g, 'x'));
    // A combining mark alone makes the text Unicode and is itself no part of a name.
    const read = await matchNames([...texts, ...texts.map((text) => `${text}\u0301`)]);
    for (const text of texts) expect(read.get(`${text}\u0301`), text).toBe(read.get(text));
  });

  test('is read the same whether a short way or the whole of Unicode reads it', async () => {
    const letters = Array.from({ length: 0x0250 - 0x20 }, (_, at) =>
      String.fromCodePoint(0x20 + at),
    );
    const texts = letters.flatMap((letter) => [
      `${letter}Ng!Mary ${letter}${letter}`,
      `É${letter}n`,
    ]);
    // This mark is removed from names, and only the whole of Unicode knows it.
    const read = await matchNames([...texts, ...texts.map((text) => `${text}\u1ab0`)]);
    for (const text of texts) expect(read.get(text), text).toBe(read.get(`${text}\u1ab0`));
  });

  test('is found under each letter and mark that people type differently', async () => {
    const same = [
      ['Kaʻahumanu', 'KAAHUMANU'],
      ['Kaʼahumanu', 'KAAHUMANU'],
      ['Łukasz', 'LUKASZ'],
      ['Đặng', 'DANG'],
      ['Søren', 'SOREN'],
      ['Straße', 'STRASSE'],
      ['STRAẞE', 'STRASSE'],
      ['Mar garet', 'MARGARET'],
      ['Mar\u200bgaret', 'MARGARET'],
      ['Mar\u00adgaret', 'MARGARET'],
      ['O′Brien', 'OBRIEN'],
      ['Ħamrun', 'HAMRUN'],
      ['Anna−Lee', 'ANNALEE'],
      ['İlhan', 'ILHAN'],
      ['ılhan', 'ILHAN'],
      ['Núñez', 'NUNEZ'],
      ['Ｏ’Ｂrien', 'OBRIEN'],
    ] as const;
    const read = await matchNames(same.flat());
    for (const [typed, plain] of same) expect(read.get(typed), typed).toBe(plain);
  });
});

describe('a network', () => {
  test.each([
    ['10.1.2.3', ['10.1.2.3']],
    ['::ffff:10.1.2.3', ['10.1.2.3']],
    ['::FFFF:0a01:0203', ['10.1.2.3']],
    ['2001:db8:1:2ff::1', ['20010db8000102ff/64', '20010db8000102/56', '20010db80001/48']],
    [
      '2001:DB8:1:2ff:0:0:0:9%eth0',
      ['20010db8000102ff/64', '20010db8000102/56', '20010db80001/48'],
    ],
    ['::1', ['0000000000000000/64', '00000000000000/56', '000000000000/48']],
    ['64:ff9b::10.1.2.3', ['0064ff9b00000000/64', '0064ff9b000000/56', '0064ff9b0000/48']],
    ['1:2:3:4:5:6:7:8', ['0001000200030004/64', '00010002000300/56', '000100020003/48']],
  ])('of %s is counted as %j', (address, networks) => {
    expect(networksOf(address)).toEqual(networks);
  });
});
