import type { Language } from '@ballot-beacon/contract/languages';
import { markNotModified } from '../../platform/not-modified.ts';
import { problem } from '../../platform/problem.ts';
import type { VoterApi } from '../sessions/index.ts';
import type { Site } from '../sites/index.ts';
import type { Catalog } from '../texts/index.ts';
import { sanitizeOfficeHtml } from '../texts/index.ts';
import { readOfficePage, readReleaseNotes } from './store.ts';

const defaultPageSize = 10;

/** The office's questions and answers, or the product's own, as sanitized HTML. */
export async function readFaq(site: Site, language: Language, catalog: Catalog): Promise<string> {
  const own = site.kind === 'account' ? await readOfficePage(site.db, 'faq', language) : undefined;
  if (!own) return sanitizeOfficeHtml(catalog.page(language, 'faq'));
  const html = sanitizeOfficeHtml(own.html);
  // Read aloud, and laid out, as English on a page in any language.
  return own.language === language ? html : `<section lang="en" dir="ltr">${html}</section>`;
}

/** The office's texts for all its voters: FAQ and release notes. */
export function registerWordsRoutes(api: VoterApi, catalog: Catalog): void {
  api.answer('getFaq', async ({ site, request, language }, { reply }) => {
    const content = await readFaq(site, language, catalog);
    markNotModified(request, reply, ['faq', site.branding.account_id, language, content]);
    return { content };
  });

  api.answer('getReleaseNotes', async ({ site, request }, { query, reply }) => {
    if (site.kind !== 'account') throw problem(404, 'This site has no release notes.');
    const { page = 1, page_size: pageSize = defaultPageSize } = query;
    const { notes, total } = await readReleaseNotes(site.db, page, pageSize);
    const pageCount = Math.max(1, Math.ceil(total / pageSize));
    markNotModified(request, reply, ['notes', site.version, page, pageSize]);
    const linkTo = (number: number) => ({
      href: `/api/voter/release-note?page=${number}&page_size=${pageSize}`,
    });
    return {
      _embedded: {
        release_note: notes.map((note) => ({
          release_note_id: note.release_note_id,
          release_note: sanitizeOfficeHtml(note.html),
          published_datetime: note.published_at.toISOString(),
        })),
      },
      _links: {
        first: linkTo(1),
        last: linkTo(pageCount),
        ...(page < pageCount && { next: linkTo(page + 1) }),
        ...(page > 1 && { prev: linkTo(Math.min(page - 1, pageCount)) }),
      },
      page,
      page_count: pageCount,
      page_size: pageSize,
      total_items: total,
    };
  });
}
