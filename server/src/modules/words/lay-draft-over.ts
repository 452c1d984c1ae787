import type { Language } from '@ballot-beacon/contract/languages';
import { type AccountSite, toOverride } from '../sites/index.ts';
import { type Catalog, layOver, sanitizeOfficeHtml } from '../texts/index.ts';
import { keyOf, type OwnText, productWords, type TextOf } from './rules.ts';
import type { Draft } from './store.ts';

/** What voters would see if a draft were published. Nothing of it is kept. */
export function layDraftOver(
  now: {
    readonly site: AccountSite;
    readonly catalog: Catalog;
    readonly own: readonly OwnText[];
    /** Of the page. */
    readonly language: Language;
  },
  { text, language }: TextOf,
  draft: Pick<Draft, 'words'> | undefined,
): { site: AccountSite; faq: string } {
  const { site, catalog, own } = now;
  const others = own.filter((one) => one.text !== text || one.language !== language);
  const published = draft
    ? [...others, ...(draft.words ? [{ text, language, ...draft.words }] : [])]
    : own;
  const overrides = published.flatMap((one) => {
    if (one.text === 'county-information')
      return [toOverride({ language: one.language, html: one.body })];
    if (one.text !== 'alert' && !one.text.includes(':')) return [];
    return [{ ...keyOf(one.text), language: one.language, value: one.body }];
  });
  const pages = published.filter((one) => one.text === 'faq');
  const faq =
    pages.find((one) => one.language === now.language) ??
    pages.find((one) => one.language === 'english') ??
    productWords(catalog, { text: 'faq', language: now.language });
  const messages = published
    .filter((one) => one.text === 'no-ballot')
    .map((one) => [one.language, { title: one.title, description: one.body }]);
  return {
    site: {
      ...site,
      texts: layOver(catalog, overrides),
      noBallotMessages: Object.fromEntries(messages),
    },
    faq: sanitizeOfficeHtml(faq.body),
  };
}
