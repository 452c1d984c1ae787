import { isLanguage, type Language } from '@ballot-beacon/contract/languages';
import type { OfficeVisit } from '../people/index.ts';
import type { Catalog } from '../texts/index.ts';

/** The languages that an office offers and the product has texts in, in the office's order. */
export function languagesOf(
  { account }: Pick<OfficeVisit, 'account'>,
  catalog: Catalog,
): Language[] {
  return account.languages.filter(
    (one): one is Language => isLanguage(one) && catalog.languages.includes(one),
  );
}
