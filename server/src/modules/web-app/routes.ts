import type { Server } from 'node:http';
import { type CountedName, countedNames } from '@ballot-beacon/contract/analytics';
import {
  isLanguage,
  languageCookieDomain,
  languageCookieName,
} from '@ballot-beacon/contract/languages';
import { afterLogOut, base, findSharedAddress, logOutPath } from '@ballot-beacon/contract/pages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../../platform/metrics.ts';
import { problem } from '../../platform/problem.ts';
import { createRecent } from '../../platform/recent.ts';
import type { ViewCounter } from '../analytics/index.ts';
import { logOut, type SessionCookies, type Visit, type VoterApi } from '../sessions/index.ts';
import type { Catalog } from '../texts/index.ts';
import { type Assets, sendAsset } from './assets.ts';
import { readBootstrap } from './bootstrap.ts';
import { createBusyPage } from './busy-page.ts';
import { showMissingAsPage, showProblemsAsPages } from './error-page.ts';
import { findKeptAddress } from './kept-address.ts';
import { offerLanguage } from './language-offer.ts';
import { readManifest } from './manifest.ts';
import { type CachedPage, createOwnPage, createSharedPage } from './page-cache.ts';
import { contentSecurityPolicy } from './policy.ts';
import type { RenderPage } from './render.ts';
import { createRenderAllowance } from './render-allowance.ts';
import { createRenderTurns } from './render-turns.ts';

/** The page's files and its server render. */
export interface Page {
  readonly assets: Assets;
  readonly render: RenderPage;
}

/** Opens the page for a server that does not listen yet. */
export type PageSource = (server: Server) => Promise<Page>;

interface WebAppParts extends Page, Pick<Metrics, 'pageRenders'> {
  readonly views: ViewCounter;
  readonly catalog: Catalog;
  readonly supportEmail: string;
  readonly cookies: SessionCookies;
}

const aYearSeconds = 31_536_000;
const maximumCachedPages = 500;
const loginFields = ['firstname', 'lastname', 'zipcode', 'birthdate'] as const;

/** The web app under /voter: rendered here, hydrated by the browser. */
export async function registerWebAppRoutes(api: VoterApi, parts: WebAppParts): Promise<void> {
  // With what a link asks for, such as ?language=spanish.
  api.app.get('/', async (request, reply) => reply.redirect(`/voter${request.url.slice(1)}`));
  api.app.get('/favicon.ico', async (_request, reply) => reply.redirect('/voter/favicon.svg'));
  showMissingAsPage(api.app);
  // Scoped, so that no other route accepts forms.
  await api.app.register(async (app) => addRoutes(app, api, parts));
}

async function addRoutes(app: FastifyInstance, api: VoterApi, parts: WebAppParts): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  showProblemsAsPages(app, createBusyPage(parts.catalog, parts.supportEmail));
  const cache = createRecent<CachedPage>(maximumCachedPages);
  const countRender = createRenderAllowance();
  const turnToRender = createRenderTurns(app.server);

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    form?: Record<string, string>,
  ) => {
    const visit = await api.visit(request);
    rememberLanguage(visit, reply, request.protocol === 'https');
    const cached = await renderPage(visit, form);
    const { page } = cached;
    if (visit.site.kind === 'account' && page.redirect === undefined) {
      parts.views.count(request, visit.site.account.accountId, nameOf(request.url, page.status));
    }
    reply
      .header('vary', 'cookie, accept-encoding, accept-language')
      .header(
        'content-security-policy',
        contentSecurityPolicy(visit.site, page.styleHashes, {
          isSignedIn: visit.session !== undefined,
        }),
      )
      .header('cache-control', visit.session || form ? 'no-store' : 'private, no-cache')
      // By this a device that keeps a voter's last status learns that the session is over (web/public/offline-worker.js).
      .header('beacon-session', visit.session ? 'open' : 'none');
    if (page.redirect !== undefined) return reply.redirect(page.redirect, 302);
    const { encoding, body } = await cached.compressed(request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.code(page.status).type('text/html; charset=utf-8').send(body);
  };

  async function renderPage(visit: Visit, form?: Record<string, string>): Promise<CachedPage> {
    const { request, site, language, session } = visit;
    const { pathname, search, searchParams } = new URL(request.url, 'http://page');
    const shared =
      session || form ? null : findSharedAddress(pathname.slice(base.length) || '/', searchParams);
    if (shared === null) {
      countRender(visit);
      return renderAnew(visit, pathname + search, { isShared: false, form });
    }
    const key = JSON.stringify([
      site.branding.account_id,
      site.kind,
      site.version,
      language,
      offerLanguage(visit)?.language,
      shared,
    ]);
    return cache.getOr(key, () => renderAnew(visit, shared, { isShared: true }));
  }

  async function renderAnew(
    visit: Visit,
    url: string,
    { isShared, form }: { isShared: boolean; form?: Record<string, string> | undefined },
  ): Promise<CachedPage> {
    const [pathname = ''] = url.split('?', 1);
    const bootstrap = await readBootstrap(visit, pathname, parts.catalog);
    const offer = offerLanguage(visit);
    await turnToRender();
    parts.pageRenders.inc();
    const page = await parts.render({
      bootstrap: { ...bootstrap, ...(offer && { language_offer: offer }) },
      url,
      ...(form && { form }),
    });
    return isShared ? createSharedPage(page) : createOwnPage(page);
  }

  app.get(`${base}/manifest.webmanifest`, async (request, reply) =>
    reply
      .header('cache-control', 'private, max-age=3600')
      .type('application/manifest+json')
      .send(JSON.stringify(await readManifest((await api.visit(request)).site))),
  );
  // Refusing these would cost as much, and leave a page without its script.
  app.get<{ Params: { '*': string } }>(
    `${base}/assets/*`,
    { config: { isOperation: true } },
    (request, reply) => {
      const asset = parts.assets.get(`assets/${request.params['*']}`);
      if (!asset) throw problem(404, 'There is nothing here.');
      return sendAsset(request, reply, asset);
    },
  );
  const showWhole = (request: FastifyRequest, reply: FastifyReply) => {
    const whole = findKeptAddress(request);
    return whole === undefined
      ? show(request, reply)
      : reply.header('cache-control', 'no-store').redirect(whole, 302);
  };
  app.get('/voter', showWhole);
  app.get<{ Params: { '*': string } }>('/voter/*', (request, reply) => {
    const asset = parts.assets.get(request.params['*']);
    if (request.params['*'] === 'offline-worker.js') allowOfflineWorker(reply);
    return asset ? sendAsset(request, reply, asset) : showWhole(request, reply);
  });
  // A form sent before its script had loaded: nobody is signed in, and no entry is lost.
  for (const url of ['/voter', '/voter/login']) {
    app.post(url, (request, reply) => show(request, reply, readTyped(request.body)));
  }
  // Log out, pressed before the script had loaded.
  app.post(logOutPath, async (request, reply) => {
    await logOut(parts.cookies, await api.visit(request), reply);
    return reply.header('cache-control', 'no-store').redirect(afterLogOut, 303);
  });
}

/** A service worker keeps the policy of its script, fetches every page, and is for `/voter` too, which is above its own path. */
function allowOfflineWorker(reply: FastifyReply): void {
  reply
    .header('content-security-policy', "default-src 'none'; connect-src 'self'")
    .header('service-worker-allowed', base);
}

/** `?language=` also applies to later visits. */
function rememberLanguage(visit: Visit, reply: FastifyReply, isSecure: boolean): void {
  const { language: asked } = visit.request.query as { language?: unknown };
  if (typeof asked !== 'string') return;
  const language = asked.toLowerCase();
  if (!isLanguage(language) || !visit.site.languages.includes(language)) return;
  const options = { path: '/', sameSite: 'lax', secure: isSecure } as const;
  const domain = languageCookieDomain(
    visit.site.branding.language_cookie_domain,
    visit.request.hostname,
  );
  // A choice for this host alone, from before the domain was set, would come first.
  if (domain) reply.clearCookie(languageCookieName, options);
  reply.setCookie(languageCookieName, language, {
    ...options,
    maxAge: aYearSeconds,
    ...(domain && { domain }),
  });
}

function readTyped(body: unknown): Record<string, string> {
  const typed = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  return Object.fromEntries(
    loginFields.map((name) => {
      const value = typed[name];
      return [name, typeof value === 'string' ? value.slice(0, 100) : ''];
    }),
  );
}

/** The name under which a page is counted. */
function nameOf(url: string, status: number): CountedName {
  const path = new URL(url, 'http://page').pathname.replace(/^\/voter\/?/, '').replace(/\/$/, '');
  const name = `page:${path === '' ? 'login' : path}`;
  return countedNames.find((known) => status === 200 && known === name) ?? 'page:not-found';
}
