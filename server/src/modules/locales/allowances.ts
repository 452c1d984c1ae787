import type { Language } from '../../../../contract/src/languages.ts';

/** A text that may stay as it is in English, in all languages or in some, and why. */
export interface Allowance {
  readonly text: string;
  readonly languages?: readonly Language[];
  readonly reason: string;
}

export const allowedSame: readonly Allowance[] = [
  { text: 'Ballot Beacon', reason: 'The name of the product.' },
];

/** Latin words that stand in texts of other scripts. */
const latinAllowances: readonly Allowance[] = [
  { text: 'Ballot Beacon', reason: 'The name of the product.' },
  { text: 'YES STOP HELP START', reason: 'Key words that the carrier and the service read.' },
  { text: 'MM DD YYYY', reason: 'The date format is typed and shown as such.' },
  {
    text: 'SMS QR PDF CAPTCHA USPS ZIP WCAG',
    reason: 'Abbreviations that readers meet in Latin letters.',
  },
];

export const latinWords: ReadonlySet<string> = new Set(
  latinAllowances.flatMap(({ text }) => text.split(' ')),
);

/** Whether a list of allowances covers a text in a language. */
export function isAllowed(list: readonly Allowance[], language: Language, text: string): boolean {
  return list.some(
    (allowance) =>
      allowance.text === text.trim() && (allowance.languages?.includes(language) ?? true),
  );
}
