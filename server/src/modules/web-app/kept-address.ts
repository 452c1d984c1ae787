import { languageCookieName } from '@ballot-beacon/contract/languages';
import { loggedOutName } from '@ballot-beacon/contract/pages';

interface Asked {
  readonly url: string;
  readonly host: string;
  readonly headers: { readonly referer?: string | undefined };
}

/**
 * Where a language leads that was chosen before the script had loaded. Pages are shared, so that their links name the language
 * alone; what the address of the page said (a ballot's code, a mailed key) goes along.
 *
 * @returns path and search; undefined where the address is whole
 */
export function findKeptAddress({ url, host, headers }: Asked): string | undefined {
  const { pathname, searchParams } = new URL(url, 'http://page');
  const language = searchParams.get(languageCookieName);
  if (language === null || searchParams.size > 1 || !URL.canParse(headers.referer ?? ''))
    return undefined;
  const from = new URL(headers.referer ?? '');
  if (from.host !== host || from.pathname !== pathname) return undefined;
  from.searchParams.set(languageCookieName, language);
  from.searchParams.delete(loggedOutName);
  return from.searchParams.size > 1 ? pathname + from.search : undefined;
}
