import type { LanguageOffer } from '@ballot-beacon/contract/bootstrap';
import type { Branding } from '@ballot-beacon/contract/branding';
import { defaultFlags, type FlagKey } from '@ballot-beacon/contract/flags';
import { createContext, useContext } from 'react';

/** What the server said of the account when it made the page. */
export interface PageContext {
  readonly branding: Branding;
  readonly flags: Readonly<Record<string, boolean>>;
  /** Until the visitor has chosen a language. */
  readonly languageOffer: LanguageOffer | undefined;
}

export const PageContext = createContext<PageContext | null>(null);

export function usePage(): PageContext {
  const page = useContext(PageContext);
  if (!page) throw new Error('usePage outside <App>');
  return page;
}

/** A flag's value; the default until the flag service has answered. */
export function useFlag(key: FlagKey): boolean {
  return usePage().flags[key] ?? defaultFlags[key];
}
