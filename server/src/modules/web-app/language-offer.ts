import type { LanguageOffer } from '@ballot-beacon/contract/bootstrap';
import {
  isLanguage,
  type Language,
  languageCookieName,
  languageNames,
  languages,
} from '@ballot-beacon/contract/languages';
import type { Visit } from '../sessions/index.ts';

/**
 * The browser's language for a visitor who has not chosen any: the most wanted of the office's languages, unless the page
 * is in it. A browser is often set up by somebody else, so the page asks and does not switch by itself.
 */
export function offerLanguage({ request, site, language }: Visit): LanguageOffer | undefined {
  const { [languageCookieName]: query } = request.query as { [languageCookieName]?: unknown };
  const asked = typeof query === 'string' ? query.toLowerCase() : undefined;
  const isOffered = (name: unknown) => isLanguage(name) && site.languages.includes(name);
  if (isOffered(asked) || isOffered(request.cookies[languageCookieName])) return undefined;
  const wanted = readAcceptLanguage(request.headers['accept-language'] ?? '').find(isOffered);
  if (wanted === undefined || wanted === language) return undefined;
  return { language: wanted, question: questions[wanted] ?? `${languages[wanted].ownName}?` };
}

/** Longer headers are no browser's. */
const mostTags = 30;

/** The product's languages that an `Accept-Language` header names (RFC 9110, 12.5.4), the most wanted first. */
export function readAcceptLanguage(header: string): Language[] {
  const wanted = header.split(',', mostTags).flatMap((part) => {
    const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight);
    const language = languageOfTag(tag.toLowerCase());
    return language && quality > 0 ? [{ language, quality }] : [];
  });
  return wanted.toSorted((a, b) => b.quality - a.quality).map(({ language }) => language);
}

function languageOfTag(tag: string): Language | undefined {
  const [primary = ''] = tag.split('-');
  if (primary === 'yue' || /^zh-(.*-)?(hk|mo)$/.test(tag)) return 'cantonese';
  if (primary === 'fil') return 'tagalog';
  if (primary === 'zh') return 'chinese';
  return languageNames.find((name) => languages[name].tag.split('-')[0] === primary);
}

/** Where a language does not ask with "?" alone. */
const questions: { readonly [L in Language]?: string } = {
  arabic: 'العربية؟',
  cantonese: '粵語？',
  chinese: '中文？',
  french: 'Français\u00a0?',
  japanese: '日本語？',
  spanish: '¿Español?',
};
