import { formatsFor } from '@ballot-beacon/contract/formats';
import { isLanguage, languages } from '@ballot-beacon/contract/languages';
import type { Config } from '../../../platform/config.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import type { Defect } from '../../deadlines/index.ts';
import { type Office, readOffice } from '../office/store.ts';
import { escapeHtml, listGaps, withoutEmpty } from './render.ts';

/** A letter about an envelope that its voter can fix. */
export interface FixLetter {
  readonly name: string;
  /** The lines of the address below the name. */
  readonly address: readonly string[];
  readonly language: string;
  readonly election: string;
  readonly defect: Defect;
  /** ISO 8601 with an offset; null when only the office can say. */
  readonly deadline: string | null;
  /** Of the deadline's clock. */
  readonly timeZone: string;
}

/**
 * A file for the printer, one letter a page on US Letter, each in its voter's language. A browser prints it, which has the fonts
 * and the direction of every script. The address lies in the window of a no. 10 envelope.
 *
 * @param day of the letters, `YYYY-MM-DD`
 * @throws when a text has a placeholder without a value, such as that of an office without a phone number
 */
export async function printFixLetters(
  db: Db,
  config: Config,
  accountId: AccountId,
  letters: readonly FixLetter[],
  day: string,
): Promise<string> {
  const office = await readOffice(db, config, accountId);
  const pages = letters.map((letter) => printLetter(letter, office, day));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(office.words.office)}</title>
<style>${style}</style></head><body>
${pages.join('\n')}
</body></html>
`;
}

/** Lengths as on paper: the window of a no. 10 envelope lies 0.875 inch from the left and 2 inches from the top of a folded sheet. */
const style = `@page{size:letter;margin:0}*{box-sizing:border-box}body{margin:0;font:12pt/1.5 system-ui,sans-serif;color:#000}
section{position:relative;height:11in;padding:.6in .875in;break-after:page}section:last-child{break-after:auto}
header{height:1.4in}header p,address p{margin:0}header p:first-child{font-weight:700}
address{height:1.25in;font-style:normal;text-align:left}h1{font-size:16pt;line-height:1.25;margin:.3in 0 .2in}.next{font-weight:700}`;

function printLetter(letter: FixLetter, office: Office, day: string): string {
  const wish = isLanguage(letter.language) ? letter.language : 'english';
  const { t, language } = office.translate(wish);
  const { words } = office;
  const formats = formatsFor(language, letter.timeZone);
  const values = withoutEmpty({
    ...{ office: words.office, phone: words.phone, email: words.email, url: words.url },
    ...{ name: letter.name, election: letter.election, reason: t(`reason.${letter.defect}`) },
    deadline: letter.deadline === null ? '' : formats.deadline(letter.deadline),
  });
  const say = (key: string) => {
    const text = t(key, values);
    if (text === key || listGaps(t, key, values).length > 0)
      throw new Error(`The letter's text ${key} has no value in ${language}.`);
    return escapeHtml(text);
  };
  const p = (text: string, name = '') => `<p${name && ` class="${name}"`}>${text}</p>`;
  const isKnown = letter.deadline !== null;
  const topic = isKnown ? 'mail.fix' : 'mail.rejected-curable';
  const { tag, dir } = languages[language];
  return (
    `<section lang="${tag}" dir="${dir}"><header lang="en" dir="ltr">${p(escapeHtml(words.office))}${p(escapeHtml(words.phone))}${p(escapeHtml(words.url))}</header>` +
    `<address lang="en" dir="ltr">${[letter.name, ...letter.address].map((line) => p(escapeHtml(line))).join('')}</address>` +
    `${p(escapeHtml(formats.date(day)))}<h1>${say(`${topic}.subject`)}</h1>${p(say('mail.greeting'))}${p(say(`${topic}.meaning`))}` +
    `${isKnown ? '' : p(say(`reason.${letter.defect}`))}${p(say(isKnown ? 'letter.fix.next' : `${topic}.next`), 'next')}</section>`
  );
}
