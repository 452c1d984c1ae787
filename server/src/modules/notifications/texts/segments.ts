import type { Language } from '@ballot-beacon/contract/languages';

export interface SmsSize {
  readonly encoding: 'GSM-7' | 'UCS-2';
  /** Each is paid for, and each can get lost. */
  readonly segments: number;
}

/** The alphabet of GSM-7 (3GPP TS 23.038, 6.2.1), and its extension, of which each character takes two places. */
const basic = `@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà`;
const extension = '\f^{}\\[~]|€';
const places: ReadonlyMap<string, number> = new Map([
  ...[...basic].map((character) => [character, 1] as const),
  ...[...extension].map((character) => [character, 2] as const),
]);

/** Places of a segment that is the only one, and of each of several, which give some to what joins them. */
const room = {
  'GSM-7': { alone: 160, joined: 153 },
  'UCS-2': { alone: 70, joined: 67 },
} as const;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How a text travels (3GPP TS 23.038): 160 GSM-7 characters a segment, 70 when any character is not in that set. */
export function measureSms(text: string): SmsSize {
  const gsm = Array.from(text, (character) => places.get(character));
  if (gsm.every((size) => size !== undefined))
    return { encoding: 'GSM-7', segments: countSegments(gsm, room['GSM-7']) };
  const sizes = Array.from(characters.segment(text), ({ segment }) => segment.length);
  return { encoding: 'UCS-2', segments: countSegments(sizes, room['UCS-2']) };
}

/** What a reader sees as one character is never cut. */
function countSegments(
  sizes: readonly number[],
  { alone, joined }: (typeof room)[SmsSize['encoding']],
): number {
  let total = 0;
  let used = 0;
  let segments = 1;
  for (const size of sizes) {
    total += size;
    if (used + size > joined) {
      segments += 1;
      used = 0;
    }
    used += size;
  }
  return total <= alone ? 1 : segments;
}

/** The segments of a text as it stands. */
export function countParts(text: string): number {
  if (!plainGsm.test(text)) return measureSms(text).segments;
  const { alone, joined } = room['GSM-7'];
  return text.length <= alone ? 1 : Math.ceil(text.length / joined);
}

/**
 * Languages whose readers write texts without these accents as a matter of course. A letter that would become
 * another word (ñ is in GSM-7 and stays) is not among them, nor is a language that tells words apart by accents.
 */
const foldable: ReadonlySet<Language> = new Set<Language>(['english', 'spanish', 'french']);

const typographic: Record<string, string> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '\u00a0': ' ',
};
const accented: Record<string, string> = {
  á: 'a',
  í: 'i',
  ó: 'o',
  ú: 'u',
  Á: 'A',
  Í: 'I',
  Ó: 'O',
  Ú: 'U',
  â: 'a',
  ê: 'e',
  î: 'i',
  ô: 'o',
  û: 'u',
  ë: 'e',
  ï: 'i',
  ç: 'c',
  œ: 'oe',
  È: 'E',
  À: 'A',
};

const plainGsm = /^[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z]*$/;

/** The text in the fewest segments: typographic characters, then accents where the language allows, are replaced by plain ones if that saves a segment. */
export function fitSms(text: string, language: Language): string {
  // Nearly every English text: sure to be GSM-7, no need to measure.
  if (plainGsm.test(text)) return text;
  const plain = replaceAll(text, typographic);
  const candidates = foldable.has(language) ? [plain, replaceAll(plain, accented)] : [plain];
  let best = text;
  let bestSegments = measureSms(text).segments;
  for (const candidate of candidates) {
    const { segments } = measureSms(candidate);
    if (segments < bestSegments) [best, bestSegments] = [candidate, segments];
  }
  return best;
}

function replaceAll(text: string, table: Record<string, string>): string {
  return text.replaceAll(/[^\n -~]/gu, (character) => table[character] ?? character);
}
