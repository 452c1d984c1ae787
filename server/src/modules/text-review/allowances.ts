import type { Language } from '@ballot-beacon/contract/languages';

/** A text that may be the same as in English, in all languages or in some, and why. */
export interface Allowance {
  readonly text: string;
  readonly languages?: readonly Language[];
  readonly reason: string;
}

export const allowedSame: readonly Allowance[] = [
  { text: 'Ballot Beacon', reason: 'The name of the product.' },
  {
    text: 'Email',
    languages: ['ilocano', 'tagalog', 'vietnamese'],
    reason: 'The word in use in these languages.',
  },
  { text: 'SMS', reason: 'An abbreviation in use everywhere.' },
  { text: 'Error', languages: ['spanish'], reason: 'The same word in Spanish.' },
  { text: 'Name', languages: ['german'], reason: 'The same word in German.' },
  { text: 'Site', languages: ['french', 'tagalog'], reason: 'The same word in both languages.' },
  {
    text: 'Code',
    languages: ['french', 'german', 'tagalog'],
    reason: 'The same word in these languages.',
  },
  {
    text: 'ZIP code',
    languages: ['tagalog'],
    reason: 'Filipino voters in America call it so; there is no other word in use.',
  },
];

/** Keys whose text is a code, such as the language of a CAPTCHA. */
export const codeKeys: ReadonlySet<string> = new Set(['login.recaptcha.language']);

/** Keys whose text counts messages and other figures, and says nothing of a ballot that is accepted or counted. */
export const figureKeys: ReadonlySet<string> = new Set(['performance.intro']);

/** Latin words that appear in texts of other scripts. */
const latinAllowances: readonly Allowance[] = [
  { text: 'Ballot Beacon JavaScript', reason: 'Names.' },
  { text: 'YES STOP HELP START', reason: 'Key words that the carrier and the service read.' },
  { text: 'cookie', reason: 'Known by its English name where no other word is in use.' },
  { text: 'MM DD YYYY', reason: 'A date is typed in this form, and the form is shown as such.' },
  {
    text: 'SMS QR PDF ID CAPTCHA USPS ZIP WCAG AA',
    reason: 'Abbreviations that readers of every script meet in Latin letters.',
  },
  {
    text: 'https verify',
    reason: 'Parts of an address, which is typed and shown in Latin letters.',
  },
  { text: 'JSON', reason: 'The name of a format.' },
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
