import { plainDigits } from '@ballot-beacon/contract/typed-text';
import parsePhoneNumber, { type CountryCode } from 'libphonenumber-js/max';

/** The United States and its territories: where an office's voters have their numbers (product spec §5). */
const countries: ReadonlySet<CountryCode | undefined> = new Set([
  'US',
  'PR',
  'VI',
  'GU',
  'AS',
  'MP',
]);
/** Numbers that reach no voter, or that cost the caller extra. */
const unreachable: ReadonlySet<string | undefined> = new Set([
  'TOLL_FREE',
  'PREMIUM_RATE',
  'SHARED_COST',
  'UAN',
]);

/**
 * A typed number as E.164 (`+13525550100`); undefined for anything but a ten-digit number that a person answers.
 * Anything but letters may stand between the digits.
 */
export function readPhone(typed: string): string | undefined {
  if (/\p{L}/u.test(typed)) return undefined;
  const digits = plainDigits(typed)
    .replaceAll(/\D/g, '')
    .replace(/^1(?=\d{10}$)/, '');
  if (digits.length !== 10) return undefined;
  const phone = parsePhoneNumber(digits, 'US');
  if (!phone?.isValid() || !countries.has(phone.country)) return undefined;
  return unreachable.has(phone.getType()) ? undefined : phone.number;
}
