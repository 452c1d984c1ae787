import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../testing/runs.ts';
import { type Imb, readImb, toBars } from './index.ts';

/**
 * Published pairs of digits and bars. The first four are the examples of USPS-B-3200, Appendix C; the others are those
 * by which installations of the Postal Service's own encoder (V1R2M0, March 2008) are verified.
 */
const published = [
  ['01234567094987654321', 'ATTFATTDTTADTAATTDTDTATTDAFDDFADFDFTFFFFFTATFAAAATDFFTDAADFTFDTDT'],
  [
    '0123456709498765432101234',
    'DTTAFADDTTFTDTFTFDTDDADADAFADFATDDFTAAAFDTTADFAAATDFDTDFADDDTDFFT',
  ],
  [
    '01234567094987654321012345678',
    'ADFTTAFDTTTTFATTADTAAATFTFTATDAAAFDDADATATDTDTTDFDTDATADADTDFFTFA',
  ],
  [
    '0123456709498765432101234567891',
    'AADTFFDFTDADTAADAATFDTDDAAADDTDTTDAFADADDDTFFFDDTTTADFAAADFTDAADA',
  ],
  [
    '5337977723499454492851135759461',
    'DAFDTDAFFDFTDADTDDFTTFDTATATFFFDFTTFFFTFDDTDAAFATDFTFDFDTTTDTTFDA',
  ],
  [
    '5305549468927260287913765583689',
    'AFDADAFTAFDTDFTFTFDAAFDDTAFDFDTTFADATAATAAAADDDFAAAAATDADAFADFTTT',
  ],
  [
    '4012011157467511592462176609110',
    'DDAFFFDAFTFDFFAAATTTDDFFTFADDFAFTTDAAAAAADFTTFDTAFDDTDDADATDAFAFF',
  ],
  [
    '8220545586891355997254765515722',
    'TTTADTFFADAFDTTFDTAADATFFFADFFTDDFFFATDADAATAAADDATFTAADFADTADADD',
  ],
] as const;

const digit = fc.integer({ min: 0, max: 9 }).map(String);
const digitsOf = (length: number) =>
  fc.array(digit, { minLength: length, maxLength: length }).map((all) => all.join(''));
const anyBarcode = fc
  .tuple(
    digit,
    fc.integer({ min: 0, max: 4 }).map(String),
    digitsOf(18),
    fc.constantFrom(0, 5, 9, 11).chain(digitsOf),
  )
  .map((parts) => parts.join(''));

function read(text: string): Imb {
  const found = readImb(text);
  if (!found.ok) throw new Error(`${text} ${found.problem}`);
  return found.imb;
}

describe('the barcode on the envelope follows the USPS standard', () => {
  test.each(published)('%s is printed and read as published', (digits, bars) => {
    expect(toBars(read(digits))).toBe(bars);
    const { trackingCode, routing } = read(bars);
    expect(trackingCode + routing).toBe(digits);
  });

  test('every barcode can be read back from its bars', () => {
    fc.assert(
      fc.property(anyBarcode, (digits) => {
        const imb = read(digits);
        expect(read(toBars(imb))).toEqual(imb);
      }),
      { numRuns: runs(2000) },
    );
  });

  test('the smallest and the greatest of each length can be read back too', () => {
    for (const routing of [0, 5, 9, 11]) {
      for (const filler of ['0', '9']) {
        const digits = `${filler}${filler === '9' ? '4' : '0'}${filler.repeat(18 + routing)}`;
        const { trackingCode, routing: found } = read(toBars(read(digits)));
        expect(trackingCode + found).toBe(digits);
      }
    }
  });
});

describe('a misread envelope never counts as another voter’s', () => {
  const letters = ['A', 'D', 'F', 'T'];

  test('one wrong bar is refused, whichever it is', () => {
    fc.assert(
      fc.property(anyBarcode, (digits) => {
        const bars = toBars(read(digits));
        for (let place = 0; place < 65; place += 1) {
          for (const letter of letters) {
            if (bars[place] === letter) continue;
            const wrong = bars.slice(0, place) + letter + bars.slice(place + 1);
            expect(readImb(wrong)).toMatchObject({ ok: false });
          }
        }
      }),
      { numRuns: runs(40) },
    );
  });

  test('upside down it is refused', () => {
    const turned: Record<string, string> = { A: 'D', D: 'A', F: 'F', T: 'T' };
    fc.assert(
      fc.property(anyBarcode, (digits) => {
        const bars = [...toBars(read(digits))].reverse().map((bar) => turned[bar] ?? '');
        expect(readImb(bars.join(''))).toMatchObject({ ok: false });
      }),
      { numRuns: runs(200) },
    );
  });

  test('random bars are refused, except for those that pass the checksum by chance', () => {
    const bars = fc
      .array(fc.constantFrom(...letters), { minLength: 65, maxLength: 65 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(bars, (text) => {
        expect(readImb(text).ok).toBe(false);
      }),
      { numRuns: runs(500), seed: 20_261_103 },
    );
  });
});

describe('an office sees what its barcode means, or what is wrong with it', () => {
  test('the fields, with a mailer ID of six digits and of nine', () => {
    expect(read('00 741 123456 987654321 34811-0001-99')).toEqual({
      barcodeId: '00',
      serviceType: '741',
      mailerId: '123456',
      serial: '987654321',
      routing: '34811000199',
      trackingCode: '00741123456987654321',
    });
    expect(read('00778987654321123456')).toMatchObject({
      mailerId: '987654321',
      serial: '123456',
      routing: '',
    });
  });

  test.each([
    ['', 'is empty'],
    [
      '0741123456987654321',
      'has 19 digits, and a barcode has 20, 25, 29 or 31 (was a leading zero lost?)',
    ],
    ['12345678901234567890123', 'has 23 digits, and a barcode has 20, 25, 29 or 31'],
    ['07741123456987654321', 'has the barcode ID 07, whose second digit must be 0 to 4'],
    ['7.41123E+29', 'was rounded by a spreadsheet program: export the column as text'],
    ['ADFT', 'has 4 bars, and a barcode has 65'],
    ['T'.repeat(65), 'has a wrong bar: its checksum does not fit, or it stands upside down'],
    ['0071612345600000000X', 'has X as character 20, which no barcode has there'],
    [`${'T'.repeat(40)}X${'T'.repeat(24)}`, 'has X as character 41, which no barcode has there'],
    ['none', 'is neither the 20 to 31 digits of a barcode nor its 65 bars A, D, F and T'],
  ])('%j', (text, problem) => {
    expect(readImb(text)).toEqual({ ok: false, problem });
  });
});
