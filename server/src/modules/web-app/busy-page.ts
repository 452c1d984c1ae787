import {
  isLanguage,
  type Language,
  languageCookieName,
  languages,
} from '@ballot-beacon/contract/languages';
import type { FastifyRequest } from 'fastify';
import { type Catalog, layOver } from '../texts/index.ts';
import { readAcceptLanguage } from './language-offer.ts';

/** The page for a visitor whom the site has no time for at the moment. */
export type BusyPage = (request: FastifyRequest) => string;

const cookiePattern = new RegExp(`(?:^|;\\s*)${languageCookieName}=([a-z]{1,20})(?:;|$)`);

/**
 * Made once for each language, so that refusing costs next to nothing. It belongs to no office by name, and has neither
 * style nor script: nothing more is to be loaded from a site that is busy.
 */
export function createBusyPage(catalog: Catalog, supportEmail: string): BusyPage {
  const texts = layOver(catalog, []);
  const pages = new Map(
    catalog.languages.map((language) => {
      const translate = texts.translator(language);
      const { tag, dir } = languages[language];
      const text = translate('outage.text', { email: supportEmail });
      return [
        language,
        `<!doctype html><html lang="${tag}" dir="${dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Ballot Beacon</title></head><body><h1>Ballot Beacon</h1><p>${escapeHtml(text)}</p><p><a href="">${escapeHtml(translate('app.retry'))}</a></p></body></html>`,
      ];
    }),
  );
  return (request) => pages.get(languageOf(request)) ?? (pages.get('english') as string);
}

/** As asked for, chosen before, or the browser's: what an office offers would have to be looked up. */
function languageOf({ query, headers }: FastifyRequest): Language {
  const { [languageCookieName]: asked } = query as { [languageCookieName]?: unknown };
  const chosen = cookiePattern.exec(headers.cookie ?? '')?.[1];
  const [wanted] = readAcceptLanguage(headers['accept-language'] ?? '');
  const named = typeof asked === 'string' ? asked.toLowerCase() : undefined;
  return [named, chosen, wanted].find(isLanguage) ?? 'english';
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
