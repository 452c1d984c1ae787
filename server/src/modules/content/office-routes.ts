import { hash } from 'node:crypto';
import type { Branding } from '@ballot-beacon/contract/branding';
import type { LanguageFile } from '@ballot-beacon/contract/language-file';
import { type Language, languageOfLocale, languages } from '@ballot-beacon/contract/languages';
import type { FastifyInstance } from 'fastify';
import { markNotModified } from '../../platform/not-modified.ts';
import { type PackedText, packText } from '../../platform/packed-text.ts';
import { problem } from '../../platform/problem.ts';
import { createRecent } from '../../platform/recent.ts';
import { findAccountImage } from '../accounts/index.ts';
import type { Visit, VoterApi } from '../sessions/index.ts';
import { blankImagePath } from '../sites/index.ts';
import type { Section } from '../texts/index.ts';

/** Texts of an office in a language, of 10 kB each. */
const keptAnswers = 200;

const aYear = 'public, max-age=31536000, immutable';
/** One transparent pixel. */
const blankImage = Buffer.from(
  'R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==',
  'base64',
);

/** The office's branding, images and texts. */
export function registerOfficeRoutes(api: VoterApi): void {
  api.answer('getBranding', async (visit, { reply }) => {
    const { site, request, session } = visit;
    const answer = { _embedded: { branding: [brandingOf(visit)] } };
    markNotModified(request, reply, ['branding', site.version, session !== undefined]);
    return answer;
  });

  api.app.register(async (scope) => {
    packAnswers(scope);
    api.answer(
      'getLanguageFile',
      async (visit, { query, reply }) => {
        const { site, request, session } = visit;
        const language = languageOfLocale(query.language);
        if (!language || !site.languages.includes(language)) {
          throw problem(404, 'This language is not available here.');
        }
        const { section } = query;
        const isSignedIn = session !== undefined;
        markNotModified(request, reply, ['texts', site.version, language, section, isSignedIn]);
        return languageFileOf(visit, language, section);
      },
      { scope },
    );
  });

  api.app.get<{ Params: { kind: string; hash: string } }>(
    '/voter/account-image/:kind/:hash',
    async (request, reply) => {
      const { site } = await api.visit(request);
      const { kind, hash } = request.params;
      const isKnownKind = kind === 'logo' || kind === 'background';
      const image =
        isKnownKind && site.kind === 'account'
          ? await findAccountImage(site.db, site.account.accountId, kind)
          : undefined;
      if (!image?.sha256.startsWith(hash) || hash.length < 32) {
        throw problem(404, 'This image does not exist.');
      }
      return (
        reply
          .header('cache-control', aYear)
          // An SVG opened directly is a document, so it must not run or load anything.
          .header('content-security-policy', "default-src 'none'; sandbox")
          .type(image.contentType)
          .send(image.bytes)
      );
    },
  );

  api.app.get(blankImagePath, async (_request, reply) =>
    reply.header('cache-control', aYear).type('image/gif').send(blankImage),
  );
}

/** Compressed, since phones fetch these answers and all visitors of an office get the same. */
function packAnswers(scope: FastifyInstance): void {
  const answers = createRecent<PackedText>(keptAnswers);
  scope.addHook('onSend', async ({ headers }, reply, payload) => {
    reply.header('vary', 'Cookie, Accept-Encoding');
    if (typeof payload !== 'string' || reply.statusCode !== 200) return payload;
    const answer = await answers.getOr(hash('sha256', payload), () => packText(payload));
    const { encoding, body } = await answer.compressed(headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return body;
  });
}

/** The site's branding for this visitor. */
export function brandingOf({ site, session }: Visit): Branding {
  const { analytics } = site.branding;
  const isCounted = session === undefined || analytics?.when_signed_in === true;
  return {
    ...site.branding,
    analytics: isCounted ? analytics : null,
    is_voter_authenticated: session !== undefined,
  };
}

/** A language's texts for this visitor. */
export function languageFileOf(
  { site, session }: Visit,
  language: Language,
  section: Section,
): LanguageFile {
  return {
    language,
    locale: languages[language].locale,
    section,
    is_voter_authenticated: session !== undefined,
    is_reviewed: site.texts.isReviewed(language),
    texts: site.texts.texts(language, section),
  };
}
