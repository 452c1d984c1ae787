import { plainDigits } from '@ballot-beacon/contract/typed-text';

/**
 * The ten digits of a US number, as typed or as stored (E.164); null when it is none. Letters are not read as the
 * digits of their keys (decisions, Preferences). Whether the number exists is for the server to say.
 */
export function readPhone(text: string): string | null {
  const plain = plainDigits(text.normalize('NFKC'));
  if (/\p{L}/u.test(plain)) return null;
  const digits = plain.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  return digits.length === 10 ? digits : null;
}
