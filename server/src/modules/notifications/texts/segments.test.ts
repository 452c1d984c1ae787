import type { Language } from '@ballot-beacon/contract/languages';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { expect, test } from 'vitest';
import { runs } from '../../../../../testing/runs.ts';
import { messageLanguages, messageTranslate } from './load.ts';
import { countParts, fitSms, measureSms } from './segments.ts';

/** By Twilio's own calculator, which takes some fifty times as long. */
function measureByTwilio(text: string): ReturnType<typeof measureSms> {
  const { encodingName, segmentsCount } = new SegmentedMessage(text);
  return { encoding: encodingName === 'GSM-7' ? 'GSM-7' : 'UCS-2', segments: segmentsCount };
}

test('of each character Twilio’s calculator says the same', () => {
  // The last one of GSM-7 is the euro sign, U+20AC.
  const all = Array.from({ length: 0x21_00 }, (_, code) => String.fromCharCode(code));
  const differ = all.filter((one) => measureSms(one).encoding !== measureByTwilio(one).encoding);
  expect(differ).toEqual([]);
  expect(all.filter((one) => measureSms(one).encoding === 'GSM-7')).toHaveLength(137);
});

/** Unicode has come to join their letters to one character since Twilio’s calculator was written. */
const joining: readonly Language[] = ['bengali', 'hindi', 'khmer'];

/** Parts of our texts in some languages, mixed. */
function drawTexts(languages: readonly Language[]): fc.Arbitrary<string> {
  const texts = languages.map((language) => {
    const { t } = messageTranslate(language);
    return ['sms.sent', 'sms.returned', 'sms.rejected-curable'].map((key) => t(key)).join(' ');
  });
  const ours = fc
    .tuple(fc.constantFrom(...texts), fc.nat(400), fc.nat(200))
    .map(([text, from, length]) => text.slice(from, from + length));
  const others = ['€', '~[|]', '✓', '🗳️', '👩🏽', 'ñ', 'é', '’', 'ệ', '\n', 'a'.repeat(66)];
  return fc
    .array(fc.oneof(ours, fc.constantFrom(...others)), { maxLength: 5 })
    .map((pieces) => pieces.join(''));
}

test('of parts of our texts, of any length, Twilio’s calculator says the same', () => {
  const languages = messageLanguages().filter((language) => !joining.includes(language));
  fc.assert(
    fc.property(drawTexts(languages), (text) => {
      expect(measureSms(text), text).toEqual(measureByTwilio(text));
      expect(countParts(text)).toBe(measureSms(text).segments);
    }),
  );
});

test('where letters join, Twilio’s calculator says at most one segment more or less', () => {
  fc.assert(
    fc.property(drawTexts(joining), (text) => {
      const [ours, theirs] = [measureSms(text), measureByTwilio(text)];
      expect(ours.encoding).toBe(theirs.encoding);
      expect(Math.abs(ours.segments - theirs.segments), text).toBeLessThanOrEqual(1);
    }),
    { numRuns: runs(50) },
  );
});

test('160 plain characters are one segment, 161 two; one emoji makes it 70', () => {
  expect(measureSms('a'.repeat(160))).toEqual({ encoding: 'GSM-7', segments: 1 });
  // Each of several has room for seven fewer.
  for (const length of [1, 160, 161, 306, 307])
    expect(countParts('a'.repeat(length))).toBe(measureSms('a'.repeat(length)).segments);
  expect(countParts('a'.repeat(307))).toBe(3);
  expect(measureSms('a'.repeat(161))).toEqual({ encoding: 'GSM-7', segments: 2 });
  // What joins segments takes room of each.
  const joined = [160, 161, 306, 307].map((length) => countParts('a'.repeat(length)));
  expect(joined).toEqual([1, 2, 2, 3]);
  expect(measureSms(`${'a'.repeat(70)}✓`)).toEqual({ encoding: 'UCS-2', segments: 2 });
});

test('accents are dropped only where that saves a segment and the language allows it', () => {
  const long = `La boleta será enviada ${'x'.repeat(100)}`;
  expect(fitSms(long, 'spanish')).toContain('sera enviada');
  expect(fitSms('será', 'spanish')).toBe('será');
  const vietnamese = `Lá phiếu ${'x'.repeat(100)}`;
  expect(fitSms(vietnamese, 'vietnamese')).toBe(vietnamese);
  expect(fitSms(`año ${'x'.repeat(100)} será`, 'spanish')).toContain('año');
});
