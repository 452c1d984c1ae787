import type { Language } from '@ballot-beacon/contract/languages';
import { SegmentedMessage } from 'sms-segments-calculator';

export interface SmsSize {
  readonly encoding: 'GSM-7' | 'UCS-2';
  /** Each is paid for, and each can get lost. */
  readonly segments: number;
}

/** How a text travels (3GPP TS 23.038): 160 GSM-7 characters a segment, 70 when any character is not in that set. */
export function measureSms(text: string): SmsSize {
  const message = new SegmentedMessage(text);
  return {
    encoding: message.encodingName === 'GSM-7' ? 'GSM-7' : 'UCS-2',
    segments: message.segmentsCount,
  };
}

/** The segments of a text as it stands. */
export function countParts(text: string): number {
  if (!plainGsm.test(text)) return measureSms(text).segments;
  return text.length <= 160 ? 1 : Math.ceil(text.length / 153);
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
